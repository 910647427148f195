"""Training rows from the data we wrote. Every tenth life and file of messages is kept for validation."""
import collections
import glob
import math
import random
import re

from lives import read_life, read_messages
from rows import reading_row, tagging_row, window_of


def words_of(text):
    return set(re.findall(r"\w{3,}|[\u3040-\u30ff\u4e00-\u9fff]", text.lower()))


def lives_in(folder, part):
    paths = sorted(glob.glob(f"{folder}/lives/*.txt"))
    chosen = [p for p in paths if (is_kept(p)) == (part == "validation")]
    return [read_life(p)[0] for p in chosen]


def messages_in(folder, part):
    paths = sorted(glob.glob(f"{folder}/messages/*.txt"))
    return [m for i, p in enumerate(paths) if (i % 10 == 4) == (part == "validation") for m in read_messages(p)[0]]


def is_kept(path):
    return bool(re.search(r"-(04|09)\.txt$", path))


def own_rows(folder, tokenizer, part, seed=3):
    random.seed(seed)
    rows = []
    for life in lives_in(folder, part):
        rows += reading_rows(life, tokenizer)
        for conversation in life["conversations"]:
            rows += tagging_rows(conversation, tokenizer)
    for message in messages_in(folder, part):
        rows.append(tagging_row(tokenizer, "", message["text"], message["labels"]))
    return [r for r in rows if r]


def tagging_rows(conversation, tokenizer):
    rows, before = [], ""
    for message in conversation["messages"]:
        if message["who"] != "assistant":
            # What people say of themselves has them as its subject, whoever they are.
            labels = [{**l, "subject": "user"} if l["subject"] == message["who"] else l for l in message["labels"]]
            rows.append(tagging_row(tokenizer, before, message["text"], labels))
        before = message["text"]
    return rows


def reading_rows(life, tokenizer, negatives=2):
    places = [(c, m) for c, conversation in enumerate(life["conversations"]) for m in range(len(conversation["messages"]))]
    text_of = lambda place: life["conversations"][place[0]]["messages"][place[1]]["text"]
    words = {place: words_of(text_of(place)) for place in places}
    counts = collections.Counter(word for found in words.values() for word in found)
    names = sorted({l["value"] for c in life["conversations"] for m in c["messages"] for l in m["labels"] if l["relation"] == "name"})
    rows = []
    for question in life["questions"]:
        asked = words_of(question["text"])
        score = lambda place: sum(math.log(1 + len(places) / counts[w]) for w in asked & words[place]) + random.random() * 0.5
        answers = question["evidence"] + question["old"]
        held = {place[:2] for place in answers}
        for c, m, span in answers:
            if not span:
                continue
            window, begin = window_of(life["conversations"][c]["messages"], m)
            start = begin + text_of((c, m)).find(span)
            rows.append(reading_row(tokenizer, question["text"], window, start, start + len(span)))
            rows += moved(question["text"], window, names, tokenizer)
        near = lambda place: any(place[0] == c and abs(place[1] - m) <= 1 for c, m in held)
        ranked = sorted((p for p in places if not near(p)), key=score, reverse=True)
        chosen = [t[:2] for t in question["tempting"]] + ranked[:negatives] + random.sample(ranked[negatives:12], 1)
        for c, m in dict.fromkeys(chosen):
            rows.append(reading_row(tokenizer, question["text"], window_of(life["conversations"][c]["messages"], m)[0]))
    return rows


def moved(question, window, names, tokenizer):
    """The same window, asked about somebody else of the same life: it does not answer that."""
    here = [name for name in names if name.lower() in question.lower()]
    others = [name for name in names if name.lower() not in window.lower()]
    if not here or not others or random.random() > 0.5:
        return []
    other = random.choice(others)
    return [reading_row(tokenizer, re.sub(re.escape(here[0]), lambda _: other, question, flags=re.I), window)]
