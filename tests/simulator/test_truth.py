"""Truth against pixels: what the truth says is what the picture shows, to the pixel and to the frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.layout import CARD_HEIGHT, CARD_WIDTH, standard_layout
from engine import events as ev
from simulator.choreography import Performance
from simulator.render.meshes import card_outline
from simulator.render.pieces import FACE_TAG, card_frame, card_points
from simulator.render.studio import RenderStudio
from simulator.scene import CardPose

Open = Callable[[str], RenderStudio]
CAMERAS = ("overview", "bets")


def moments(play: Performance, shares: Sequence[float]) -> list[float]:
    return [play.time_of(int(play.frames * share)) for share in shares]


def edge(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    shapes, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(shapes, key=len).reshape(-1, 2), np.float32)


@pytest.mark.parametrize("name", CAMERAS)
def test_quads_of_uncovered_cards_lie_on_the_edges_of_their_pixels(
    play: Performance, open_studio: Open, name: str
) -> None:
    studio, checked = open_studio(name), 0
    for t in moments(play, (0.45, 0.6, 0.75)):
        scene = play.timeline.scene_at(t)
        seen = studio.glance(scene)
        cards = {card.id: card for card in scene.cards}
        for told in seen.as_dict()["cards"]:
            card = cards[told["id"]]
            if told["visible"] < 0.98:
                continue
            checked += 1
            outline = studio.camera.project(card_points(card, card_outline(8))).astype(np.float32)
            for x, y in edge(seen.mask(card.id)):
                assert abs(cv2.pointPolygonTest(outline, (float(x), float(y)), True)) <= 1.0
            quad = np.asarray(told["quad"], np.float32)
            for corner in outline:
                assert cv2.pointPolygonTest(quad, tuple(map(float, corner)), True) >= -0.2
            assert float(cv2.contourArea(quad)) == pytest.approx(float(cv2.contourArea(outline)), rel=0.02)
    assert checked >= 5


def on_card(card: CardPose, origin: NDArray[np.float64], ray: NDArray[np.float64]) -> float | None:
    """How far along a ray a flat card is met, or None."""
    frame = card_frame(card)
    across = float(frame[:, 2] @ ray)
    way = float(frame[:, 2] @ (np.array([card.x, card.y, card.z]) - origin)) / across
    x, y, _ = (origin + way * ray - (card.x, card.y, card.z)) @ frame
    return way if abs(x) < CARD_WIDTH / 2 - 1.5 and abs(y) < CARD_HEIGHT / 2 - 1.5 else None


@pytest.mark.parametrize("name", CAMERAS)
def test_the_card_that_shows_is_the_nearest_on_the_ray(
    play: Performance, open_studio: Open, name: str
) -> None:
    studio, checked = open_studio(name), 0
    for t in moments(play, (0.5, 0.7)):
        scene = play.timeline.scene_at(t)
        seen = studio.glance(scene)
        flat = [card for card in scene.cards if card.curl == 0]
        owner = {seen.tag_of(card.id): card.id for card in flat}
        rng = np.random.default_rng(1)
        for card in flat:
            rows, cols = np.nonzero(seen.mask(card.id))
            for i in rng.choice(len(rows), min(12, len(rows)), replace=False):
                ray = studio.camera.rays([[cols[i], rows[i]]])[0]
                hits = {
                    one.id: way
                    for one in flat
                    if (way := on_card(one, np.array(studio.camera.position), ray)) is not None
                }
                got = owner[int(seen.ids[rows[i], cols[i]]) % FACE_TAG]
                if got in hits:  # not at its very edge
                    assert hits[got] - min(hits.values()) < 0.2
                    checked += 1
    assert checked >= 60


@pytest.mark.parametrize("name", CAMERAS)
def test_a_hand_over_cards_hides_them(play: Performance, open_studio: Open, name: str) -> None:
    studio = open_studio(name)
    hidden = 0.0
    for t in moments(play, np.linspace(0.3, 0.9, 7)):
        scene = play.timeline.scene_at(t)
        bare = type(scene)(scene.cards, scene.stacks, (), scene.blocks, scene.cut_cards, (), scene.fixtures)
        covered = {card["id"]: card["visible"] for card in studio.glance(scene).as_dict()["cards"]}
        free = {card["id"]: card["visible"] for card in studio.glance(bare).as_dict()["cards"]}
        assert all(covered.get(one, 0.0) <= share + 0.01 for one, share in free.items())
        hidden += sum(share - covered.get(one, 0.0) for one, share in free.items())
    assert hidden > 0.5


def test_event_times_fall_on_frames_where_the_change_shows(play: Performance, open_studio: Open) -> None:
    layout, studio, checked = standard_layout(), open_studio("overview"), 0
    for event in play.script.events:
        if not isinstance(event, ev.WagerPlaced | ev.WagerTaken) or checked == 6:
            continue
        area = getattr(layout.seat(event.seat), str(event.area))

        def standing(t: float, area: object = area) -> float:
            told = studio.glance(play.timeline.scene_at(t)).as_dict()["stacks"]
            shares = [
                one["visible"] for one in told if area.contains(*one["at"][:2], 4.0) and one["at"][2] < 1
            ]  # type: ignore[attr-defined]
            return float(sum(shares))

        now, long_before = standing(event.at), standing(event.at - 1600)
        if isinstance(event, ev.WagerPlaced):
            assert now > long_before
            assert now > 0.4
        else:
            assert now < long_before
        checked += 1
    assert checked >= 4


def test_turned_cards_show_their_faces_at_the_event(play: Performance, open_studio: Open) -> None:
    studio = open_studio("overview")
    turned = [event for event in play.script.events if isinstance(event, ev.CardsTurned)]
    assert turned
    for event in turned[:3]:
        told = studio.glance(play.timeline.scene_at(event.at)).as_dict()["cards"]
        faces = {card["label"]: max(card["corners"]) for card in told if card["label"] != "back"}
        for card in event.cards:
            assert faces.get(str(card), 0.0) > 0.3, str(card)
