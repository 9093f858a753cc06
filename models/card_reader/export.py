"""Export the reader and fit its confidence: python -m models.card_reader.export --run DIR --valid DIR[,DIR].

Fits the temperature, and the threshold at which at most 1 read in 2,000 is wrong, on crops never trained on.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as nnf

from models.card_reader.net import CardReader
from models.card_reader.train import evaluate, load
from models.manifest import write_entry

HERE = Path(__file__).resolve().parent
WRONG = 1 / 2000
UNREADABLE = 53


def fit_temperature(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """Return the temperature of the least cross entropy."""
    choices = np.geomspace(0.5, 3.0, 60)
    return float(min(choices, key=lambda t: float(nnf.cross_entropy(logits / t, truth))))


def fit_threshold(odds: torch.Tensor, truth: torch.Tensor) -> tuple[float, float, float]:
    """Return the least threshold at which few enough reads are wrong, the share read there, and the share wrong."""
    conf, said = odds.max(1)
    reads = said != UNREADABLE
    conf, wrong = conf[reads].numpy(), (said != truth)[reads].numpy()
    order = np.argsort(-conf)
    share = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(share <= WRONG)
    last = int(good[-1]) if len(good) else 0
    threshold = float(np.ceil(conf[order[last]] * 1e5) / 1e5)
    return threshold, (last + 1) / max(1, int((truth != UNREADABLE).sum())), float(share[last])


def main() -> None:
    """Write weights, manifest entry, and what was fitted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE / "weights.onnx")
    parser.add_argument("--threshold", type=float, help="a default threshold instead of the fitted one")
    a = parser.parse_args()
    model = CardReader()
    model.load_state_dict(torch.load(a.run / "last.pt", weights_only=True)["model"])
    logits, truth = evaluate(model, *load(a.valid))
    temperature = fit_temperature(logits, truth)
    threshold, share, wrong = fit_threshold(torch.softmax(logits / temperature, 1), truth)
    right = float((logits.argmax(1) == truth).float().mean())
    print(
        f"crops {len(truth)} right {right:.4f}; temperature {temperature:.3f}; at threshold {threshold:.5f} "
        f"{share:.4f} are read, {wrong:.5f} of them wrong"
    )
    sample = torch.zeros(2, 112, 80, 3, dtype=torch.uint8)
    torch.onnx.export(
        model,
        (sample,),
        str(a.out),
        input_names=["crops"],
        output_names=["logits", "embeddings"],
        dynamo=False,
        opset_version=17,
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}, "embeddings": {0: "n"}},
    )
    if a.out.parent == HERE:
        write_entry(
            "card_reader",
            a.out,
            {"temperature": round(temperature, 4), "threshold": a.threshold or min(threshold, 0.9999)},
        )


if __name__ == "__main__":
    main()
