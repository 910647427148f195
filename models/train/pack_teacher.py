"""Make the teacher light enough to carry: its word embeddings as int8 with one scale per row, the rest as it is (fp16).

    python pack_teacher.py --model model.fp16.safetensors --out teacher.npz
"""

import argparse
import json

import numpy as np

KINDS = {"F16": np.float16, "F32": np.float32, "I64": np.int64}
WORDS = "embeddings.word_embeddings.weight"


def read_safetensors(path):
    data = open(path, "rb").read()
    size = int.from_bytes(data[:8], "little")
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            values = np.frombuffer(data[8 + size + begin:8 + size + end], KINDS[entry["dtype"]])
            yield name, values.reshape(entry["shape"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    tensors = dict(read_safetensors(arguments.model))
    words = tensors.pop(WORDS).astype(np.float32)
    scales = np.maximum(np.abs(words).max(1), 1e-8) / 127
    tensors["words.int8"] = np.rint(words / scales[:, None]).astype(np.int8)
    tensors["words.scale"] = scales.astype(np.float32)
    np.savez(arguments.out, **{name: value for name, value in tensors.items() if "position_ids" not in name})
