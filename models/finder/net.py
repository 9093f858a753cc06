"""The finder's network: heat at the middle of things, and around each middle its shape.

A card is written without naming its corners, because which corner comes first jumps when a card turns and a network
cannot jump. With u and v the half axes along the long and the short side, the outputs are the matrices u uT / |u| and
v vT / |v| (three numbers each, the same for u and -u), the offset of the middle, and the gradient of perspective.
Together these give the exact quad of a flat card in perspective. Stacks, hands and decks get an upright box.

All work is done at an eighth of the input or less; the maps are at a quarter, fine enough to part the cards of a fan,
and leave the network folded (four cells in four channels): unfolding all of them would cost as much as a third of the
network, and at run time only the heat is wanted everywhere.
"""

import torch
from torch import nn

HEAT = ("face", "back", "stack", "hand", "deck")
SHAPE = 10  # offset 2, long axis 3, short axis 3, perspective 2
BOX = 4  # left, top, right, bottom
CHANNELS = len(HEAT) + SHAPE + BOX
STRIDE = 4
UNIT = 32.0  # pixels; axes and boxes are given in it
TILT_UNIT = 1 / 1024.0  # perspective gradients are given in it


def _conv(cin: int, cout: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """A bottleneck with a residual."""

    def __init__(self, channels: int, inner: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(channels, inner, 1), _conv(inner, channels, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


class Finder(nn.Module):
    """Pictures (N, H, W, 3) BGR 0..255, sides multiples of 32, to folded maps (N, 76, H / 8, W / 8)."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.stem = nn.Sequential(
            nn.Conv2d(3, w, 6, 4, 1, bias=False), nn.BatchNorm2d(w), nn.ReLU(inplace=True)
        )
        self.eighth = nn.Sequential(_conv(w, 2 * w, 3, 2), _Block(2 * w, w))
        self.sixteenth = nn.Sequential(_conv(2 * w, 4 * w, 3, 2), _Block(4 * w, 2 * w), _Block(4 * w, 2 * w))
        self.coarse = nn.Sequential(_conv(4 * w, 8 * w, 3, 2), _Block(8 * w, 4 * w), _Block(8 * w, 4 * w))
        self.up16 = _conv(8 * w, 4 * w, 1)
        self.mix16 = _Block(4 * w, 2 * w)
        self.up8 = _conv(4 * w, 3 * w, 1)
        self.side8 = _conv(2 * w, 3 * w, 1)
        self.mix8 = _Block(3 * w, w)
        self.head = nn.Conv2d(3 * w, CHANNELS * 4, 1)
        with torch.no_grad():
            self.stem[0].weight /= 64  # pixels come in as 0..255; a separate division would cost 0.6 ms
        nn.init.normal_(self.head.weight, 0, 0.02)
        nn.init.zeros_(self.head.bias)
        with torch.no_grad():
            self.head.bias[: len(HEAT) * 4] = -4.6

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        x = pictures.permute(0, 3, 1, 2).float()
        eighth = self.eighth(self.stem(x))
        sixteenth = self.sixteenth(eighth)
        coarse = self.up16(self.coarse(sixteenth))
        x = self.mix16(sixteenth + nn.functional.interpolate(coarse, scale_factor=2.0, mode="nearest"))
        x = self.side8(eighth) + nn.functional.interpolate(self.up8(x), scale_factor=2.0, mode="nearest")
        return self.head(self.mix8(x))


def unfold(maps: torch.Tensor) -> torch.Tensor:
    """Folded maps (N, 76, h, w) to (N, 19, 2 h, 2 w)."""
    return nn.functional.pixel_shuffle(maps, 2)
