"""What cameras and lamps do to a picture: uneven light, casts, glare, blur, noise, compression."""

import cv2
import numpy as np


def _field(rng: np.random.Generator, h: int, w: int, cells: int) -> np.ndarray:
    small = rng.random((cells, cells), np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def relight(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Apply smooth shading, a hard-edged shadow now and then, a colour cast, gamma, contrast and glare."""
    h, w = image.shape[:2]
    out = image.astype(np.float32) / 255
    if rng.random() < 0.8:
        shade = 1 - rng.uniform(0, 0.6) * np.clip(_field(rng, h, w, int(rng.integers(2, 5))), 0, 1)
        out *= shade[..., None]
    if rng.random() < 0.35:
        mask = np.zeros((h, w), np.float32)
        centre = rng.random(2) * [w, h]
        points = centre + rng.normal(0, 0.35, (int(rng.integers(3, 7)), 2)) * max(w, h)
        cv2.fillPoly(mask, [points.astype(np.int32)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 12))
        out *= 1 - rng.uniform(0.15, 0.6) * mask[..., None]
    if rng.random() < 0.25:
        glare = np.zeros((h, w), np.float32)
        spot = (int(rng.integers(w)), int(rng.integers(h)))
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.25, 2) * max(w, h) + 1)
        cv2.ellipse(glare, spot, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        out += rng.uniform(0.2, 0.9) * cv2.GaussianBlur(glare, (0, 0), max(axes) * 0.35 + 1)[..., None]
    cast = rng.normal(1, 0.09, 3) if rng.random() < 0.8 else rng.normal(1, 0.22, 3)
    out *= np.clip(cast, 0.4, 1.6).astype(np.float32)
    out = np.clip(out * rng.uniform(0.45, 1.35), 0, 1) ** rng.uniform(0.6, 1.6)
    if rng.random() < 0.3:
        out = out * rng.uniform(0.4, 0.9) + rng.uniform(0, 0.25)
    if rng.random() < 0.08:
        out[:] = out.mean(2, keepdims=True)
    return np.asarray(np.clip(out * 255, 0, 255).astype(np.uint8))


def film(rng: np.random.Generator, image: np.ndarray, blur: float = 1.2) -> np.ndarray:
    """Apply focus or motion blur, sensor noise, sharpening and JPEG blocks."""
    h, w = image.shape[:2]
    if rng.random() < 0.6:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.2, blur) + 0.01)
    if rng.random() < 0.12:
        n = int(rng.integers(3, 3 + max(2, round(4 * blur))))
        kernel = np.zeros((n, n), np.float32)
        angle = rng.uniform(0, np.pi)
        centre = (n - 1) / 2
        tip = np.array([np.cos(angle), np.sin(angle)]) * centre
        a, b = (centre - tip).round().astype(int), (centre + tip).round().astype(int)
        cv2.line(kernel, tuple(map(int, a)), tuple(map(int, b)), 1.0)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    if rng.random() < 0.25:
        image = cv2.addWeighted(image, 1.6, cv2.GaussianBlur(image, (0, 0), 1.2), -0.6, 0)
    if rng.random() < 0.6:
        sigma = np.float32(rng.uniform(1, 12))
        noise = rng.standard_normal((h, w, 3 if rng.random() < 0.5 else 1), np.float32) * sigma
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.integers(30, 95))
        image = cv2.imdecode(
            cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )
    return np.asarray(image)
