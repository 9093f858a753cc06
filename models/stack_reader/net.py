"""The stack reader's network: a strip of one unrolled stack and the table's chip set in, count and chips out.

Nothing about a chip set is learnt: each chip of the set is described by its colours, and a layer's features are
compared with that description. How high the stack is comes from sums along the strip, the same at every height: slot
by slot the network says "a chip" and "the top is here", so a stack of 17 costs no more examples than one of 3.
"""

import torch
from torch import nn

SLOTS, BELOW, MOST = 32, 3, 21
CHIP = 9
"""Numbers that describe a chip: body, edge spots and inlay as RGB 0..1."""
FEATURES, MATCH = 80, 48


def _conv(cin: int, cout: int, stride: tuple[int, int] = (1, 1)) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
    )


class _Along(nn.Module):
    """A residual along the strip."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(channels, channels, 5, 1, 2, bias=False),
            nn.BatchNorm1d(channels),
            nn.ReLU(inplace=True),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


class StackReader(nn.Module):
    """Strips (N, 128, 32, 3) BGR 0..255 and chips (K, 9) to counts (N, 22), colours (N, 21, K) and shifts (N, 2).

    `counts` are logits of "cannot be read" and of 1..21 chips, `colours` logits of each layer from the bottom,
    `shifts` where the foot really is: sideways in radii, upwards in chips.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, (1, 2)), _conv(24, 32, (2, 2)), _conv(32, 32), _conv(32, 64, (2, 2)), _conv(64, 64)
        )
        with torch.no_grad():
            self.body[0][0].weight /= 64  # pixels come in as 0..255
        self.flat = nn.Sequential(
            nn.Conv2d(64, FEATURES, (1, 4), bias=False), nn.BatchNorm2d(FEATURES), nn.ReLU(inplace=True)
        )
        self.along = nn.Sequential(_Along(FEATURES), _Along(FEATURES), _Along(FEATURES))
        self.rims = nn.Conv1d(FEATURES, 2, 1)
        self.layers = nn.Conv1d(2 * FEATURES, MATCH, 1)
        self.describe = nn.Sequential(nn.Linear(CHIP, 64), nn.ReLU(inplace=True), nn.Linear(64, MATCH))
        self.unread = nn.Linear(2 * FEATURES, 1)
        self.foot = nn.Sequential(nn.Linear(FEATURES * 12, 48), nn.ReLU(inplace=True), nn.Linear(48, 2))

    def forward(
        self, strips: torch.Tensor, chips: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        x = strips.permute(0, 3, 1, 2).float()
        flat = self.flat(self.body(x)).squeeze(3).flip(2)  # (N, F, 32), from below the foot upwards
        deep = self.along(flat)
        rims = self.rims(deep)[:, :, BELOW : BELOW + MOST + 1]
        inside = rims[:, 0, :MOST].cumsum(1)
        counts = inside + rims[:, 1, 1 : MOST + 1]
        unread = self.unread(torch.cat([deep.mean(2), deep.amax(2)], 1))
        layer = self.layers(torch.cat([flat, deep], 1)[:, :, BELOW : BELOW + MOST])
        how = "nml,km->nlk" if chips.dim() == 2 else "nml,nkm->nlk"  # in training each strip has its own set
        colours = torch.einsum(how, layer, self.describe(chips)) / MATCH**0.5
        return torch.cat([unread, counts], 1), colours, self.foot(deep[:, :, :12].flatten(1))
