"""Writes the trained weights as `models/reader.bin`, for `src/reading/encoder.ts`.

    export.py WEIGHTS.pt PIECES.json OUT.bin [QUALITY]

Matrices become whole numbers with one step a row: the few levels that the model was trained to work with, which is what
makes the file small after compression. QUALITY is that of Brotli, 11 unless it is given; less is for trying the scripts.
"""
import json
import struct
import sys

import brotli
import numpy as np
import torch

from model import DIMENSIONS, HEADS, INNER, OUTPUTS, POSITIONS, WIDTH, steps_of
from train import LEVELS


def quantised(matrix, levels):
    """Rows of whole numbers and what one step of each is worth."""
    matrix = torch.tensor(matrix)
    steps = steps_of(matrix, levels)
    codes = (matrix / steps).round().clamp(-levels, levels)
    return codes.numpy().astype(np.int8), steps[:, 0].numpy().astype(np.float32)


def write(path, state, pieces, quality=11):
    data, tensors = bytearray(), {}
    layers = 1 + max(int(name.split(".")[2]) for name in state if name.startswith("encoder.layers."))
    own = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("tagging."))

    def put(name, array):
        data.extend(b"\0" * (-len(data) % 16))
        tensors[name] = {"at": len(data), "bytes": array.nbytes}
        data.extend(array.tobytes())

    def matrix(name, weight, bias, levels=LEVELS[0]):
        codes, steps = quantised(weight, levels)
        put(name, codes)
        put(f"{name}.steps", steps)
        put(f"{name}.bias", bias.astype(np.float32))

    get = lambda name: state[name].float().numpy()
    codes, steps = quantised(get("encoder.words"), LEVELS[1])
    put("words", codes)
    put("words.steps", steps)
    put("places", get("encoder.places")[:POSITIONS])
    put("kinds", get("encoder.kinds"))
    put("embedded.gain", get("encoder.norm.weight"))
    put("embedded.shift", get("encoder.norm.bias"))
    sources = [(str(layer), f"encoder.layers.{layer}") for layer in range(layers)]
    sources += [(f"tagging.{layers - own + layer}", f"tagging.{layer}") for layer in range(own)]
    for layer, at in sources:
        for name in ("qkv", "mixed", "wide", "narrow"):
            matrix(f"{layer}.{name}", get(f"{at}.{name}.weight"), get(f"{at}.{name}.bias"))
            if name in ("mixed", "narrow"):
                put(f"{layer}.{name}.gain", get(f"{at}.{name}_norm.weight"))
                put(f"{layer}.{name}.shift", get(f"{at}.{name}_norm.bias"))
    weight = np.concatenate([get(f"{n}.weight") for n in OUTPUTS])
    bias = np.concatenate([get(f"{n}.bias") for n in OUTPUTS])
    rows = -(-len(weight) // 4) * 4
    weight = np.concatenate([weight, np.zeros((rows - len(weight), WIDTH), np.float32)])
    bias = np.concatenate([bias, np.zeros(rows - len(bias), np.float32)])
    matrix("outputs", weight, bias, levels=127)
    matrix("search", get("search.weight"), get("search.bias"), levels=127)
    header = {"layers": layers, "early": layers // 2, "heads": HEADS, "width": WIDTH, "inner": INNER, "positions": POSITIONS, "outputs": rows, "search": {"layers": layers - own, "dimensions": DIMENSIONS}, "vocabulary": pieces, "tensors": tensors}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    body = b"TKR1" + struct.pack("<I", len(text)) + text
    body += b"\0" * (-len(body) % 16) + bytes(data)
    packed = brotli.compress(body, quality=quality, lgwin=24)
    open(path, "wb").write(packed)
    print(f"{len(body)} bytes, {len(packed)} packed, {len(pieces)} pieces, {rows} outputs")


if __name__ == "__main__":
    weights, pieces, out, *quality = sys.argv[1:]
    write(out, torch.load(weights, map_location="cpu"), json.load(open(pieces, encoding="utf8")), *map(int, quality))
