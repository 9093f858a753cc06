"""Train the stack reader: python -m models.stack_reader.train --stock DIR[,DIR…] --valid DIR --run DIR [--epochs N].

Goes on from `last.pt` if there is one. Strips that were cut coarsely teach only where the foot is; strips cut finely
teach everything. Extra folders (strips of simulator stills, see `stills.py`) are mixed in as they are.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as nnf

from models.precision import autocast
from models.stack_reader.net import MOST, StackReader

BATCH = 128
RATE = 2e-3
Data = dict[str, torch.Tensor]


def load(folders: list[Path]) -> Data:
    """Read every shard of some folders."""
    parts = [np.load(path) for folder in folders for path in sorted(folder.glob("*.npz"))]
    if not parts:
        raise SystemExit(f"no shards in {', '.join(map(str, folders))}")
    names = ("strips", "chips", "told", "shifts", "fine")
    return {name: torch.from_numpy(np.concatenate([part[name] for part in parts])) for name in names}


def forward(model: nn.Module, batch: Data) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Run the network; chips that only fill up a set can never be chosen."""
    counts, colours, shifts = model(batch["strips"], batch["told"])
    filler = batch["told"][:, :, 0] < -0.5
    return counts, colours.masked_fill(filler[:, None], -1e4), shifts


def loss_of(model: nn.Module, batch: Data) -> torch.Tensor:
    """Count, layers and foot together."""
    counts, colours, shifts = (one.float() for one in forward(model, batch))
    chips = batch["chips"].long()
    fine, true = batch["fine"].bool(), (chips >= 0).sum(1)
    total = nnf.cross_entropy(counts[fine], true[fine])
    layers = (chips >= 0) & fine[:, None]
    total = total + nnf.cross_entropy(colours[layers], chips[layers])
    known = torch.isfinite(batch["shifts"]).all(1)
    return total + 2 * nnf.smooth_l1_loss(shifts[known], batch["shifts"][known], beta=0.1)


def _mixed(batch: Data, rng: torch.Generator) -> Data:
    """Mirror half of the strips, and exchange colour channels of half: in the strip and in the chip set alike.

    Exchanged channels give many chip sets from few, so that none is learnt by heart.
    """
    strips, told, shifts = batch["strips"].clone(), batch["told"].clone(), batch["shifts"].clone()
    turn = torch.rand(len(strips), generator=rng) < 0.5
    strips[turn] = strips[turn].flip(2)
    shifts[turn, 0] *= -1
    for _ in range(3):
        some = torch.rand(len(strips), generator=rng) < 0.15
        order = torch.randperm(3, generator=rng)
        strips[some] = strips[some][..., order]
        rgb = 2 - order.flip(0)  # strips are BGR, chip sets RGB
        told[some] = told[some].unflatten(2, (3, 3))[..., rgb].flatten(2)
    return {**batch, "strips": strips, "told": told, "shifts": shifts}


@torch.no_grad()
def evaluate(model: nn.Module, data: Data) -> dict[str, torch.Tensor]:
    """Run over finely cut strips and return logits and truth."""
    model.eval()
    fine = data["fine"].bool()
    data = {name: value[fine] for name, value in data.items()}
    out: list[tuple[torch.Tensor, ...]] = []
    for start in range(0, len(data["strips"]), 256):
        part = {name: value[start : start + 256] for name, value in data.items()}
        out.append(forward(model, part))
    counts, colours, shifts = (torch.cat(one).float() for one in zip(*out, strict=True))
    return {"counts": counts, "colours": colours, "shifts": shifts, "chips": data["chips"].long()}


def report(found: dict[str, torch.Tensor]) -> str:
    """Say how good it is on strips that can be read."""
    true = (found["chips"] >= 0).sum(1)
    said = found["counts"].argmax(1)
    can = true > 0
    right = said[can] == true[can]
    kinds = found["colours"].argmax(2)[can]
    all_right = ((kinds == found["chips"][can]) | (found["chips"][can] < 0)).all(1)
    return (
        f"count {right.float().mean():.4f} far {((said[can] - true[can]).abs() > 1).float().mean():.4f} "
        f"chips {all_right.float().mean():.4f} both {(right & all_right).float().mean():.4f} "
        f"unreadable noticed {(said[~can] == 0).float().mean():.3f}"
    )


def main() -> None:
    """Train and save after every epoch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stock", required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to begin from, with a new schedule")
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    data, valid = load([Path(one) for one in a.stock.split(",")]), load([a.valid])
    model = StackReader()
    if a.start:
        model.load_state_dict(torch.load(a.start, weights_only=True)["model"])
    steps = len(data["strips"]) // BATCH
    optimizer = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, a.rate, total_steps=steps * a.epochs + 1, pct_start=0.2
    )
    a.run.mkdir(parents=True, exist_ok=True)
    first = 0
    if (a.run / "last.pt").exists():
        state = torch.load(a.run / "last.pt", weights_only=True)
        model.load_state_dict(state["model"])
        if state["epoch"] < a.epochs and state["steps"] == steps:
            optimizer.load_state_dict(state["optimizer"])
            schedule.load_state_dict(state["schedule"])
            first = state["epoch"]
    for epoch in range(first, a.epochs):
        rng = torch.Generator().manual_seed(epoch)
        order, total, began = torch.randperm(len(data["strips"]), generator=rng), 0.0, time.monotonic()
        model.train()
        for step in range(steps):
            pick = order[step * BATCH : (step + 1) * BATCH]
            with autocast():
                loss = loss_of(model, _mixed({name: value[pick] for name, value in data.items()}, rng))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        said = report(evaluate(model, valid))
        print(
            f"epoch {epoch + 1} loss {total / steps:.4f} {said} {time.monotonic() - began:.0f} s", flush=True
        )
        torch.save(
            {
                "model": model.state_dict(), "optimizer": optimizer.state_dict(), "schedule": schedule.state_dict(),
                "epoch": epoch + 1, "steps": steps, "most": MOST,
            },
            a.run / "last.pt",
        )  # fmt: skip


if __name__ == "__main__":
    main()
