"""Writes the trained weights as `models/reader.bin`, for `src/reading/weights.ts`.

    export.py WEIGHTS.pt MINILM_FOLDER OUT.bin TEXT_FILES…

Matrices become whole numbers with one step a row. Fewer levels than eight bits allow make the file smaller after
compression and cost no measurable quality. Of the vocabulary only pieces that the given texts use are kept, and every
single character: rarer words are spelt with shorter pieces.
"""
import collections
import gzip
import json
import struct
import sys

import numpy as np
import torch

from train import tokenizer_of

LEVELS, WORD_LEVELS, VOCABULARY = 24, 12, 16000
LAYERS, WIDTH, INNER, HEADS, POSITIONS = 6, 384, 1536, 12, 144


def quantised(matrix, levels):
    """Rows of whole numbers and what one step of each is worth; the best of several ranges by squared error."""
    most = np.abs(matrix).max(axis=1, keepdims=True) + 1e-12
    best, error = None, None
    for share in (1.0, 0.9, 0.8, 0.7):
        step = most * share / levels
        codes = np.clip(np.round(matrix / step), -levels, levels)
        off = ((codes * step - matrix) ** 2).sum(axis=1, keepdims=True)
        if best is None:
            best, steps, error = codes, step, off
        else:
            better = off < error
            best, steps, error = np.where(better, codes, best), np.where(better, step, steps), np.minimum(off, error)
    return best.astype(np.int8), steps[:, 0].astype(np.float32)


def kept_pieces(tokenizer, paths):
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    counts = collections.Counter()
    for path in paths:
        lines = open(path, encoding="utf8").read().split("\n")
        for row in tokenizer.encode_batch([line[:2000] for line in lines if line], add_special_tokens=False):
            counts.update(row.ids)
    always = {i for piece, i in vocabulary if len(piece.removeprefix("##")) == 1 or piece in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")}
    common = [i for i, _ in counts.most_common() if i not in always]
    chosen = sorted(always | set(common[: VOCABULARY - len(always)]))
    names = {i: piece for piece, i in vocabulary}
    return chosen, [names[i] for i in chosen]


def write(path, state, chosen, pieces):
    data, tensors = bytearray(), {}

    def put(name, array):
        data.extend(b"\0" * (-len(data) % 16))
        tensors[name] = {"at": len(data), "bytes": array.nbytes}
        data.extend(array.tobytes())

    def matrix(name, weight, bias, levels=LEVELS):
        codes, steps = quantised(weight, levels)
        put(name, codes)
        put(f"{name}.steps", steps)
        put(f"{name}.bias", bias.astype(np.float32))

    get = lambda name: state[name].float().numpy()
    at = "encoder.embeddings"
    codes, steps = quantised(get(f"{at}.word_embeddings.weight")[chosen], WORD_LEVELS)
    put("words", codes)
    put("words.steps", steps)
    put("places", get(f"{at}.position_embeddings.weight")[:POSITIONS])
    put("kinds", get(f"{at}.token_type_embeddings.weight"))
    put("embedded.gain", get(f"{at}.LayerNorm.weight"))
    put("embedded.shift", get(f"{at}.LayerNorm.bias"))
    sources = [(str(layer), f"encoder.encoder.layer.{layer}") for layer in range(LAYERS)] + [("tagging", "tagging")]
    for layer, at in sources:
        parts = [f"{at}.attention.self.{name}" for name in ("query", "key", "value")]
        matrix(f"{layer}.qkv", np.concatenate([get(f"{p}.weight") for p in parts]), np.concatenate([get(f"{p}.bias") for p in parts]))
        for name, source in (("mixed", "attention.output"), ("wide", "intermediate"), ("narrow", "output")):
            matrix(f"{layer}.{name}", get(f"{at}.{source}.dense.weight"), get(f"{at}.{source}.dense.bias"))
            if name != "wide":
                put(f"{layer}.{name}.gain", get(f"{at}.{source}.LayerNorm.weight"))
                put(f"{layer}.{name}.shift", get(f"{at}.{source}.LayerNorm.bias"))
    names = ("span", "relevance", "tags", "states", "others", "subjects")
    weight = np.concatenate([get(f"{n}.weight") for n in names])
    bias = np.concatenate([get(f"{n}.bias") for n in names])
    rows = -(-len(weight) // 4) * 4
    weight = np.concatenate([weight, np.zeros((rows - len(weight), WIDTH), np.float32)])
    bias = np.concatenate([bias, np.zeros(rows - len(bias), np.float32)])
    matrix("outputs", weight, bias, levels=127)
    header = {"layers": LAYERS, "heads": HEADS, "width": WIDTH, "inner": INNER, "positions": POSITIONS, "outputs": rows, "vocabulary": pieces, "tensors": tensors}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    body = b"TKR1" + struct.pack("<I", len(text)) + text
    body += b"\0" * (-len(body) % 16) + bytes(data)
    packed = gzip.compress(body, 9, mtime=0)
    open(path, "wb").write(packed)
    print(f"{len(body)} bytes, {len(packed)} packed, {len(pieces)} pieces, {rows} outputs")


if __name__ == "__main__":
    weights, minilm, out, *texts = sys.argv[1:]
    chosen, pieces = kept_pieces(tokenizer_of(minilm), texts)
    write(out, torch.load(weights, map_location="cpu"), chosen, pieces)
