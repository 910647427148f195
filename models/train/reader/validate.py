"""Figures of a trained model on the lives and messages that were kept for validation.

    validate.py WEIGHTS.pt FOLDER [--device cuda]

The weights are rounded as `export.py` rounds them, so the figures are those of the shipped file.
"""
import collections
import json
import sys

import numpy as np
import torch

from lives import LANGUAGES

THRESHOLDS = (0.5, 0.65, 0.8)


def auc(labels, scores):
    order = np.argsort(scores)
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    positive = np.array(labels) == 1
    n = positive.sum()
    return float((ranks[positive].sum() - n * (n + 1) / 2) / max(1, n * (len(labels) - n)))


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
def figures(model, rows, whole=False):
    """One line while training; `whole` adds the languages."""
    model.eval()
    device = next(model.parameters()).device.type
    read = [r for pool in ("public", "reading") for r in rows.pools[pool]]
    tag = list(rows.pools["tagging"])
    by_length = lambda some: sorted(some, key=lambda r: rows.sizes[r])
    relevance, quick, labels, langs, overlaps, decided = [], [], [], [], collections.defaultdict(list), []
    ordered = by_length(read)
    for at in range(0, len(ordered), 64):
        chosen = np.array(ordered[at : at + 64])
        batch = rows.batch(chosen)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            made = model.read(batch)
        relevance += made["relevance"].tolist()
        quick += made["quick"].tolist()
        labels += batch["relevant"].tolist()
        langs += rows.lang[chosen].tolist()
        decided += [(yes > 0) == (wanted == 1) for yes, wanted in zip(made["polarity"].tolist(), batch["polarity"].tolist()) if wanted >= 0]
        spans, first, wanted = made["spans"].float().cpu(), batch["first"].tolist(), batch["span"].tolist()
        for i, row in enumerate(chosen):
            if labels[at + i] < 1:
                continue
            size = int(rows.sizes[row]) - first[i] - 1
            s, e = spans[i, first[i] : first[i] + size, 0], spans[i, first[i] : first[i] + size, 1]
            pairs = (s[:, None] + e[None, :]).masked_fill(torch.ones(size, size).triu().tril(23) == 0, -1e9)
            best = int(pairs.argmax())
            begin, end = first[i] + best // size, first[i] + best % size
            overlaps[rows.lang[row]].append(begin <= wanted[i][1] and end >= wanted[i][0])
    counts = collections.defaultdict(collections.Counter)
    ordered = by_length(tag)
    for at in range(0, len(ordered), 64):
        chosen = np.array(ordered[at : at + 64])
        batch = rows.batch(chosen)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            made = model.tag(batch)
        shares = made["tags"].float().softmax(-1).cpu().numpy()
        kinds, others = made["states"].argmax(-1).tolist(), (made["others"][..., 0] > 0).tolist()
        first, tags, states, about = (batch[n].tolist() for n in ("first", "tags", "states", "others"))
        for i, row in enumerate(chosen):
            a, b = first[i], int(rows.sizes[row]) - 1
            made_runs = runs(shares[i, a:b].argmax(-1).tolist())
            wanted = runs(tags[i][a:b])
            for least in (0, *THRESHOLDS):
                sure = [r for r in made_runs if 1 - shares[i, a + r[0] : a + r[1], 0].mean() >= least]
                for lang in ((least, -1), (least, int(rows.lang[row]))):
                    count = counts[lang]
                    count["found"] += len(sure)
                    count["wanted"] += len(wanted)
                    count["reached"] += sum(any(s < w[1] and w[0] < e for s, e, _ in sure) for w in wanted)
                    for begin, end, relation in sure:
                        match = next((w for w in wanted if begin < w[1] and w[0] < end), None)
                        if match is None:
                            continue
                        place = a + match[0]
                        count["right"] += 1
                        count["relation"] += match[2] == relation
                        count["state"] += kinds[i][place] == states[i][place]
                        count["other"] += others[i][place] == (about[i][place] == 1)
    share = lambda x, y: round(x / max(1, y), 3)
    facts = lambda c: [share(c["right"], c["found"]), share(c["reached"], c["wanted"])]
    plain = counts[0, -1]
    flat = [hit for found in overlaps.values() for hit in found]
    out = {
        "windows": len(labels),
        "relevance": round(auc(labels, relevance), 3),
        "quick": round(auc(labels, quick), 3),
        "span": share(sum(flat), len(flat)),
        "yes or no": [share(sum(decided), len(decided)), len(decided)],
        "messages": len(tag),
        "facts": {str(least): facts(counts[least, -1]) for least in (0, *THRESHOLDS)},
        "relation, state, subject": [share(plain[name], plain["right"]) for name in ("relation", "state", "other")],
    }
    if whole:
        langs = np.array(langs)
        out["languages"] = {}
        for place, code in enumerate(LANGUAGES):
            here = langs == place
            if here.any():
                some = overlaps[place]
                out["languages"][code] = [
                    round(auc(np.array(labels)[here], np.array(relevance)[here]), 3),
                    share(sum(some), len(some)),
                    *facts(counts[0.65, place]),
                ]
    return json.dumps(out)


if __name__ == "__main__":
    from model import Reader
    from train import LEVELS, Rows

    weights, folder = sys.argv[1:3]
    state = torch.load(weights, map_location="cpu")
    model = Reader(state["encoder.words"].shape[0], levels=LEVELS)
    model.load_state_dict(state)
    model.round_weights()
    print(figures(model, Rows([f"{folder}/validation.npz"], "cpu"), whole=True))
