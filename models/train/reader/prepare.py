"""Everything that training needs, as two files of numbers.

    prepare.py rows MINILM_FOLDER DATA_FOLDER CORPUS_FOLDER PIECES.json OUT_FOLDER
    prepare.py weights NAME FOLDER PIECES.json OUT_FOLDER

The first writes `public.npz`, `own.npz`, `translated.npz` and the pairs for search; the second the float weights of a BERT as `NAME.npz`.
"""
import json
import sys

import numpy as np

from lives import LANGUAGES
from own import own_rows
from pieces import english_tokenizer, tokenizer_of
from rows import public_rows, translated_rows, unlabelled_rows
from search import Groups, own_groups, public_groups
from weights import pack

TARGETS = ("tags", "states", "others", "subjects")


def packed(rows):
    """Rows one behind the other. Targets for each token are kept only where a row tags."""
    sizes = np.array([len(r["ids"]) for r in rows], np.uint8)
    tagging = [r for r in rows if r["kind"] == "tag"]
    out = {
        "ids": np.concatenate([np.array(r["ids"], np.uint16) for r in rows]),
        "sizes": sizes,
        "first": np.array([r["first"] for r in rows], np.uint8),
        "tagging": np.array([r["kind"] == "tag" for r in rows]),
        "span": np.array([r.get("span", (0, 0)) for r in rows], np.int16),
        "relevant": np.array([r.get("relevant", -1) for r in rows], np.float16),
        "polarity": np.array([r.get("polarity", -1) for r in rows], np.int8),
        "lang": np.array([LANGUAGES.index(r["lang"]) if "lang" in r else -1 for r in rows], np.int8),
    }
    for name in TARGETS:
        flat = [np.array(r[name], np.int8) if name != "tags" else np.array(r[name], np.int16) for r in tagging]
        out[name] = np.concatenate(flat) if flat else np.zeros(0, np.int16)
    return out


def rows(minilm, data, corpus, pieces, out):
    tokenizer = tokenizer_of(pieces)
    public = public_rows(data, tokenizer)
    unlabelled = unlabelled_rows(data, tokenizer)
    np.savez_compressed(f"{out}/public.npz", **packed(public + unlabelled))
    print(len(public), "public rows,", len(unlabelled), "messages without labels", flush=True)
    groups = Groups(tokenizer)
    public_groups(groups, data)
    groups.save(f"{out}/pairs-public.npz")
    print(len(groups.questions), "public questions to find answers for,", len(groups.texts), "texts", flush=True)
    pairs = list(translated_rows(data, tokenizer))
    sides = [np.concatenate([np.array(p[side], np.uint16) for p in pairs]) for side in (0, 1)]
    sizes = np.array([[len(p[0]), len(p[1])] for p in pairs], np.uint8)
    np.savez_compressed(f"{out}/translated.npz", english=sides[0], other=sides[1], sizes=sizes)
    print(len(pairs), "translated pairs", flush=True)
    own(corpus, pieces, out)


def own(corpus, pieces, out):
    tokenizer = tokenizer_of(pieces)
    train = own_rows(corpus, tokenizer, "train", copies=3)
    kept = own_rows(corpus, tokenizer, "validation")
    np.savez_compressed(f"{out}/own.npz", **packed(train))
    np.savez_compressed(f"{out}/validation.npz", **packed(kept))
    print(len(train), "own rows,", len(kept), "for validation", flush=True)
    for name, part, copies in (("own", "train", 3), ("validation", "validation", 0)):
        groups = Groups(tokenizer)
        own_groups(groups, corpus, part, copies)
        groups.save(f"{out}/pairs-{name}.npz")
        print(len(groups.questions), "questions to find answers for,", len(groups.texts), "texts", flush=True)


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "rows":
        rows(*rest)
    elif what == "own":
        own(*rest)
    else:
        name, folder, pieces, out = rest
        # The large one has to travel to where it is trained on, and learns away what the rounding does to it.
        levels = 31 if name == "bert" else 127
        pack(folder, english_tokenizer(folder), json.load(open(pieces, encoding="utf8")), f"{out}/{name}.npz", levels)
