"""The eyes: frames in, detections, reads and tracks out, in table millimetres. Nothing here knows the game."""
