"""The aligner's network: one crop of a proposal to its kind and its corners."""

import torch
from torch import nn

KINDS = 3  # face, back, no card


def _conv(cin: int, cout: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
    )


class Aligner(nn.Module):
    """Crops (N, 64, 64, 3) BGR 0..255 to logits (N, 3) and corner moves (N, 8) in crop units.

    Corners need to know where in the crop a feature is, so the last map is flattened, not pooled.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, 2),
            _conv(16, 32, 2),
            _conv(32, 32),
            _conv(32, 64, 2),
            _conv(64, 64),
            _conv(64, 64, 2),
        )
        with torch.no_grad():
            self.body[0][0].weight /= 64  # pixels come in as 0..255
        self.mix = nn.Sequential(nn.Flatten(), nn.Linear(64 * 16, 160), nn.ReLU(inplace=True))
        self.kind = nn.Linear(160, KINDS)
        self.corners = nn.Linear(160, 8)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.mix(self.body(crops.permute(0, 3, 1, 2).float()))
        return self.kind(x), self.corners(x)
