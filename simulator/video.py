"""H.264 files as a recorder writes them: constant frame rate, a key frame every two seconds, exact time stamps.

libx264 with one thread and fixed settings gives the same bytes for the same frames, so a film is reproducible.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.errors import SimulatorError


class VideoWriter:
    """Writes frames to one MP4 file; use it as a context manager.

    `quality` is x264's constant rate factor: 23 is a good recorder, 30 a poor one.
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        fps: float = 25.0,
        quality: int = 23,
        preset: str = "veryfast",
    ) -> None:
        self.path = path
        self.frames = 0
        rate = Fraction(fps).limit_denominator(1001)
        try:
            path.open("wb").close()  # the muxer opens its file only with the first packet
            self._container = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
        except OSError as error:
            raise SimulatorError(f"{path}: cannot be written: {error.strerror}") from None
        stream = self._container.add_stream("libx264", rate=rate)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.time_base = 1 / rate
        stream.codec_context.time_base = 1 / rate
        stream.codec_context.gop_size = max(1, round(2 * fps))
        stream.codec_context.thread_count = 1
        stream.options = {"crf": str(quality), "preset": preset, "x264-params": "threads=1:bframes=0"}
        self._stream = stream

    def write(self, frame: NDArray[np.uint8]) -> None:
        """Add one frame: (height, width, 3) RGB."""
        planes = np.asarray(cv2.cvtColor(frame, cv2.COLOR_RGB2YUV_I420), np.uint8)
        picture = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        picture.pts = self.frames
        picture.time_base = self._stream.codec_context.time_base
        self._container.mux(self._stream.encode(picture))
        self.frames += 1

    def close(self) -> None:
        """Flush the encoder and finish the file."""
        self._container.mux(self._stream.encode(None))
        self._container.close()

    def __enter__(self) -> VideoWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
