"""Convert the generic hand of `@webxr-input-profiles/assets` (MIT) into `simulator/render/hand.npz`.

    python scripts/make_hand.py package/dist/profiles/generic-hand/right.glb

Only the right hand is kept: the left is its mirror image.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np

OUT = Path(__file__).parents[1] / "simulator" / "render" / "hand.npz"
KINDS = {5126: np.float32, 5123: np.uint16, 5121: np.uint8}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def main(path: Path) -> None:
    """Read the arrays out of the binary glTF and save what the renderer needs."""
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    scene = json.loads(data[20 : 20 + length])
    blob = data[20 + length + 8 :]

    def array(index: int) -> np.ndarray:
        accessor = scene["accessors"][index]
        view = scene["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        width = WIDTHS[accessor["type"]]
        flat = np.frombuffer(blob, KINDS[accessor["componentType"]], accessor["count"] * width, start)
        return flat.reshape(-1, width) if width > 1 else flat

    part = scene["meshes"][0]["primitives"][0]
    names = part["attributes"]
    joints = [scene["nodes"][index] for index in scene["skins"][0]["joints"]]
    np.savez_compressed(
        OUT,
        positions=array(names["POSITION"]),
        normals=array(names["NORMAL"]),
        joints=array(names["JOINTS_0"]),
        weights=array(names["WEIGHTS_0"]),
        indices=array(part["indices"]).reshape(-1, 3),
        names=np.array([joint["name"] for joint in joints]),
        translations=np.array([joint["translation"] for joint in joints], np.float32),
        rotations=np.array([joint["rotation"] for joint in joints], np.float32),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
