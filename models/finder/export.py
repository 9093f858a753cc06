"""Export the finder: python -m models.finder.export --run DIR [--out models/finder/weights.onnx]."""

import argparse
from pathlib import Path

import torch

from models.finder.net import Finder
from models.manifest import write_entry

HERE = Path(__file__).resolve().parent


def load(checkpoint: Path) -> Finder:
    """Return the averaged network of a checkpoint, ready to run."""
    state = torch.load(checkpoint, weights_only=True)["average"]
    weights = {
        name.removeprefix("module."): value for name, value in state.items() if name.startswith("module.")
    }
    model = Finder(weights["stem.0.weight"].shape[0])
    model.load_state_dict(weights)
    return model.eval()


def main() -> None:
    """Write the weights and their line in the manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE / "weights.onnx")
    a = parser.parse_args()
    model = load(a.run / "last.pt")
    sample = torch.zeros(1, 544, 960, 3, dtype=torch.uint8)
    torch.onnx.export(
        model,
        (sample,),
        str(a.out),
        input_names=["pictures"],
        output_names=["maps"],
        dynamo=False,
        opset_version=17,
        dynamic_axes={"pictures": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}},
    )
    if a.out.parent == HERE:
        write_entry("finder", a.out)


if __name__ == "__main__":
    main()
