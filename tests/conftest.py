"""What all tests share: no test is about how fast the machine is, so hypothesis has no deadline."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("pitwatch", deadline=None)
settings.load_profile("pitwatch")
