"""Measure the stack reader on stills of the bets camera: python -m models.stack_reader.measure --stills DIR.

Stacks are looked for at their true boxes, each edge two pixels off (standard deviation), so that the figures are the
reader's own and not the finder's. Writes `metrics.json` beside this file.
"""

import argparse
import json
from pathlib import Path

from vision.stack_figures import measure_stacks

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stills", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE / "metrics.json")
    a = parser.parse_args()
    figures = measure_stacks(a.stills).figures()
    for name, value in figures.items():
        print(f"{name:15} {value}")
    a.out.write_text(json.dumps({"test": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
