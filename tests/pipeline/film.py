"""Tiny films whose frames say their own number: frame n has the grey level 16 + 3 n (mod 210)."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np


def grey(number: int) -> int:
    return 16 + number * 3 % 210


def make_film(
    path: Path, frames: int = 75, width: int = 320, height: int = 240, gop: int = 25, fps: int = 25
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.gop_size = gop
        stream.codec_context.thread_count = 1
        stream.options = {"preset": "ultrafast", "crf": "10", "x264-params": "bframes=2:threads=1"}
        for number in range(frames):
            picture = np.full((height * 3 // 2, width), 128, np.uint8)
            picture[:height] = grey(number)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="yuv420p")))
        out.mux(stream.encode())
    return path
