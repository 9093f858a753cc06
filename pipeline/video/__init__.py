"""Recorded video: what the cameras sent, packet for packet, in segments on disk; clips and stills cut from it.

    clip(root, "CS-1", "overview", start_ms, end_ms, Path("round.mp4"))    # remuxed, never re-encoded
    still(root, "CS-1", "overview", at_ms)                                 # one JPEG

`root/TABLE/CAMERA/START.mkv` holds the video from START (the log's milliseconds) on; a packet's stamp is its time after
START. Segments begin with a key frame. One that was cut short by a crash can be read up to its last packet.
"""

from pipeline.video.clips import Clip, Still, clip, still
from pipeline.video.prune import Pruned, prune
from pipeline.video.segments import Segment, segments
from pipeline.video.tape import Tape

__all__ = ["Clip", "Pruned", "Segment", "Still", "Tape", "clip", "prune", "segments", "still"]
