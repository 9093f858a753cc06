"""Train the aligner: python -m models.aligner.train --crops DIR --run DIR [--scenes DIR,… --photos DIR].

Resumes from RUN/last.pt; shards that appear while it runs are picked up at the next epoch. The last shard is kept
for validation.
"""

import argparse
import time
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as nnf

from models.aligner.net import Aligner
from models.aligner.stock import make_maker
from models.precision import autocast
from models.scenes.stock import fill
from vision.aligner import HALF, SIDE, TEMPLATE

_TEMPLATE = torch.from_numpy(TEMPLATE.astype(np.float32))
Batch = dict[str, torch.Tensor]


def load(paths: list[Path]) -> Batch:
    """Read shards."""
    parts = []
    for path in paths:
        with np.load(path) as arrays:
            parts.append({name: arrays[name] for name in arrays.files})
    return {k: torch.from_numpy(np.concatenate([p[k] for p in parts])) for k in parts[0]}


def recolour(crops: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Change colours, and blur some crops; uint8 (N, 64, 64, 3) in, float out."""
    out = crops.numpy().copy()
    for i in np.flatnonzero(rng.random(len(out)) < 0.2):
        out[i] = cv2.GaussianBlur(out[i], (0, 0), rng.uniform(0.4, 1.3))
    n = len(out)
    gain = torch.from_numpy(rng.normal(1, 0.12, (n, 1, 1, 3)).astype(np.float32))
    lift = torch.from_numpy(rng.normal(0, 8, (n, 1, 1, 1)).astype(np.float32))
    return torch.from_numpy(out).float().mul_(gain).add_(lift).clamp_(0, 255)


def moved(batch: Batch, rng: np.random.Generator) -> Batch:
    """Turn, shift, scale and mirror crops a little, and half of them by a half turn; corners and frames follow.

    In crop units a crop's point p goes to M p + t. Exact corners go along; where only a box in picture pixels is known,
    the frame (crop units to pixels) takes the inverse.
    """
    n = len(batch["classes"])
    crops, out = batch["crops"].numpy(), np.empty(tuple(batch["crops"].shape), np.uint8)
    corners = batch["moves"].numpy().reshape(-1, 4, 2) + TEMPLATE
    maps = batch["frames"].numpy().reshape(-1, 2, 3).copy()
    loose = batch["boxes"].numpy().sum(1) > 0
    for i in range(n):
        angle = rng.normal(0, 0.08) + (np.pi if rng.random() < 0.5 else 0.0)
        size, shift = np.exp(rng.normal(0, 0.06)), rng.normal(0, 0.05, 2)
        c, s = np.cos(angle) * size, np.sin(angle) * size
        turn = np.array([[c, -s], [s, c]])
        flip = not loose[i] and rng.random() < 0.5
        if flip:
            turn = turn @ np.diag([-1.0, 1.0])
        pixels = shift * HALF + (HALF - 0.5) * (1 - turn.sum(1))
        out[i] = cv2.warpAffine(
            crops[i], np.column_stack([turn, pixels]), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE
        )
        quad = corners[i] @ turn.T + shift
        quad = quad[::-1] if flip else quad
        orders = [np.roll(quad, k, 0) for k in range(4)]
        corners[i] = min(orders, key=lambda q: float(np.abs(q - TEMPLATE).sum()))
        back = np.linalg.inv(turn)
        maps[i, :, 2] -= maps[i, :, :2] @ back @ shift
        maps[i, :, :2] = maps[i, :, :2] @ back
    moves = (corners - TEMPLATE).reshape(-1, 8).astype(np.float32)
    return {
        **batch,
        "crops": torch.from_numpy(out),
        "moves": torch.from_numpy(moves),
        "frames": torch.from_numpy(maps.reshape(-1, 6).astype(np.float32)),
    }


def losses(
    logits: torch.Tensor, moves: torch.Tensor, batch: Batch
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the losses of kinds, exact corners and boxes around loose cards."""
    card, loose = batch["classes"] < 2, batch["boxes"].sum(1) > 0
    kind = nnf.cross_entropy(logits, batch["classes"].long(), label_smoothing=0.01)
    exact, around = card & ~loose, card & loose
    corner = (
        nnf.smooth_l1_loss(moves[exact], batch["moves"][exact], beta=0.04) if exact.any() else moves.sum() * 0
    )
    frame = batch["frames"][around].reshape(-1, 2, 3)
    points = _TEMPLATE + moves[around].reshape(-1, 4, 2)
    quads = points @ frame[:, :, :2].transpose(1, 2) + frame[:, None, :, 2]
    boxes = torch.cat([quads.amin(1), quads.amax(1)], 1)
    size = torch.hypot(frame[:, 0, 1], frame[:, 1, 1])[:, None]
    box = (
        nnf.smooth_l1_loss(boxes / size, batch["boxes"][around] / size, beta=0.04)
        if around.any()
        else moves.sum() * 0
    )
    return kind, corner, box


def evaluate(model: Aligner, data: Batch) -> str:
    """Return how often kinds are right, cards missed, and corners off."""
    model.eval()
    with torch.inference_mode():
        parts = [model(part) for part in data["crops"].split(512)]
    logits, moves = torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts])
    truth, said = data["classes"], logits.argmax(1)
    card = truth < 2
    exact = card & (data["boxes"].sum(1) == 0)
    error = (moves - data["moves"])[exact].abs().mean() / 0.58 / 2
    return (
        f"right {float((said == truth).float().mean()):.4f} missed {float((said[card] == 2).float().mean()):.4f} "
        f"invented {float((said[~card] < 2).float().mean()):.4f} corner error {float(error):.4f} of a card's length"
    )


def main() -> None:
    """Train for the stated epochs with one cosine schedule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument(
        "--scenes", help="the finder's shards, to make crops from first; separate folders by commas"
    )
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=2e-3)
    a = parser.parse_args()
    cv2.setNumThreads(1)
    a.run.mkdir(parents=True, exist_ok=True)
    if a.scenes:
        fill(partial(make_maker, a.scenes, a.photos), a.crops, a.shards, a.count, 1, 1)
    model = Aligner().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=0.01)
    epoch = 0
    if (a.run / "last.pt").exists():
        state = torch.load(a.run / "last.pt", weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        epoch = state["epoch"]
    for e in range(epoch, a.epochs):
        shards = sorted(a.crops.glob("shard[0-9]*[0-9].npz"))
        data = load(shards[1:] or shards)
        rng = np.random.default_rng(e)
        order, began, sums = torch.from_numpy(rng.permutation(len(data["classes"]))), time.time(), np.zeros(3)
        steps = max(1, len(order) // a.batch)
        model.train()
        for i in range(steps):
            rate = (
                a.rate
                * min(1.0, (e * steps + i + 1) / 200)
                * (0.5 + 0.5 * float(np.cos(np.pi * (e + i / steps) / a.epochs)))
            )
            for group in optimiser.param_groups:
                group["lr"] = rate + 1e-5
            batch = moved({k: v[order[i * a.batch : (i + 1) * a.batch]] for k, v in data.items()}, rng)
            with autocast():
                logits, moves = model(recolour(batch["crops"], rng))
            parts = losses(logits.float(), moves.float(), batch)
            loss = parts[0] + 12 * parts[1] + 6 * parts[2]
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            sums += [float(p.detach()) for p in parts]
        text = " ".join(f"{v:.4f}" for v in sums / steps)
        print(
            f"epoch {e + 1}/{a.epochs} of {len(order)} loss {text} | {evaluate(model, load(shards[:1]))} "
            f"{time.time() - began:.0f} s",
            flush=True,
        )
        torch.save(
            {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "epoch": e + 1},
            a.run / "part.pt",
        )
        (a.run / "part.pt").replace(a.run / "last.pt")


if __name__ == "__main__":
    main()
