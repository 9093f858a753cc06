"""Quads: cards as four corners in the picture. Rectify them, compare them, drop the doubles."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

CARD_ASPECT = 63.0 / 88.0
CROP_SIZE = (80, 112)
MARGIN = 0.05


def rectify(image: Array, quads: Array, size: tuple[int, int] = CROP_SIZE, margin: float = MARGIN) -> Array:
    """Cut quads (N, 4, 2) out of a picture (H, W, 3) as upright crops (N, h, w, 3).

    A margin around the card stays in the crop, because the edge says where a half covered card ends. Large cards are
    cut from a shrunken copy of their surroundings: sampling them point by point would alias the index away.
    """
    w, h = size
    mx, my = w * margin, h * margin
    target = np.array([[mx, my], [w - mx, my], [w - mx, h - my], [mx, h - my]], np.float32) - 0.5
    crops = np.empty((len(quads), h, w, image.shape[2]), np.uint8)
    for i, quad in enumerate(quads):
        crops[i] = _cut(image, np.asarray(quad, np.float32), target, size)
    return crops


def _cut(image: Array, quad: Array, target: Array, size: tuple[int, int]) -> Array:
    span = max(float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[3]))) / size[0]
    if span < 1.8:
        warp = cv2.getPerspectiveTransform(quad - 0.5, target)
        return np.asarray(
            cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )
    low = np.maximum(np.floor(quad.min(0) - span * 8).astype(int), 0)
    high = np.minimum(np.ceil(quad.max(0) + span * 8).astype(int), image.shape[1::-1])
    if (high - low < 2).any():
        return np.zeros((size[1], size[0], image.shape[2]), np.uint8)
    part = image[low[1] : high[1], low[0] : high[0]]
    width, height = max(2, round(part.shape[1] / span)), max(2, round(part.shape[0] / span))
    small = cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA)
    moved = (quad - low) * np.array([width / part.shape[1], height / part.shape[0]])
    warp = cv2.getPerspectiveTransform((moved - 0.5).astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(small, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def boxes_of(quads: Array) -> Array:
    """Return the upright boxes (N, 4) as x0, y0, x1, y1 around quads (N, 4, 2)."""
    return np.concatenate([quads.min(1), quads.max(1)], 1)


def box_iou(a: Array, b: Array) -> Array:
    """Return the overlap of boxes (N, 4) with boxes (M, 4) as (N, M)."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = np.clip(high - low, 0, None).prod(2)
    area_a = (a[:, 2:] - a[:, :2]).prod(1)
    area_b = (b[:, 2:] - b[:, :2]).prod(1)
    return np.asarray(inter / np.maximum(area_a[:, None] + area_b[None] - inter, 1e-9))


def quad_iou(a: Array, b: Array) -> float:
    """Return the overlap of two convex quads (4, 2)."""
    p, q = a.astype(np.float32), b.astype(np.float32)
    inter, _ = cv2.intersectConvexConvex(p, q)
    union = cv2.contourArea(p) + cv2.contourArea(q) - inter
    return float(inter / union) if union > 0 else 0.0


def keep_best(quads: Array, scores: Array, limit: float) -> Array:
    """Return indices, best first, of quads that overlap no better one by more than `limit`.

    Cards in a fan overlap a lot as quads, so the limit must be high; it only removes doubles of one card.
    """
    order = np.argsort(-scores, kind="stable")
    boxes = boxes_of(quads)
    overlap = box_iou(boxes, boxes) > limit * 0.7
    kept: list[int] = []
    for i in order:
        if all(not overlap[i, j] or quad_iou(quads[i], quads[j]) <= limit for j in kept):
            kept.append(int(i))
    return np.array(kept, dtype=np.intp)
