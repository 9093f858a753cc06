"""Train the finder: python -m models.finder.train --stock DIR[,DIR] --photos DIR --run DIR.

Resumes from RUN/last.pt. Keeps a running average of the weights, which is what is exported.
"""

import argparse
import itertools
import queue
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as nnf

from models.finder.data import Photographs, Shards, augment, beside
from models.finder.net import HEAT, SHAPE, UNIT, Finder, unfold
from models.finder.targets import Labels, draw
from models.precision import autocast

SIZE = (352, 256)
LONG_PX = (22.0, 110.0)  # cards outside are found in a larger or smaller copy of the picture
TOO_LONG_PX = (110.0, 400.0)  # shown all the same, so that a pip is not taken for a card
_FIELDS = ("heat", "ignore", "shape", "shape_weight", "box", "box_weight")


Source = tuple[Shards | Photographs, float]


class Feed:
    """Batches made by one thread while the network learns; sources are drawn by weight."""

    def __init__(self, sources: list[Source], batch: int, seed: int) -> None:
        self.sources, self.batch = sources, batch
        self.rng = np.random.default_rng(seed)
        self.ready: queue.Queue[dict[str, torch.Tensor]] = queue.Queue(6)
        threading.Thread(target=self._work, daemon=True).start()

    def _picture(self) -> tuple[np.ndarray, Labels]:
        shares = np.array([weight if len(source) else 0.0 for source, weight in self.sources])
        source, _ = self.sources[int(self.rng.choice(len(shares), p=shares / shares.sum()))]
        return source[int(self.rng.integers(len(source)))]

    def _tile(self, width: int) -> tuple[np.ndarray, Labels]:
        image, labels = self._picture()
        long_px = TOO_LONG_PX if self.rng.random() < 0.15 else LONG_PX
        return augment(self.rng, image, labels, width, SIZE[1], long_px)

    def _one(self) -> dict[str, np.ndarray]:
        if self.rng.random() < 0.5:
            image, labels = self._tile(SIZE[0])
        else:
            cut = int(self.rng.uniform(0.35, 0.65) * SIZE[0])
            image, labels = beside(self._tile(cut), self._tile(SIZE[0] - cut))
        maps = draw(labels, *SIZE)
        return {"image": image} | {name: getattr(maps, name) for name in _FIELDS}

    def _work(self) -> None:
        cv2.setNumThreads(1)
        for number in itertools.count():
            if number % 200 == 199:
                for source, _ in self.sources:
                    if isinstance(source, Shards):
                        source.refresh()
            samples = [self._one() for _ in range(self.batch)]
            self.ready.put({k: torch.from_numpy(np.stack([s[k] for s in samples])) for k in samples[0]})


def _at(folded: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the values (M, channels) of folded maps (N, 4 C, h, w) at the cells of a mask (N, 2 h, 2 w)."""
    n, y, x = torch.nonzero(mask, as_tuple=True)
    planes = folded.unflatten(1, (-1, 4))
    return planes[n, :, (y % 2) * 2 + x % 2, y // 2, x // 2].float()


def _half(shape: torch.Tensor) -> torch.Tensor:
    """Return half width and height (M, 2) of the boxes around cards with these shapes (M, 10)."""

    def extent(form: torch.Tensor, k: int) -> torch.Tensor:
        return torch.sqrt(form[:, k].clamp(min=1e-4) * (form[:, 0] + form[:, 2]).clamp(min=1e-4))

    long, short = shape[:, 2:5], shape[:, 5:8]
    return torch.stack([extent(long, 0) + extent(short, 0), extent(long, 2) + extent(short, 2)], 1)


def _heat_loss(heat: torch.Tensor, truth: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the focal loss of glow maps against soft targets: every cell of a glow teaches, not only its peak."""
    p = torch.sigmoid(heat)
    cross = nnf.softplus(heat) - heat * truth
    return (cross * (truth - p) ** 2 * mask).sum() * 3 / (truth * mask).sum().clamp(min=1)


def losses(folded: torch.Tensor, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the parts of the loss: heat (focal), exact shapes, extents of loose boxes, boxes.

    Shapes are looked at only where there is one: over all cells they would cost as much as the network.
    """
    n = len(HEAT)
    exact, loose, size = batch["shape_weight"].unbind(1)
    mask = exact + loose > 0
    shape = _at(folded[:, 4 * n : 4 * (n + SHAPE)], mask)
    truth = batch["shape"].permute(0, 2, 3, 1)[mask]
    exact, loose, relative = exact[mask], loose[mask], (UNIT / (size[mask] + 6))[:, None]
    error = (shape - truth).abs()
    # Offsets in cells, axes relative to the card, tilt mildly.
    card = error[:, :2].sum(1) * 0.4 + (error[:, 2:8] * relative).sum(1) * 2.0 + error[:, 8:].sum(1) * 0.08
    reach = ((_half(shape) - truth[:, 2:4]).abs() * relative).sum(1) * 2.0 + error[:, :2].sum(1) * 0.4
    weight, box_size = batch["box_weight"].unbind(1)
    mask = weight > 0
    edges = (_at(folded[:, 4 * (n + SHAPE) :], mask) - batch["box"].permute(0, 2, 3, 1)[mask]).abs()
    edges = (edges * (UNIT / (box_size[mask] + 6))[:, None]).sum(1)
    total, weight = (exact.sum() + loose.sum()).clamp(min=1), weight[mask]
    return {
        "heat": _heat_loss(unfold(folded[:, : 4 * n]).float(), batch["heat"], batch["ignore"]),
        "card": (card * exact).sum() / total,
        "loose": (reach * loose).sum() / total,
        "box": (edges * weight).sum() / weight.sum().clamp(min=1),
    }


def sources_of(stock: str, photos: Path | None) -> list[Source]:
    """Return (source, weight) pairs; DIR:weight sets a folder's weight."""
    out: list[Source] = []
    for part in stock.split(","):
        folder, _, weight = part.partition(":")
        shards = Shards(Path(folder))
        print(folder, len(shards), "pictures")
        out.append((shards, float(weight or 1)))
    if photos is not None:
        out.append((Photographs(photos / "cards-full" / "train", "cards", 0.5), 0.6))
        out.append((Photographs(photos / "chips-stacks" / "train", "chips", 0.6), 0.08))
    return out


def main() -> None:
    """Train for the stated steps with one cosine schedule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stock", required=True)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights to begin from, when the run is new")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--width", type=int, default=16)
    a = parser.parse_args()
    a.run.mkdir(parents=True, exist_ok=True)
    model = Finder(a.width).to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=1e-3)
    step = 0
    if (a.run / "last.pt").exists():
        state = torch.load(a.run / "last.pt", weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step = state["step"]
    elif a.start:
        weights = torch.load(a.start, weights_only=True)["average"]
        average.load_state_dict(weights)
        model.load_state_dict(average.module.state_dict())
    feed = Feed(sources_of(a.stock, a.photos), a.batch, 1000 + step)
    began, sums = time.time(), dict.fromkeys(("heat", "card", "loose", "box"), 0.0)
    first = step
    model.train()
    while step < a.steps:
        rate = (
            a.rate * min(1.0, (step + 1) / 200) * (0.5 + 0.5 * float(np.cos(np.pi * step / a.steps))) + 1e-5
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        batch = feed.ready.get()
        with autocast():
            maps = model(batch["image"])
        parts = losses(maps, batch)
        loss = sum(parts.values(), torch.zeros(()))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimiser.step()
        average.update_parameters(model)
        step += 1
        for name, part in parts.items():
            sums[name] += float(part.detach())
        if step % 50 == 0:
            speed = (time.time() - began) / (step - first)
            print(
                f"{step}/{a.steps} "
                + " ".join(f"{k} {v / 50:.3f}" for k, v in sums.items())
                + f" {speed:.2f} s/step",
                flush=True,
            )
            sums = dict.fromkeys(sums, 0.0)
        if step % 200 == 0 or step == a.steps:
            state = {
                "model": model.state_dict(),
                "average": average.state_dict(),
                "optimiser": optimiser.state_dict(),
                "step": step,
            }
            torch.save(state, a.run / "part.pt")
            (a.run / "part.pt").replace(a.run / "last.pt")


if __name__ == "__main__":
    main()
