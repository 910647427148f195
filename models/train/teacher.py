"""all-MiniLM-L6-v2 in plain torch: word pieces in, normalised mean-pooled vectors of 384 numbers out."""

import numpy as np
import torch
import torch.nn.functional as F

HEADS, LAYERS, SIZE = 12, 6, 384
CLS, SEP = 101, 102


def load_teacher(path, device):
    stored = np.load(path)
    kind = torch.float16 if device == "cuda" else torch.float32
    weights = {name: torch.from_numpy(stored[name]).to(device, kind) for name in stored.files if not name.startswith("words.")}
    words = torch.from_numpy(stored["words.int8"]).float() * torch.from_numpy(stored["words.scale"])[:, None]
    weights["embeddings.word_embeddings.weight"] = words.to(device, kind)
    return weights


@torch.no_grad()
def encode(weights, rows, device, budget=131072):
    """Vectors of `rows` (arrays of word-piece ids without [CLS] and [SEP], at most 126 each), in order, on the device."""
    lengths = np.array([len(row) for row in rows])
    order = np.argsort(-lengths, kind="stable")
    vectors = torch.empty((len(rows), SIZE), device=device)
    start = 0
    while start < len(order):
        width = int(lengths[order[start]]) + 2
        width += -width % 8
        chosen = order[start:start + max(1, budget // width)]
        ids = np.zeros((len(chosen), width), np.int64)
        for line, index in enumerate(chosen):
            row = rows[index]
            ids[line, 0], ids[line, 1:len(row) + 1], ids[line, len(row) + 1] = CLS, row, SEP
        counts = torch.from_numpy(lengths[chosen] + 2).to(device)
        vectors[torch.from_numpy(chosen).to(device)] = forward(weights, torch.from_numpy(ids).to(device), counts)
        start += len(chosen)
    return vectors


def forward(weights, ids, counts):
    linear = lambda x, name: F.linear(x, weights[name + ".weight"], weights[name + ".bias"])
    norm = lambda x, name: F.layer_norm(x, (SIZE,), weights[name + ".weight"], weights[name + ".bias"], 1e-12)
    batch, width = ids.shape
    mask = torch.arange(width, device=ids.device)[None, :] < counts[:, None]
    state = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:width]
    state = norm(state + weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    heads = lambda x: x.view(batch, width, HEADS, SIZE // HEADS).transpose(1, 2)
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        query, key, value = (heads(linear(state, f"{name}attention.self.{part}")) for part in ("query", "key", "value"))
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        mixed = linear(mixed.transpose(1, 2).reshape(batch, width, SIZE), name + "attention.output.dense")
        state = norm(state + mixed, name + "attention.output.LayerNorm")
        inner = F.gelu(linear(state, name + "intermediate.dense"))
        state = norm(state + linear(inner, name + "output.dense"), name + "output.LayerNorm")
    kept = mask[:, :, None].float()
    return F.normalize((state.float() * kept).sum(1) / kept.sum(1), dim=1)
