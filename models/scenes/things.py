"""Everything on a table that is no card: chip stacks, hands with forearms, stubs, and things like cards."""

import cv2
import numpy as np

from models.scenes.camera import Camera

CHIP_MM = (39.0, 3.3)
_SKIN = np.array(
    [[150, 175, 225], [120, 150, 210], [95, 125, 190], [70, 95, 150], [45, 65, 110], [35, 45, 75]], float
)


def _poly(image: np.ndarray, ids: np.ndarray, points: np.ndarray, colour: np.ndarray, ident: int) -> None:
    at = np.round(points * 8).astype(np.int32)
    cv2.fillPoly(image, [at], tuple(map(float, colour)), cv2.LINE_AA, 3)
    cv2.fillPoly(ids, [at], ident, cv2.LINE_8, 3)


def _circle(cam: Camera, x: float, y: float, z: float, r: float, t: np.ndarray) -> np.ndarray:
    return cam.project(np.stack([x + r * np.cos(t), y + r * np.sin(t), np.full_like(t, z)], 1))


def random_chip(rng: np.random.Generator) -> dict[str, np.ndarray | int | float]:
    """Choose one chip design: body, spot colour, how many spots and how wide, inlay."""
    body = (
        rng.uniform(0, 255, 3)
        if rng.random() < 0.6
        else rng.choice(
            np.array(
                [[40, 40, 200], [60, 140, 30], [30, 30, 30], [235, 235, 235], [150, 50, 110], [200, 80, 30]],
                float,
            )
        )
    )
    return {
        "body": body,
        "spot": rng.uniform(150, 255, 3) if rng.random() < 0.75 else rng.uniform(0, 255, 3),
        "spots": int(rng.integers(3, 9)),
        "share": float(rng.uniform(0.2, 0.5)),
        "inlay": rng.uniform(140, 255, 3),
        "ring": float(rng.uniform(0.45, 0.75)),
    }


def draw_stack(
    rng: np.random.Generator,
    cam: Camera,
    image: np.ndarray,
    ids: np.ndarray,
    ident: int,
    at: np.ndarray,
    chips: list[dict[str, np.ndarray | int | float]],
) -> np.ndarray:
    """Draw a stack bottom to top and return its pixels' outline (N, 2)."""
    r, thick = CHIP_MM[0] / 2, CHIP_MM[1]
    ring = np.linspace(0, 2 * np.pi, 33)[:-1]
    view = np.arctan2(cam.eye[1] - at[1], cam.eye[0] - at[0])
    outline = []
    lamp = rng.uniform(-np.pi, np.pi)
    sloppy = rng.uniform(0, 1.2)
    for i, chip in enumerate(chips):
        x, y = at + rng.normal(0, sloppy, 2)
        z0, z1 = i * thick, (i + 1) * thick
        turn = rng.uniform(0, 2 * np.pi)
        spots, share = int(chip["spots"]), float(chip["share"])
        edges = view + np.linspace(-np.pi / 2, np.pi / 2, 15)
        low, high = _circle(cam, x, y, z0, r, edges), _circle(cam, x, y, z1 - 0.25, r, edges)
        outline += [low, high]
        for k in range(14):
            mid = (edges[k] + edges[k + 1]) / 2
            lit = ((mid - turn) / (2 * np.pi) * spots) % 1 < share
            tone = np.asarray(chip["spot"] if lit else chip["body"]) * (0.62 + 0.28 * np.cos(mid - lamp))
            _poly(image, ids, np.array([low[k], low[k + 1], high[k + 1], high[k]]), tone, ident)
        top = _circle(cam, x, y, z1, r, ring)
        outline.append(top)
        _poly(image, ids, top, np.asarray(chip["body"]) * 0.95, ident)
        if i == len(chips) - 1:
            _chip_face(rng, cam, image, ids, ident, np.array([x, y, z1]), chip, turn)
        else:
            dark = np.asarray(chip["body"]) * 0.5
            cv2.polylines(
                image, [np.round(top * 8).astype(np.int32)], True, tuple(map(float, dark)), 1, cv2.LINE_AA, 3
            )
    return np.concatenate(outline)


def _chip_face(
    rng: np.random.Generator,
    cam: Camera,
    image: np.ndarray,
    ids: np.ndarray,
    ident: int,
    at: np.ndarray,
    chip: dict[str, np.ndarray | int | float],
    turn: float,
) -> None:
    r, ring = CHIP_MM[0] / 2, np.linspace(0, 2 * np.pi, 33)[:-1]
    spots, share = int(chip["spots"]), float(chip["share"])
    for k in range(spots):
        a0 = turn + k * 2 * np.pi / spots
        arc = np.linspace(a0, a0 + share * 2 * np.pi / spots, 5)
        outer, inner = _circle(cam, *at, r, arc), _circle(cam, *at, r * float(chip["ring"]), arc[::-1])
        _poly(image, ids, np.concatenate([outer, inner]), np.asarray(chip["spot"]), ident)
    _poly(
        image, ids, _circle(cam, *at, r * float(chip["ring"]) * 0.9, ring), np.asarray(chip["inlay"]), ident
    )
    size = float(np.ptp(_circle(cam, *at, r, ring)[:, 0]))
    if size > 14:
        centre = cam.project(at[None])[0]
        text = str(rng.choice(["1", "5", "25", "100", "500", "10"]))
        cv2.putText(
            image,
            text,
            (int(centre[0] - size * 0.1 * len(text)), int(centre[1] + size * 0.08)),
            cv2.FONT_HERSHEY_SIMPLEX,
            size / 90,
            (20, 20, 20),
            1,
            cv2.LINE_AA,
        )


def draw_hand(
    rng: np.random.Generator, image: np.ndarray, ids: np.ndarray, ident: int, tip: np.ndarray, scale: float
) -> np.ndarray:
    """Draw a hand whose fingers point at `tip`, with a forearm to the picture's edge; return the hand's outline.

    `scale` is pixels per millimetre. In `ids` the hand gets its number and the arm none: an arm's box is mostly table.
    """
    angle = rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]]) * rng.choice([-1, 1])
    skin = _SKIN[int(rng.integers(len(_SKIN)))] * rng.uniform(0.85, 1.1)
    sleeve = rng.uniform(0, 255, 3) if rng.random() < 0.8 else skin
    palm = tip - along * scale * rng.uniform(95, 125)
    wrist = palm - along * scale * 55
    elbow = wrist - along * scale * 420 + across * scale * rng.normal(0, 60)
    layer, touched = image.copy(), np.zeros(ids.shape, np.uint8)
    outline: list[np.ndarray] = []

    def limb(a: np.ndarray, b: np.ndarray, wide: float, colour: np.ndarray, own: bool = True) -> None:
        for j, k in ((1.0, 0.72), (0.72, 0.9), (0.4, 1.03)):
            shift = across * scale * wide * (1 - j) * 0.25
            p, q = (tuple(map(int, np.clip(v + shift, -4000, 4000))) for v in (a, b))
            cv2.line(
                layer,
                p,
                q,
                tuple(map(float, np.clip(colour * k, 0, 255))),
                max(1, int(scale * wide * j)),
                cv2.LINE_AA,
            )
        p, q = (tuple(map(int, np.clip(v, -4000, 4000))) for v in (a, b))
        cv2.line(touched, p, q, 2 if own else 1, max(1, int(scale * wide)))
        if own:
            outline.extend(
                [
                    v + np.array([dx, dy]) * scale * wide / 2
                    for v in (a, b)
                    for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1))
                ]
            )

    cuff = wrist - along * scale * rng.uniform(10, 60)
    limb(wrist, elbow, 62, skin, own=False)
    limb(cuff, elbow, 92, sleeve, own=False)
    limb(palm, wrist, 62, skin)
    limb(palm - across * scale * 14, palm + across * scale * 14, 72, skin)
    spread, curl = rng.uniform(0.02, 0.22), rng.uniform(0.35, 1.05)
    for k, length in enumerate((72, 82, 78, 62)):
        root = palm + along * scale * 22 + across * scale * (k - 1.5) * 20
        direction = along * np.cos((k - 1.5) * spread) + across * np.sin((k - 1.5) * spread)
        bend = root + direction * scale * length * 0.5 * curl
        end = bend + (direction - across * rng.normal(0, 0.12)) * scale * length * 0.5 * curl
        limb(root, bend, 19, skin)
        limb(bend, end, 16, skin * 1.04)
    thumb = palm - across * scale * 42
    limb(palm - across * scale * 20, thumb + along * scale * 18, 24, skin)
    limb(
        thumb + along * scale * 18, thumb + along * scale * rng.uniform(40, 70) + across * scale * 8, 19, skin
    )
    soft = cv2.GaussianBlur(layer, (0, 0), max(0.6, scale * 2.0))
    mask = touched.astype(bool)
    image[mask] = soft[mask]
    ids[mask] = np.where(touched[mask] == 2, ident, 0)
    return np.array(outline)


def draw_stub(
    rng: np.random.Generator,
    cam: Camera,
    image: np.ndarray,
    ids: np.ndarray,
    ident: int,
    corners: np.ndarray,
    height: float,
) -> np.ndarray:
    """Draw the sides of a pile of cards and return the corners (4, 2) of its top in pixels."""
    base = np.column_stack([corners, np.zeros(4)])
    top = np.column_stack([corners, np.full(4, height)])
    low, high = cam.project(base), cam.project(top)
    paper = rng.uniform(190, 245, 3)
    for k in range(4):
        j = (k + 1) % 4
        side = np.array([low[k], low[j], high[j], high[k]])
        _poly(image, ids, side, paper * rng.uniform(0.55, 0.95), ident)
        for f in np.linspace(0.1, 0.9, max(2, int(height / 1.5))):
            a, b = low[k] + (high[k] - low[k]) * f, low[j] + (high[j] - low[j]) * f
            cv2.line(
                image, tuple(map(int, a)), tuple(map(int, b)), tuple(map(float, paper * 0.5)), 1, cv2.LINE_AA
            )
    return np.asarray(high)


def draw_sheet(rng: np.random.Generator) -> np.ndarray:
    """Return a BGRA picture of a flat thing that is no card: paper with print, a placard, a telephone, a mat."""
    n = 160
    kind = rng.random()
    shade = rng.uniform(200, 255) if kind < 0.6 else rng.uniform(0, 90)
    sheet = np.empty((n, n, 4), np.uint8)
    sheet[..., :3] = shade + rng.uniform(-12, 12, 3) if kind < 0.8 else rng.uniform(0, 255, 3)
    sheet[..., 3] = 255
    ink = [float(v) for v in (rng.uniform(0, 90, 3) if shade > 128 else rng.uniform(120, 255, 3))]
    for _ in range(int(rng.integers(0, 9))):
        x, y = (int(v) for v in rng.integers(4, n - 30, 2))
        form = rng.random()
        if form < 0.45:
            text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVW 0123456789$"), int(rng.integers(2, 12))))
            cv2.putText(
                sheet,
                text,
                (x // 2, y + 12),
                0,
                float(rng.uniform(0.3, 1.4)),
                (*ink, 255.0),
                int(rng.integers(1, 4)),
            )
        elif form < 0.75:
            w, h = (int(v) for v in rng.integers(8, 90, 2))
            cv2.rectangle(sheet, (x, y), (x + w, y + h), (*ink, 255.0), int(rng.choice([-1, 1, 2])))
        else:
            cv2.circle(sheet, (x, y), int(rng.integers(4, 40)), (*ink, 255.0), int(rng.choice([-1, 1, 3])))
    return sheet


def sheet_corners(rng: np.random.Generator, reach: np.ndarray) -> np.ndarray:
    """Return corners (4, 2) in millimetres of a flat thing whose sides are not a card's."""
    long = float(np.exp(rng.uniform(np.log(40), np.log(420))))
    short = long * (rng.uniform(0.25, 0.62) if rng.random() < 0.5 else rng.uniform(0.8, 1.0))
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    half = np.array([[-short, long], [short, long], [short, -long], [-short, -long]]) / 2
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + rng.uniform(*reach))


def draw_tray(
    rng: np.random.Generator, cam: Camera, image: np.ndarray, ids: np.ndarray, at: np.ndarray
) -> None:
    """Draw a chip tray: tubes of chips on their edges, side by side. They are stock, not bets, and get no label."""
    turn = rng.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    tubes, length = int(rng.integers(3, 12)), rng.uniform(120, 220)
    corner = at - across * 22 - along * 15
    frame = [
        corner,
        corner + across * (tubes * 42 + 6),
        corner + across * (tubes * 42 + 6) + along * (length + 30),
    ]
    frame.append(corner + along * (length + 30))
    _poly(image, ids, cam.project(np.array(frame)), rng.uniform(0, 90, 3), 0)
    for tube in range(tubes):
        chip, lit = random_chip(rng), rng.uniform(0.8, 1.1)
        filled = length * rng.uniform(0.3, 1.0)
        for start in np.arange(0, filled, 3.3):
            a = at + across * tube * 42 + along * start
            tone = (
                np.asarray(chip["spot"] if rng.random() < 0.3 else chip["body"]) * lit * rng.uniform(0.75, 1)
            )
            side = [
                a - across * 18,
                a + across * 18,
                a + across * 18 + along * 3.1,
                a - across * 18 + along * 3.1,
            ]
            _poly(image, ids, cam.project(np.array(side)), np.clip(tone, 0, 255), 0)
