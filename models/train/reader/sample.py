"""A folder to try the training scripts on: a small part of the corpus, a handful of invented lines in the formats of the public
sets, the pieces of the shipped model, and starting weights by chance.

    sample.py READER.bin CORPUS_FOLDER OUT_FOLDER

Writes OUT_FOLDER/data, OUT_FOLDER/corpus, pieces.json, minilm.npz and bert.npz. What is trained with it is of no use; that it
can be trained, exported and opened shows that the scripts still fit together.
"""
import glob
import json
import os
import shutil
import struct
import sys

import brotli
import numpy as np

from model import INNER, POSITIONS, WIDTH

LANGUAGES = ("de", "fr", "es", "uk", "zh", "ja", "ar")
PASSAGES = ("en", "de", "es", "it", "zh", "ja", "ar", "ru")
TALK = [("ann", "I moved to Leeds in March."), ("ben", "How is the new flat?"), ("ann", "Small, but it has a balcony."), ("ben", "Then you can grow tomatoes again.")]
PASSAGE = "The bridge was opened in 1931. It is made of steel. Trains cross it every hour. The river below is called the Lune."


def pieces_in(path):
    body = brotli.decompress(open(path, "rb").read())
    (size,) = struct.unpack("<I", body[4:8])
    return json.loads(body[8 : 8 + size])["vocabulary"]


def write_lines(path, items):
    with open(path, "w", encoding="utf8") as file:
        file.writelines((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in items)


def write_data(folder):
    os.makedirs(folder)
    turns = [{"speaker": who, "text": text} for who, text in TALK]
    asked = [("Where does Ann live?", "Leeds", [0], True), ("What does the flat have?", "a balcony", [2], True), ("What is Ben's job?", "", [], False)]
    talks = [{"source": source, "turns": turns, "question": q, "answer": a, "evidence": at, "answerable": known} for source in ("molweni", "doqa") for q, a, at, known in asked]
    write_lines(f"{folder}/convqa.jsonl", talks)
    write_lines(f"{folder}/dialogues.jsonl", [{"source": "sample", "lang": "en", "turns": turns}] * 20)
    write_lines(f"{folder}/pairs.jsonl", [{"source": "squad-question-sentence", "a": "When was the bridge opened?", "b": "The bridge was opened in 1931."}] * 3)
    passages = [
        {"question": "When was the bridge opened?", "context": PASSAGE, "answerable": True, "answers": [{"text": "1931"}]},
        {"question": "Who built the bridge?", "context": PASSAGE, "answerable": False, "answers": []},
    ]
    for language in PASSAGES:
        write_lines(f"{folder}/readqa.{language}.jsonl", passages)
    for language in LANGUAGES:
        write_lines(f"{folder}/parallel.{language}.tsv", [f"{text}\t{text} ({language})" for _, text in TALK] * 20)
        write_lines(f"{folder}/dict.{language}.tsv", [f"bridge {n}\tbridge {language} {n}" for n in range(20)])


def write_corpus(corpus, folder):
    """A life to train on with its questions in other languages, twenty histories of which two are kept, and the smallest file of messages."""
    crossed = [path for path in sorted(glob.glob(f"{corpus}/crossed/*.txt")) if not path.endswith(("-04.txt", "-09.txt"))]
    messages = sorted(glob.glob(f"{corpus}/messages/*.txt"), key=os.path.getsize)
    chosen = [crossed[0], crossed[0].replace("/crossed/", "/lives/"), *sorted(glob.glob(f"{corpus}/histories/*.txt"))[:20], *messages[:1]]
    for path in chosen:
        to = f"{folder}/{os.path.relpath(path, corpus)}"
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(path, to)


def write_weights(path, pieces, layers, width, inner):
    random = np.random.default_rng(0)
    matrix = lambda rows, columns: random.normal(0, 0.02, (rows, columns)).astype(np.float16)
    state = {"words": matrix(pieces, width), "places": matrix(POSITIONS, width), "kinds": matrix(2, width), "norm.weight": np.ones(width), "norm.bias": np.zeros(width)}
    for layer in range(layers):
        for name, rows, columns in (("qkv", 3 * width, width), ("mixed", width, width), ("wide", inner, width), ("narrow", width, inner)):
            state[f"layers.{layer}.{name}.weight"], state[f"layers.{layer}.{name}.bias"] = matrix(rows, columns), np.zeros(rows)
        for name in ("mixed", "narrow"):
            state[f"layers.{layer}.{name}_norm.weight"], state[f"layers.{layer}.{name}_norm.bias"] = np.ones(width), np.zeros(width)
    np.savez(path, **state)


if __name__ == "__main__":
    shipped, corpus, out = sys.argv[1:]
    pieces = pieces_in(shipped)
    json.dump(pieces, open(f"{out}/pieces.json", "w", encoding="utf8"), ensure_ascii=False)
    write_data(f"{out}/data")
    write_corpus(corpus, f"{out}/corpus")
    write_weights(f"{out}/minilm.npz", len(pieces), 6, WIDTH, INNER)
    write_weights(f"{out}/bert.npz", len(pieces), 4, 96, 384)
