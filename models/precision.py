"""Half precision where the processor has it: on a CPU without bf16 instructions it is ten times slower, not faster."""

from contextlib import AbstractContextManager
from pathlib import Path

import torch


def has_bf16() -> bool:
    """Tell whether this CPU computes in bf16."""
    info = Path("/proc/cpuinfo")
    return info.is_file() and "avx512_bf16" in info.read_text()


def autocast() -> AbstractContextManager[None]:
    """Return bf16 autocast if it helps here, else a context that does nothing."""
    return torch.autocast("cpu", torch.bfloat16, enabled=has_bf16())
