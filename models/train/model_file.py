"""Writes the model as src/embeddings/static/embed.ts reads it; models/README.md describes the format."""

import hashlib
import re
import struct

import numpy as np

NEVER_SEEN = re.compile(r"\[(PAD|UNK|CLS|SEP|MASK|unused\d+)\]")


def write_model(folder, name, tokenizer, rows, scales, once):
    """model-<name>.bin and, the same for all variants, vocab.txt. Pieces no text can have are left out of both."""
    entries = sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])
    kept = [(piece, index) for piece, index in entries if not NEVER_SEEN.fullmatch(piece)]
    where = np.array([index for _, index in kept])
    vocabulary = "".join(piece + "\n" for piece, _ in kept).encode()
    body = scales[where].astype("<f4").tobytes() + rows[where].astype(np.int8).tobytes()
    digest = hashlib.sha256(body + vocabulary).digest()
    flags = 1 if once else 0
    header = b"TKSTATIC" + struct.pack("<IIII", 1, len(kept), rows.shape[1], flags) + digest + bytes(8)
    assert len(header) == 64
    (folder / f"model-{name}.bin").write_bytes(header + body)
    (folder / "vocab.txt").write_bytes(vocabulary)
