"""From cameras to frames: RTSP, files and devices, with time-outs, reconnection and one clock per camera.

    capture = Capture(SourceSpec("rtsp://10.0.0.7/stream"), sink, tape)
    capture.run(stop)

A camera that stalls, ends, changes its resolution or jumps in time is noticed, told and taken up again.
"""

from pipeline.capture.clock import FrameClock
from pipeline.capture.runner import Capture, CaptureState
from pipeline.capture.source import Mode, SourceSpec

__all__ = ["Capture", "CaptureState", "FrameClock", "Mode", "SourceSpec"]
