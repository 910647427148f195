"""Figures of a trained model on the lives and messages that were kept for validation.

    validate.py WEIGHTS.pt MINILM_FOLDER CORPUS_FOLDER [--levels LAYERS WORDS]

With `--levels` the matrices are rounded as `export.py` rounds them, so that the figures are those of the shipped file.
"""
import json
import sys

import numpy as np
import torch

from export import quantised
from labels import RELATIONS, STATES
from model import Reader, load_encoder
from own import own_rows
from train import tokenizer_of


def rounded(model, layers, words):
    for name, value in model.state_dict().items():
        if value.dim() == 2 and "LayerNorm" not in name and "position" not in name and "token_type" not in name:
            levels = words if "word_embeddings" in name else layers if name.startswith(("encoder.", "tagging.")) else 127
            codes, steps = quantised(value.numpy(), levels)
            value.copy_(torch.tensor(codes.astype(np.float32) * steps[:, None]))


def auc(labels, scores):
    order = np.argsort(scores)
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    positive = np.array(labels) == 1
    n = positive.sum()
    return (ranks[positive].sum() - n * (n + 1) / 2) / (n * (len(labels) - n))


def runs(tags):
    found, begin = [], None
    for i, tag in enumerate(list(tags) + [0]):
        if begin is not None and (tag == 0 or tag % 2 == 1):
            found.append((begin, i, (tags[begin] - 1) // 2))
            begin = None
        if tag != 0 and begin is None:
            begin = i
    return found


@torch.no_grad()
def figures(model, rows):
    model.eval()
    read = sorted((r for r in rows if r["kind"] == "read"), key=lambda r: len(r["ids"]))
    tag = sorted((r for r in rows if r["kind"] == "tag"), key=lambda r: len(r["ids"]))
    relevance, overlaps = [], []
    for at in range(0, len(read), 32):
        batch = read[at : at + 32]
        spans, scores = model.read(batch)
        relevance += scores.tolist()
        for row, span in zip(batch, spans):
            if row["relevant"] < 1:
                continue
            first = row["first"]
            size = len(row["ids"]) - first - 1
            s, e = span[first : first + size, 0], span[first : first + size, 1]
            pairs = (s[:, None] + e[None, :]).masked_fill(torch.ones(size, size).triu().tril(23) == 0, -1e9)
            best = int(pairs.argmax())
            begin, end = first + best // size, first + best % size
            overlaps.append(begin <= row["span"][1] and end >= row["span"][0])
    counts = {"right": 0, "found": 0, "wanted": 0, "relation": 0, "state": 0, "other": 0, "matched": 0}
    for at in range(0, len(tag), 32):
        batch = tag[at : at + 32]
        below, mask = model.below(batch)
        states = model.tag(below, mask)
        tags, kinds, others = model.tags(states).argmax(-1), model.states(states), model.others(states)[..., 0]
        for i, row in enumerate(batch):
            first, last = row["first"], len(row["ids"]) - 1
            made = runs(tags[i, first:last].tolist())
            wanted = runs(row["tags"][first:last])
            counts["found"] += len(made)
            counts["wanted"] += len(wanted)
            for begin, end, relation in made:
                match = [w for w in wanted if begin < w[1] and w[0] < end]
                if not match:
                    continue
                counts["right"] += 1
                counts["relation"] += match[0][2] == relation
                place = first + match[0][0]
                counts["state"] += int(kinds[i, place].argmax()) == row["states"][place]
                counts["other"] += bool(others[i, place] > 0) == (row["others"][place] == 1)
            counts["matched"] += sum(any(b < w[1] and w[0] < e for b, e, _ in made) for w in wanted)
    share = lambda a, b: round(a / max(1, b), 3)
    return {
        "windows": len(read),
        "relevance_auc": round(float(auc([r["relevant"] for r in read], relevance)), 3),
        "best_span_overlaps": share(sum(overlaps), len(overlaps)),
        "messages": len(tag),
        "facts_precision": share(counts["right"], counts["found"]),
        "facts_recall": share(counts["matched"], counts["wanted"]),
        "relation_right": share(counts["relation"], counts["right"]),
        "state_right": share(counts["state"], counts["right"]),
        "subject_right": share(counts["other"], counts["right"]),
    }


if __name__ == "__main__":
    weights, minilm, corpus = sys.argv[1:4]
    torch.set_num_threads(1)
    model = Reader(load_encoder(f"{minilm}/all-minilm-l6-v2.onnx"))
    model.load_state_dict(torch.load(weights, map_location="cpu"))
    if "--levels" in sys.argv:
        at = sys.argv.index("--levels")
        rounded(model, int(sys.argv[at + 1]), int(sys.argv[at + 2]))
    print(json.dumps(figures(model, own_rows(corpus, tokenizer_of(minilm), part="validation")), indent=2))
