"""Export the aligner: python -m models.aligner.export --run DIR."""

import argparse
from pathlib import Path

import torch

from models.aligner.net import Aligner
from models.manifest import write_entry

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Write the weights and their line in the manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE / "weights.onnx")
    a = parser.parse_args()
    model = Aligner()
    model.load_state_dict(torch.load(a.run / "last.pt", weights_only=True)["model"])
    model.eval()
    sample = torch.zeros(2, 64, 64, 3, dtype=torch.uint8)
    torch.onnx.export(
        model,
        (sample,),
        str(a.out),
        input_names=["crops"],
        output_names=["kinds", "moves"],
        dynamo=False,
        opset_version=17,
        dynamic_axes={"crops": {0: "n"}, "kinds": {0: "n"}, "moves": {0: "n"}},
    )
    if a.out.parent == HERE:
        write_entry("aligner", a.out)


if __name__ == "__main__":
    main()
