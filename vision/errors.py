"""What can go wrong in vision.

VisionError
├── WeightsRefused     a model's file is missing, or is not the one the manifest names
├── BadPicture         a picture cannot be read or has no usable shape
├── BadDetections      arrays that do not belong together
└── BadEnrolment       an opening spread that does not show what it should
"""


class VisionError(Exception):
    """Base of everything vision raises on purpose."""


class WeightsRefused(VisionError):
    """A model's weights are missing or do not match the manifest."""


class BadPicture(VisionError):
    """A picture that cannot be looked at."""


class BadDetections(VisionError):
    """Arrays that do not make one set of detections."""


class BadEnrolment(VisionError):
    """A spread from which a deck cannot be learnt."""
