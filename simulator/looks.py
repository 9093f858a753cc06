"""Looks by seed: art, light, people, and the faults of the cameras. Splits share no art.

`sample_look` draws a look; `camera_in_mount` sets a camera a little off its nominal place; `faults_of` says how a
camera's picture falls short. All three follow from the look's split and seed alone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera import Camera
from simulator.art.chips import chip_sets
from simulator.art.decks import CASINO, backs, decks
from simulator.art.felts import FELTS, PRINTS, ROOMS
from simulator.errors import SceneError
from simulator.scene import Light, Look, Person

Colour = tuple[float, float, float]
SKINS: Final[tuple[Colour, ...]] = (
    (0.90, 0.72, 0.62), (0.84, 0.64, 0.52), (0.76, 0.56, 0.43), (0.64, 0.45, 0.33), (0.50, 0.34, 0.25),
    (0.38, 0.25, 0.19), (0.87, 0.68, 0.55),
)  # fmt: skip
SLEEVES: Final[tuple[Colour, ...]] = (
    (0.12, 0.13, 0.17), (0.20, 0.24, 0.38), (0.55, 0.54, 0.52), (0.85, 0.84, 0.80), (0.45, 0.14, 0.16),
    (0.18, 0.32, 0.24), (0.62, 0.52, 0.38), (0.30, 0.22, 0.32), (0.70, 0.72, 0.78), (0.10, 0.10, 0.11),
)  # fmt: skip
RAILS: Final[tuple[Colour, ...]] = (
    (0.17, 0.13, 0.11), (0.10, 0.10, 0.11), (0.30, 0.18, 0.12), (0.26, 0.10, 0.11), (0.16, 0.18, 0.22),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Faults:
    """How a camera's picture differs from a perfect one.

    `gain` and `gamma` are exposure and curve, `white` its balance, `vignette` the fall towards the corners, `soft`
    the blur of lens and sensor (px at 1080 lines), `noise` and `grain` the sensor's noise (levels of 255; fine and
    coarse), `flicker` how much lamps beat (share) at `beat` Hz, `shutter` the share of a frame's time that is exposed,
    `glare` the strength of the veil that lamps leave, and `clock` the words in front of the time.
    """

    gain: float = 1.0
    gamma: float = 1.0
    white: Colour = (1.0, 1.0, 1.0)
    saturation: float = 1.0
    vignette: float = 0.2
    soft: float = 0.5
    noise: float = 1.6
    grain: float = 0.8
    flicker: float = 0.01
    beat: float = 0.8
    shutter: float = 0.4
    glare: float = 0.03
    clock: str = "CAM 14  PIT 3  CS-02"


def sample_look(split: str, seed: int, own_only: bool = False) -> Look:
    """A look of a split; `own_only` takes no deck that is not drawn by this project."""
    if split not in FELTS:
        raise SceneError(f"unknown split {split}: choose train, valid or test")
    rng = random.Random(f"look:{split}:{seed}")
    known = decks(split, own_only)
    fine = [name for name in known if name in CASINO]
    deck = rng.choice(fine if rng.random() < 0.7 else known)
    pairs = backs(split)
    pair = 2 * rng.randrange(len(pairs) // 2)
    two = (pairs[pair], pairs[pair + 1]) if rng.random() < 0.5 else (pairs[pair + 1], pairs[pair])
    return Look(
        split=split,
        seed=seed,
        decks=(deck, deck),
        backs=two,
        chips=rng.choice(chip_sets(split)),
        felt=rng.choice(list(FELTS[split])),
        print=rng.choice(PRINTS[split]).name,
        room=rng.choice(ROOMS[split]),
        rail=rng.choice(RAILS),
        light=_light(rng),
        people=(_dealer(rng), *(_player(rng) for _ in range(9))),
        card_wear=rng.uniform(0.0, 0.5),
        camera_jitter=(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)),
    )


def _light(rng: random.Random) -> Light:
    return Light(
        key=(rng.uniform(-0.5, 0.5), rng.uniform(-0.3, 0.5), 1.0),
        strength=rng.uniform(0.8, 1.15),
        ambient=rng.uniform(0.30, 0.52),
        kelvin=rng.uniform(2900, 6200),
        fill=(rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4), 1.0),
        fill_strength=rng.uniform(0.18, 0.4),
        pool=rng.uniform(0.1, 0.5),
    )


def _dealer(rng: random.Random) -> Person:
    sleeve = rng.choice(((0.88, 0.87, 0.84), (0.12, 0.12, 0.13), (0.80, 0.80, 0.84), (0.16, 0.17, 0.24)))
    cuff = (0.90, 0.89, 0.86) if sleeve[0] < 0.5 and rng.random() < 0.6 else None
    return Person(rng.choice(SKINS), sleeve, 1.0, rng.uniform(0.9, 1.1), cuff)


def _player(rng: random.Random) -> Person:
    length = 1.0 if rng.random() < 0.6 else rng.uniform(0.0, 0.5)
    cuff = (0.88, 0.88, 0.86) if length == 1.0 and rng.random() < 0.25 else None
    return Person(rng.choice(SKINS), rng.choice(SLEEVES), length, rng.uniform(0.85, 1.15), cuff)


def camera_in_mount(camera: Camera, look: Look) -> Camera:
    """The camera as somebody has really mounted it: a few centimetres and half a degree off."""
    if look.camera_jitter == (0.0, 0.0, 0.0, 0.0):
        return camera
    rng = random.Random(f"mount:{look.split}:{look.seed}:{camera.name}")
    dx, dy, dz, turn = look.camera_jitter
    x, y, z = camera.position
    position = (x + 25 * dx + rng.uniform(-8, 8), y + 20 * dy + rng.uniform(-8, 8), z + 30 * dz)
    angles = np.radians([rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), 0.9 * turn + rng.uniform(-0.3, 0.3)])
    rotation = _small_turn(angles) @ camera.matrix
    lens, zoom = camera.lens, rng.uniform(0.965, 1.0)
    lens = replace(
        lens,
        fx=lens.fx * zoom,
        fy=lens.fy * zoom,
        k1=lens.k1 * rng.uniform(0.7, 1.3),
        k2=lens.k2 * rng.uniform(0.7, 1.3),
    )
    return replace(camera, lens=lens, position=position, rotation=tuple(float(v) for v in rotation.ravel()))


def _small_turn(angles: np.ndarray) -> np.ndarray:
    """The rotation (3, 3) by a vector of angles (3,)."""
    theta = float(np.linalg.norm(angles))
    if theta < 1e-12:
        return np.eye(3)
    x, y, z = angles / theta
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(theta) * skew + (1 - np.cos(theta)) * skew @ skew)


def faults_of(look: Look, camera: str, strength: float = 1.0) -> Faults:
    """How the picture of a camera falls short; `strength` 0 is a very good camera, 2 a poor one."""
    rng = random.Random(f"faults:{look.split}:{look.seed}:{camera}")
    s = strength

    def about(middle: float, spread: float) -> float:
        return middle + s * rng.uniform(-spread, spread)

    return Faults(
        gain=about(1.0, 0.12),
        gamma=about(1.0, 0.08),
        white=(about(1.0, 0.05), 1.0, about(1.0, 0.06)),
        saturation=about(0.92, 0.12),
        vignette=rng.uniform(0.05, 0.3) * min(1.0, s),
        soft=0.35 + s * rng.uniform(0.0, 0.4),
        noise=0.6 + s * rng.uniform(0.3, 1.8),
        grain=s * rng.uniform(0.2, 1.0),
        flicker=s * rng.uniform(0.0, 0.012),
        beat=rng.uniform(0.3, 2.0),
        shutter=rng.uniform(0.2, 0.5),
        glare=s * rng.uniform(0.0, 0.05),
        clock=f"CAM {rng.randrange(1, 64):02d}  PIT {rng.randrange(1, 9)}  CS-{rng.randrange(1, 20):02d}",
    )
