"""Train the card reader: python -m models.card_reader.train --crops DIR --valid DIR --run DIR.

Resumes from RUN/last.pt; shards added to the crops folder while it runs are picked up at the next epoch.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as nnf

from models.card_reader import photos, stills
from models.card_reader.net import CardReader
from models.precision import autocast


def load(folder: Path | str) -> tuple[torch.Tensor, torch.Tensor]:
    """Read all shards of a folder (several folders: separate them with commas) without ever holding them twice."""
    paths = [p for part in str(folder).split(",") for p in sorted(Path(part).glob("shard[0-9]*[0-9].npz"))]
    classes = []
    for path in paths:
        with np.load(path) as arrays:
            classes.append(arrays["classes"].astype(np.int64))
    crops = np.empty((sum(map(len, classes)), 112, 80, 3), np.uint8)
    start = 0
    for path, part in zip(paths, classes, strict=True):
        with np.load(path) as arrays:
            crops[start : start + len(part)] = arrays["crops"]
        start += len(part)
    return torch.from_numpy(crops), torch.from_numpy(np.concatenate(classes))


def augment(crops: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """Cheap variety on a batch of uint8 crops (N, h, w, 3): half turns, a finder's errors, colours, covered patches."""
    n, h, w = crops.shape[:3]
    out = np.empty(crops.shape, np.uint8)
    middle = np.array([w / 2 - 0.5, h / 2 - 0.5])
    for i, crop in enumerate(crops.numpy()):
        angle = rng.normal(0, 0.045) + (np.pi if rng.random() < 0.5 else 0.0)
        c, s = np.cos(angle), np.sin(angle)
        linear = np.array([[c, -s], [s, c]]) @ (
            np.diag(rng.normal(1, 0.035, 2)) + rng.normal(0, 0.015, (2, 2))
        )
        shift = middle - linear @ middle + rng.normal(0, 0.03, 2) * [w, h]
        cv2.warpAffine(
            crop, np.column_stack([linear, shift]), (w, h), dst=out[i], borderMode=cv2.BORDER_REPLICATE
        )
        if rng.random() < 0.1:
            y0, x0 = rng.integers(0, h), rng.integers(0, w)
            out[i, y0 : y0 + h // 3, x0 : x0 + w // 3] = rng.integers(0, 255, 3)
    x = torch.from_numpy(out).float()
    gain = torch.from_numpy(rng.normal(1, 0.1, (n, 1, 1, 3)).astype(np.float32))
    lift = torch.from_numpy(rng.normal(0, 8, (n, 1, 1, 1)).astype(np.float32))
    return x.mul_(gain).add_(lift).clamp_(0, 255)


def evaluate(
    model: CardReader, crops: torch.Tensor, classes: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits and classes over a set."""
    model.eval()
    with torch.inference_mode(), autocast():
        logits = torch.cat([model(part)[0].float() for part in crops.split(512)])
    return logits, classes


def main() -> None:
    """Train for the stated epochs with one cosine schedule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights to begin from, when the run is new")
    parser.add_argument("--harvest", type=Path, help="folder for crops of --photos and --stills, made first")
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--every", type=int, default=1, help="use every so-manieth photograph")
    parser.add_argument("--stills", help="folders of rendered stills, separated by commas")
    parser.add_argument("--smooth", type=float, default=0.02, help="label smoothing")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=3e-3)
    a = parser.parse_args()
    a.run.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    sources = str(a.crops)
    if a.harvest:
        if a.stills:
            stills.fill(a.stills, a.harvest, 3)
        if a.photos:
            photos.fill(a.photos, a.harvest, every=a.every)
        sources += f",{a.harvest}"
    model = CardReader().to(memory_format=torch.channels_last)
    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}], lr=a.rate
    )
    epoch = 0
    if (a.run / "last.pt").exists():
        state = torch.load(a.run / "last.pt", weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        epoch = state["epoch"]
    elif a.start:
        model.load_state_dict(torch.load(a.start, weights_only=True)["model"])
    valid, valid_classes = load(a.valid)
    rng = np.random.default_rng(1000 + epoch)
    for e in range(epoch, a.epochs):
        crops, classes = load(sources)
        model.train()
        order = torch.from_numpy(rng.permutation(len(crops)))
        began, total = time.time(), 0.0
        steps = len(order) // a.batch
        for i in range(steps):
            done = (e + i / steps) / a.epochs
            rate = (
                a.rate * min(1.0, (e * steps + i + 1) / 300) * (0.5 + 0.5 * float(np.cos(np.pi * done)))
                + 1e-5
            )
            for group in optimiser.param_groups:
                group["lr"] = rate
            pick = order[i * a.batch : (i + 1) * a.batch]
            with autocast():
                logits, _ = model(augment(crops[pick], rng))
            loss = nnf.cross_entropy(logits.float(), classes[pick], label_smoothing=a.smooth)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            total += loss.item()
            if i % 100 == 99:
                print(
                    f"  {i + 1}/{steps} loss {total / (i + 1):.3f} {(i + 1) * a.batch / (time.time() - began):.0f}/s",
                    flush=True,
                )
        logits, truth = evaluate(model, valid, valid_classes)
        right = (logits.argmax(1) == truth).float().mean().item()
        print(
            f"epoch {e + 1} loss {total / steps:.3f} valid {right:.4f} {time.time() - began:.0f}s", flush=True
        )
        torch.save(
            {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "epoch": e + 1},
            a.run / "part.pt",
        )
        (a.run / "part.pt").replace(a.run / "last.pt")


if __name__ == "__main__":
    main()
