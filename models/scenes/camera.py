"""A random pinhole camera over a table plane, so that everything in one scene shares one perspective."""

from dataclasses import dataclass

import numpy as np

CARD_MM = (63.0, 88.0)


@dataclass(frozen=True, slots=True)
class Camera:
    """A 3x4 projection from table millimetres (z up) to pixels, with the picture's size."""

    matrix: np.ndarray
    width: int
    height: int
    eye: np.ndarray

    def project(self, points: np.ndarray) -> np.ndarray:
        """Project (N, 3) or (N, 2) table points (z = 0) to (N, 2) pixels."""
        if points.shape[1] == 2:
            points = np.concatenate([points, np.zeros((len(points), 1))], 1)
        h = np.concatenate([points, np.ones((len(points), 1))], 1) @ self.matrix.T
        return np.asarray(h[:, :2] / h[:, 2:])

    @property
    def plane(self) -> np.ndarray:
        """The 3x3 homography of the plane z = 0."""
        return self.matrix[:, [0, 1, 3]]

    def ground(self, pixels: np.ndarray) -> np.ndarray:
        """Return where (N, 2) pixels meet the table, in millimetres."""
        h = np.concatenate([pixels, np.ones((len(pixels), 1))], 1) @ np.linalg.inv(self.plane).T
        return np.asarray(h[:, :2] / h[:, 2:])


def random_camera(rng: np.random.Generator, width: int, height: int, card_px: float, tilt: float) -> Camera:
    """Return a camera whose middle pixel shows a card `card_px` long, looking `tilt` radians off vertical."""
    focal = width * rng.uniform(0.9, 2.0)
    distance = focal * CARD_MM[1] / card_px
    turn, roll = rng.uniform(-np.pi, np.pi), rng.normal(0, 0.15)
    ct, st = np.cos(tilt), np.sin(tilt)
    # Camera axes in table coordinates: x right, y down, z forward (towards the table).
    right = np.array([1.0, 0.0, 0.0])
    forward = np.array([0.0, st, -ct])
    down = np.cross(forward, right)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    right, down, forward = spin @ right, spin @ down, spin @ forward
    cr, sr = np.cos(roll), np.sin(roll)
    right, down = cr * right + sr * down, cr * down - sr * right
    rotation = np.stack([right, down, forward])
    eye = -forward * distance
    k = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return Camera(k @ np.column_stack([rotation, -rotation @ eye]), width, height, eye)


def card_corners(x: float, y: float, angle: float, size: tuple[float, float] = CARD_MM) -> np.ndarray:
    """Return a card's corners (4, 2) in millimetres: top left, top right, bottom right, bottom left.

    The table's y points away from the viewer as on paper, so a card's top is at +y; otherwise it would be mirrored.
    """
    w, h = size[0] / 2, size[1] / 2
    c, s = np.cos(angle), np.sin(angle)
    local = np.array([[-w, h], [w, h], [w, -h], [-w, -h]])
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + [x, y])
