"""Convert the generic hand of @webxr-input-profiles/assets (MIT) to simulator/render/data/hand.npz.

    python scripts/convert_hand.py LEFT.glb simulator/render/data/hand.npz

Only the left hand is kept; the right one is its mirror image. Units become mm, in the frame of
`simulator.render.limbs`: fingers along +y, palm down (-z), origin at the wrist.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import numpy as np

FINGERS = ("thumb", "index-finger", "middle-finger", "ring-finger", "pinky-finger")
PARTS = ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")


def main(source: str, target: str) -> None:
    """Read the model and write its arrays."""
    data = Path(source).read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    gltf = json.loads(data[20 : 20 + length])
    body = data[28 + length :]
    kinds = {5126: np.float32, 5123: np.uint16, 5121: np.uint8}
    sizes = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def accessor(index: int) -> np.ndarray:
        entry = gltf["accessors"][index]
        view = gltf["bufferViews"][entry["bufferView"]]
        start = view.get("byteOffset", 0) + entry.get("byteOffset", 0)
        count = entry["count"] * sizes[entry["type"]]
        return np.frombuffer(body, kinds[entry["componentType"]], count, start).reshape(entry["count"], -1)

    mesh = gltf["meshes"][0]["primitives"][0]
    names = [gltf["nodes"][n]["name"] for n in gltf["skins"][0]["joints"]]
    order = ["wrist"] + [f"{f}-{p}" for f in FINGERS for p in PARTS if f"{f}-{p}" in names]
    where = {node["name"]: node["translation"] for node in gltf["nodes"] if "translation" in node}
    turn = np.array([(0, 0, -1), (0, -1, 0), (-1, 0, 0)], np.float64)
    origin = np.array(where["wrist"])
    joints = (np.array([where[n] for n in order]) - origin) @ turn.T * 1000
    vertices = (accessor(mesh["attributes"]["POSITION"]) - origin) @ turn.T * 1000
    weights = np.zeros((len(vertices), len(order)))
    index, weight = accessor(mesh["attributes"]["JOINTS_0"]), accessor(mesh["attributes"]["WEIGHTS_0"])
    for column in range(4):
        for vertex, (joint, share) in enumerate(zip(index[:, column], weight[:, column], strict=True)):
            weights[vertex, order.index(names[joint])] += share
    weights /= weights.sum(1, keepdims=True)
    np.savez_compressed(
        target,
        vertices=vertices.astype(np.float32),
        triangles=accessor(mesh["indices"]).ravel().astype(np.uint16),
        weights=(weights * 255).round().astype(np.uint8),
        joints=joints.astype(np.float32),
        names=np.array(order),
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
