"""Where the cards of a photograph are, by the finder and, if it has been exported, the aligner."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.aligner import Aligner
from vision.errors import WeightsRefused
from vision.finder import Finder, FinderSettings


class Corners:
    """Calling it with a picture gives quads (N, 4, 2)."""

    def __init__(self, threshold: float = 0.25) -> None:
        self.finder = Finder(settings=FinderSettings(thresholds=(threshold,) * 5))
        try:
            self.aligner: Aligner | None = Aligner()
        except WeightsRefused:
            self.aligner = None

    def __call__(self, image: NDArray[Any]) -> NDArray[Any]:
        found = self.finder.search(image)
        if self.aligner is not None:
            found = self.aligner.align(image, found)
        return np.asarray(found.quads[found.is_card])
