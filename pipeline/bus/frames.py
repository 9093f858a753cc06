"""Frames by shared memory: one writer, any number of readers, no copy in between and no lock that a dead process holds.

A ring file in shared memory has a header and slots. Each slot has a sequence number that is odd while it is being
written: a reader that saw it odd, or changed, read a torn frame and knows it. The picture is I420 as decoders give it
(half the bytes of BGR); a reader converts the ones it looks at.

The ring outlives its writer: a capture that was killed goes on counting where it stopped.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from av.video.frame import VideoFrame
from numpy.typing import NDArray

from pipeline.errors import BusError

MAGIC: Final = 0x50575246
HEAD: Final = struct.Struct(
    "<IIIIqqqq"
)  # magic, slots, slot bytes, replaced, next number, wanted number, mode, spare
SLOT: Final = struct.Struct("<qqqqIIII")  # sequence, number, at, arrived, width, height, full range, spare
HEAD_BYTES: Final = 64
SLOT_BYTES: Final = 64
NEXT_AT: Final = 16
WANTED_AT: Final = 24
REPLACED_AT: Final = 12
SLOTS: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class RingFrame:
    """One frame of one camera: its number, time, arrival (Unix ms) and picture (I420: (height * 3 / 2, width))."""

    index: int
    at: int
    arrived: int
    i420: NDArray[np.uint8]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.i420.shape[1], self.i420.shape[0] * 2 // 3

    def bgr(self) -> NDArray[np.uint8]:
        """Return the picture as (height, width, 3) BGR."""
        return np.asarray(cv2.cvtColor(self.i420, cv2.COLOR_YUV2BGR_I420), dtype=np.uint8)


class FrameRing:
    """The ring of one camera. Make it with `create` (the capture) or `attach` (a reader)."""

    def __init__(self, path: Path, memory: mmap.mmap) -> None:
        self.path = path
        self._memory = memory
        self._slots, self._size = HEAD.unpack_from(memory, 0)[1:3]

    # ── the writer ───────────────────────────────────────────────────────────────────────────────────

    @classmethod
    def create(cls, path: Path, width: int, height: int, slots: int = SLOTS) -> FrameRing:
        """Make a ring for pictures of a size, or take up the one that a dead writer left."""
        size = SLOT_BYTES + width * height * 3 // 2
        number = 0
        try:
            old = cls.attach(path)
        except BusError:
            old = None
        if old is not None:
            if old._size == size and old._slots == slots:
                old._mend()
                return old
            number = old.next_index
        part = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "r+b") as file:
                file.truncate(HEAD_BYTES + slots * size)
                memory = mmap.mmap(file.fileno(), 0)
            HEAD.pack_into(memory, 0, MAGIC, slots, size, 0, number, 0, 0, 0)
            part.replace(path)
        except OSError as error:
            raise BusError(f"{path}: {error.strerror}") from None
        if old is not None:
            struct.pack_into("<I", old._memory, REPLACED_AT, 1)
            old.close()
        return cls(path, memory)

    def _mend(self) -> None:
        """Make whole the slot that a killed writer left half written: it never was a frame."""
        for slot in range(self._slots):
            at = HEAD_BYTES + slot * self._size
            if struct.unpack_from("<q", self._memory, at)[0] % 2:
                struct.pack_into("<qq", self._memory, at, 0, -1)

    def fits(self, width: int, height: int) -> bool:
        """Whether a picture of this size fits exactly."""
        return bool(self._size == SLOT_BYTES + width * height * 3 // 2)

    def put(self, frame: VideoFrame, at: int, arrived: int) -> int:
        """Write a frame over the oldest one; returns its number."""
        if frame.format.name not in ("yuv420p", "yuvj420p"):
            frame = frame.reformat(format="yuv420p")
        number = self.next_index
        where = HEAD_BYTES + number % self._slots * self._size
        sequence = struct.unpack_from("<q", self._memory, where)[0]
        struct.pack_into("<q", self._memory, where, sequence + 1 if sequence % 2 == 0 else sequence)
        SLOT.pack_into(
            self._memory, where, sequence + 1, number, at, arrived, frame.width, frame.height, 0, 0
        )
        self._fill(frame, where + SLOT_BYTES)
        struct.pack_into("<q", self._memory, where, sequence + 2)
        struct.pack_into("<q", self._memory, NEXT_AT, number + 1)
        return number

    def _fill(self, frame: VideoFrame, start: int) -> None:
        width, height = frame.width, frame.height
        for plane, (w, h) in zip(
            frame.planes, ((width, height), (width // 2, height // 2), (width // 2, height // 2)), strict=True
        ):
            source = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)[:h, :w]
            np.ndarray((h, w), np.uint8, self._memory, start)[:] = source
            start += w * h

    # ── readers ──────────────────────────────────────────────────────────────────────────────────────

    @classmethod
    def attach(cls, path: Path) -> FrameRing:
        """Open the ring of a camera; raises `BusError` while there is none."""
        try:
            with path.open("r+b") as file:
                memory = mmap.mmap(file.fileno(), 0)
        except (OSError, ValueError):
            raise BusError(f"{path}: no frames there") from None
        if len(memory) < HEAD_BYTES or HEAD.unpack_from(memory, 0)[0] != MAGIC:
            memory.close()
            raise BusError(f"{path}: not a ring of frames")
        _, slots, size = HEAD.unpack_from(memory, 0)[:3]
        if slots < 1 or size <= SLOT_BYTES or len(memory) != HEAD_BYTES + slots * size:
            memory.close()
            raise BusError(f"{path}: not a ring of frames")
        return cls(path, memory)

    @property
    def replaced(self) -> bool:
        """Whether the camera changed its size: attach again."""
        return bool(struct.unpack_from("<I", self._memory, REPLACED_AT)[0])

    @property
    def next_index(self) -> int:
        """The number that the next frame will have."""
        return int(struct.unpack_from("<q", self._memory, NEXT_AT)[0])

    @property
    def slots(self) -> int:
        """How many frames the ring holds."""
        return int(self._slots)

    def read(self, index: int) -> RingFrame | None:
        """Return a frame by its number, or None if it is not there (any more)."""
        where = HEAD_BYTES + index % self._slots * self._size
        before, number, at, arrived, width, height, _, _ = SLOT.unpack_from(self._memory, where)
        if before % 2 or number != index or index < 0 or SLOT_BYTES + width * height * 3 // 2 != self._size:
            return None
        picture = np.ndarray((height * 3 // 2, width), np.uint8, self._memory, where + SLOT_BYTES).copy()
        after = struct.unpack_from("<q", self._memory, where)[0]
        return RingFrame(number, at, arrived, picture) if after == before else None

    def latest(self) -> RingFrame | None:
        """Return the newest frame."""
        for _ in range(3):
            frame = self.read(self.next_index - 1)
            if frame is not None:
                return frame
        return None

    # ── complete mode: the writer waits for its reader ───────────────────────────────────────────────

    def done(self, index: int) -> None:
        """The reader needs no frame up to this one any more."""
        struct.pack_into("<q", self._memory, WANTED_AT, index + 1)

    def wait_for_room(self, seconds: float) -> bool:
        """Wait until the next frame overwrites nothing that the reader still needs."""
        deadline = time.monotonic() + seconds
        while self.next_index - int(struct.unpack_from("<q", self._memory, WANTED_AT)[0]) >= self._slots:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)
        return True

    def close(self) -> None:
        """Let go of the memory; the ring stays for others."""
        self._memory.close()
