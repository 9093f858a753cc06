"""Export the stack reader and fit its confidence: python -m models.stack_reader.export --run DIR --valid DIR.

Fits the temperature, and the threshold at which at most 1 read in 200 of strips never trained on is wrong.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as nnf

from models.manifest import write_entry
from models.stack_reader.net import StackReader
from models.stack_reader.train import evaluate, load, report

HERE = Path(__file__).resolve().parent
WRONG = 1 / 200


def fit(found: dict[str, torch.Tensor]) -> tuple[float, float, float]:
    """Return temperature, threshold, and the share of readable strips that is read there."""
    chips = found["chips"]
    true, layers = (chips >= 0).sum(1), chips >= 0
    choices = np.geomspace(0.6, 3.0, 40)

    def entropy(t: float) -> float:
        colours = nnf.cross_entropy(found["colours"][layers] / t, chips[layers])
        return float(nnf.cross_entropy(found["counts"] / t, true) + colours)

    t = float(min(choices, key=entropy))
    odds, colours = torch.softmax(found["counts"] / t, 1), torch.softmax(found["colours"] / t, 2)
    said = odds.argmax(1)
    inside = torch.arange(chips.shape[1])[None] < said[:, None]
    sure = torch.where(inside, colours.max(2).values, torch.ones(())).prod(1) * odds.max(1).values
    same = torch.where(inside, colours.argmax(2) == chips, torch.tensor(True)).all(1) & (said == true)
    reads = said > 0
    conf, wrong = sure[reads].numpy(), ~same[reads].numpy()
    order = np.argsort(-conf)
    share = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    last = int(np.flatnonzero(share <= WRONG)[-1]) if (share <= WRONG).any() else 0
    return t, float(conf[order[last]]), (last + 1) / int((true > 0).sum())


def main() -> None:
    """Write weights and their entry in the manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE / "weights.onnx")
    a = parser.parse_args()
    model = StackReader()
    model.load_state_dict(torch.load(a.run / "last.pt", weights_only=True)["model"])
    found = evaluate(model, load([a.valid]))
    temperature, threshold, share = fit(found)
    print(report(found))
    print(
        f"temperature {temperature:.3f}; at threshold {threshold:.4f} {share:.4f} of readable strips are read"
    )
    sample = (torch.zeros(2, 128, 32, 3, dtype=torch.uint8), torch.zeros(5, 9))
    torch.onnx.export(
        model.eval(),
        sample,
        str(a.out),
        input_names=["strips", "chips"],
        output_names=["counts", "colours", "shifts"],
        dynamo=False,
        opset_version=17,
        dynamic_axes={
            "strips": {0: "n"}, "chips": {0: "k"}, "counts": {0: "n"}, "colours": {0: "n", 2: "k"}, "shifts": {0: "n"},
        },
    )  # fmt: skip
    if a.out.parent == HERE:
        settings = {"temperature": round(temperature, 4), "threshold": round(min(threshold, 0.999), 4)}
        write_entry("stack_reader", a.out, settings)


if __name__ == "__main__":
    main()
