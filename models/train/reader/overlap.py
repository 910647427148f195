"""Looks for runs of eight words that our training data shares with evaluation sets.

    overlap.py EVALUATION_FOLDER     exits with 1 where there are any

Reads every .json, .jsonl and .txt file of the folder, also compressed with gzip. Words of Chinese and Japanese are single characters here, so their
runs are longer. A run that says nothing of its own, such as "what is the name of the place where", is no copy: runs that
hold fewer than three words of five letters or more are left out.
"""
import glob
import gzip
import json
import pathlib
import re
import sys

from lives import read_crossed, read_life, read_messages

RUN = 8
WORDS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W_]+")
CORPUS = pathlib.Path(__file__).parent.parent / "corpus"


def runs(text):
    words = WORDS.findall(text.lower())
    spaced = not any("\u3040" <= w <= "\u9fff" for w in words)
    size = RUN if spaced else 2 * RUN
    for at in range(len(words) - size + 1):
        some = words[at : at + size]
        if not spaced or sum(len(word) > 4 for word in some) >= 3:
            yield " ".join(some)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def texts_of(path):
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    kind = pathlib.Path(path.name.removesuffix(".gz")).suffix
    if kind == ".txt":
        yield text
    elif kind == ".json":
        yield from strings(json.loads(text))
    elif kind == ".jsonl":
        for line in text.split("\n"):
            if line.strip():
                yield from strings(json.loads(line))


def own_texts():
    for path in sorted(glob.glob(f"{CORPUS}/lives/*.txt") + glob.glob(f"{CORPUS}/histories/*.txt")):
        life = read_life(path)[0]
        yield from ((path, message["text"]) for c in life["conversations"] for message in c["messages"])
        yield from ((path, question["text"]) for question in life["questions"])
        for crossed in glob.glob(f"{CORPUS}/crossed/{life['id']}.txt"):
            yield from ((crossed, question["text"]) for question in read_crossed(crossed, life["conversations"])[0])
    for path in sorted(glob.glob(f"{CORPUS}/messages/*.txt")):
        yield from ((path, message["text"]) for message in read_messages(path)[0])


def main(folder):
    known = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        for text in texts_of(path) if path.is_file() else ():
            for run in runs(text):
                known.setdefault(run, path)
    shared = {}
    for path, text in own_texts():
        for run in runs(text):
            if run in known:
                shared.setdefault(run, (path, known[run]))
    for run, (own, other) in sorted(shared.items()):
        print(f"{own}: {run!r} is in {other}")
    print(f"{len(known)} runs of the evaluation sets, {len(shared)} shared")
    return 1 if shared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
