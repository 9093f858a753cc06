"""The renderer: redrawn tiles equal a whole picture, looks keep apart, what is missing is named in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import PRESETS
from simulator.art import packages
from simulator.art.chips import STYLES as CHIPS
from simulator.art.decks import SPLITS, backs, deck_faces, decks
from simulator.art.felts import FELTS, PRINTS, ROOMS
from simulator.choreography import Performance
from simulator.director import Want, legal
from simulator.errors import ArtMissing, DriverMissing
from simulator.film import film
from simulator.looks import sample_look
from simulator.render import context, shooter
from simulator.render.studio import RenderStudio
from simulator.stills import CLASSES, write_stills

Open = Callable[[str], RenderStudio]


@pytest.mark.parametrize("name", ["overview", "bets"])
def test_redrawn_tiles_equal_a_whole_picture(
    play: Performance, open_studio: Open, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shooter, "AGAIN", shooter.WHOLE)
    films = open_studio(name)._shooter
    first = int(play.frames * 0.4)
    for number in range(first, first + 24, 3):
        scene = play.timeline.scene_at(play.time_of(number))
        films.draw(scene)
    again = films.picture.copy()
    films.aim(films.camera)
    films.draw(scene)
    assert np.abs(again.astype(int) - films.picture).max() <= 2


def test_motion_is_blurred_and_rest_is_not(play: Performance, open_studio: Open) -> None:
    studio = open_studio("overview")
    number = next(
        n
        for n in range(play.frames // 3, play.frames)
        if not play.timeline.is_still(play.time_of(n - 1), play.time_of(n))
    )
    before, scene = (play.timeline.scene_at(play.time_of(n)) for n in (number - 1, number))
    sharp = studio._shooter
    sharp.draw(scene)
    still = sharp.picture.copy()
    sharp.aim(sharp.camera)
    studio.picture(scene, number, False, before)
    moved = np.abs(still.astype(int) - sharp.picture).max(2) > 6
    assert 0 < moved.mean() < 0.2


def test_the_print_is_where_the_layout_says(play: Performance, open_studio: Open) -> None:
    """Lines of the ante areas are brighter or darker than the cloth beside them, on the projected edge."""
    from calibration.layout import standard_layout

    studio, layout = open_studio("overview"), standard_layout()
    studio._shooter.draw(play.timeline.scene_at(0.0))
    grey = cv2.cvtColor(studio._shooter.picture, cv2.COLOR_RGB2GRAY).astype(float)
    for place in layout.seats[1:-1]:
        a, b = np.array(place.bet.polygon[:2])
        inward = np.array(place.bet.centre) - (a + b) / 2
        inward /= np.linalg.norm(inward)
        along = np.linspace(0.2, 0.8, 30)[:, None]
        levels = []
        for off in (-12.0, 0.0, 12.0):
            points = a + (b - a) * along + inward * off
            px = np.round(studio.camera.project(np.column_stack([points, np.zeros(30)]))).astype(int)
            levels.append(grey[px[:, 1], px[:, 0]].mean())
        assert abs(levels[1] - (levels[0] + levels[2]) / 2) > 4


def test_same_seed_same_truth(tmp_path: Path) -> None:
    camera = PRESETS["overview"](320, 180, 25.0)
    script = legal("nz", 3, Want(seats_at_most=1))
    for name in ("a", "b"):
        film(script, (camera,), sample_look("valid", 4, True), tmp_path / name, seed=3, limit=0.6)
    for name in ("truth.jsonl", "frames.jsonl.gz", "table.toml", "signals.jsonl", "expected.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_stills_are_labelled_and_reproducible(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_stills(2, tmp_path / name, seed=7, size=(640, 360), own_art=True, crops=True)
    made = sorted(path.name for path in (tmp_path / "a" / "truth").iterdir())
    assert made == ["000000.json", "000001.json"]
    for name in made:
        told = (tmp_path / "a" / "truth" / name).read_bytes()
        assert told == (tmp_path / "b" / "truth" / name).read_bytes()
        record = json.loads(told)
        picture = cv2.imread(str(tmp_path / "a" / record["image"]))
        assert picture is not None
        assert picture.shape == (record["height"], record["width"], 3)
        for line in (tmp_path / "a" / "labels" / name.replace("json", "txt")).read_text().splitlines():
            kind, *box = line.split()
            assert int(kind) < len(CLASSES)
            assert all(0.0 <= float(v) <= 1.0 for v in box)


def test_splits_share_no_art() -> None:
    names = [
        [set(decks(s)) | set(backs(s)) for s in SPLITS],
        [{style.name for style in CHIPS[s]} for s in SPLITS],
        [set(FELTS[s]) for s in SPLITS],
        [{style.name for style in PRINTS[s]} for s in SPLITS],
        [set(ROOMS[s]) for s in SPLITS],
    ]
    for train, valid, test in names:
        assert not train & valid
        assert not train & test
        assert not valid & test


def test_a_missing_driver_is_one_line_that_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    import moderngl

    def broken(**_: object) -> None:
        raise RuntimeError("libEGL.so: cannot open\nmore")

    monkeypatch.setattr(moderngl, "create_context", broken)
    with pytest.raises(DriverMissing, match="libegl1") as caught:
        context.gl_context.__wrapped__()
    assert "\n" not in str(caught.value)


def test_missing_art_is_one_line_that_names_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "GNOME", tmp_path)
    monkeypatch.setenv("PITWATCH_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ArtMissing, match="gnome-cards-data") as caught:
        deck_faces("gnome-anglo")
    assert "\n" not in str(caught.value)
    monkeypatch.setattr("shutil.which", lambda name: None)
    packages.npm_package.cache_clear()
    with pytest.raises(ArtMissing, match="npm"):
        deck_faces("npm-younes")
