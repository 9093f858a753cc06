"""One picture of a camera from a file: a still, or a moment of a film."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np

from calibration.drawing import Image
from calibration.errors import PictureError

STILLS: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")


def read_picture(path: Path, at_ms: int = 0) -> Image:
    """The picture (H, W, 3) BGR of a still, or of a film at a time; raises PictureError in one line."""
    if not path.is_file():
        raise PictureError(f"{path}: no such file")
    if path.suffix.lower() in STILLS:
        data = np.frombuffer(path.read_bytes(), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
        if picture is None:
            raise PictureError(f"{path}: not a picture that can be read")
        return np.asarray(picture, np.uint8)
    return _film_frame(path, at_ms)


def _film_frame(path: Path, at_ms: int) -> Image:
    try:
        with av.open(str(path)) as film:
            if not film.streams.video:
                raise PictureError(f"{path}: holds no video")
            for frame in film.decode(video=0):
                if frame.time is None or frame.time * 1000 >= at_ms - 1:
                    return np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
    except (av.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(f"{path}: not a picture or film that can be read: {reason}") from None
    raise PictureError(f"{path}: the film ends before {at_ms / 1000:g} s")
