"""The card reader's network: small dense convolutions, which a CPU likes better than depthwise ones."""

import torch
from torch import nn

CLASSES = 54
EMBEDDING = 96


def _conv(cin: int, cout: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(cin, cout, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    """A bottleneck with a residual."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(channels, channels // 2, 1), _conv(channels // 2, channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


class CardReader(nn.Module):
    """Crops (N, 112, 80, 3) BGR 0..255 to logits (N, 54) and an embedding (N, 96) for enrolled decks."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 16, stride=2),
            _conv(16, 32, stride=2),
            _Residual(32),
            _conv(32, 64, stride=2),
            _Residual(64),
            _Residual(64),
            _conv(64, 128, stride=2),
            _Residual(128),
        )
        with torch.no_grad():
            self.body[0][0].weight /= 64  # pixels come in as 0..255
        self.embed = nn.Sequential(nn.Linear(256, EMBEDDING), nn.BatchNorm1d(EMBEDDING))
        self.head = nn.Linear(EMBEDDING, CLASSES)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = crops.permute(0, 3, 1, 2).float()
        x = self.body(x)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        embedding = self.embed(pooled)
        return self.head(torch.relu(embedding)), embedding
