"""Training rows for the reader: (question, window) pairs and labelled messages, as token ids with their targets.

A reading row is `[CLS] question [SEP] window [SEP]`; a tagging row is `[CLS] message before [SEP] message [SEP]`.
The same layout is built at run time by `src/reading/`, so change both together.
"""
import json
import random
import re

from labels import RELATIONS, STATES

MAX_TOKENS, MAX_QUESTION, MAX_BEFORE = 144, 40, 28
CLS, SEP = 101, 102


def reading_row(tokenizer, question, window, start=-1, end=-1, relevant=None):
    """`start` is -1 where the window does not answer; `relevant` overrides the label of the relevance head."""
    q = tokenizer.encode(question, add_special_tokens=False).ids[:MAX_QUESTION]
    w = tokenizer.encode(window, add_special_tokens=False)
    room = MAX_TOKENS - len(q) - 3
    ids, offsets = w.ids[:room], w.offsets[:room]
    first = len(q) + 2
    row = {"kind": "read", "ids": [CLS] + q + [SEP] + ids + [SEP], "first": first, "span": (0, 0), "relevant": 0.0}
    if start >= 0:
        inside = [i for i, (a, b) in enumerate(offsets) if b > start and a < end]
        if not inside or end > offsets[-1][1]:
            return None
        row.update(span=(first + inside[0], first + inside[-1]), relevant=1.0)
    if relevant is not None:
        row["relevant"] = relevant
    return row


def tagging_row(tokenizer, before, text, labels):
    b = tokenizer.encode(before, add_special_tokens=False).ids[-MAX_BEFORE:]
    t = tokenizer.encode(text, add_special_tokens=False)
    room = MAX_TOKENS - len(b) - 3
    ids, offsets = t.ids[:room], t.offsets[:room]
    first = len(b) + 2
    size = first + len(ids) + 1
    tags, states, others, subjects = [-100] * size, [-100] * size, [-100] * size, [-100] * size
    for i in range(len(ids)):
        tags[first + i] = 0
        subjects[first + i] = 0
    for label in labels:
        inside = [i for i, (a, c) in enumerate(offsets) if c > label["start"] and a < label["end"]]
        for n, i in enumerate(inside):
            relation = RELATIONS.index(label["relation"])
            tags[first + i] = 1 + 2 * relation + (n > 0)
            states[first + i] = STATES.index(label["state"])
            others[first + i] = 0 if label["subject"] == "user" else 1
        if label["subject"] == "user":
            continue
        for n, i in enumerate(mention(text, label, offsets)):
            subjects[first + i] = 1 + (n > 0)
    return {
        "kind": "tag", "ids": [CLS] + b + [SEP] + ids + [SEP], "first": first,
        "tags": tags, "states": states, "others": others, "subjects": subjects,
    }


def mention(text, label, offsets):
    """Tokens of the mention of a label's subject that stands nearest to its value."""
    found = [m.span() for m in re.finditer(re.escape(label["subject"].lower()), text.lower())]
    if not found:
        return []
    start, end = min(found, key=lambda s: abs(s[0] - label["start"]))
    return [i for i, (a, c) in enumerate(offsets) if c > start and a < end]


def window_of(messages, at):
    """The message at `at` with its neighbours, as the reader sees it; and where that message begins."""
    before = said(messages[at - 1], last=120) if at > 0 else ""
    here = said(messages[at])
    after = said(messages[at + 1], first=80) if at + 1 < len(messages) else ""
    text = "\n".join(part for part in (before, here, after) if part)
    begin = (len(before) + 1 if before else 0) + len(here) - len(messages[at]["text"])
    return text, begin


def said(message, first=None, last=None):
    text = message["text"]
    if first is not None and len(text) > first:
        text = text[:first]
    if last is not None and len(text) > last:
        text = text[-last:]
    return f"{message['who']}: {text}"


def public_rows(folder, tokenizer, seed=1, scale=1.0):
    """Reading rows from the public sets, cut to windows like ours."""
    random.seed(seed)
    rows = []
    wanted = {"sgd-slotqa": 0.06, "molweni": 1.0, "doqa": 0.5}
    for line in open(f"{folder}/convqa.jsonl", encoding="utf8"):
        if not any(f'"source": "{name}"' in line[:60] for name in wanted):
            continue
        item = json.loads(line)
        if random.random() > wanted[item["source"]] * scale:
            continue
        turns = [{"who": t["speaker"], "text": t["text"]} for t in item["turns"]]
        question = re.sub(r"^\w+: ", "", item["question"])
        if item["answerable"] and item["evidence"]:
            at = random.choice(item["evidence"])
            place = turns[at]["text"].lower().find(item["answer"].lower())
            if place >= 0:
                text, begin = window_of(turns, at)
                rows.append(reading_row(tokenizer, question, text, begin + place, begin + place + len(item["answer"])))
        others = [i for i in range(len(turns)) if not any(abs(i - e) < 2 for e in item["evidence"])]
        if others and (not item["answerable"] or random.random() < 0.6):
            text, _ = window_of(turns, random.choice(others))
            if not item["answerable"] or item["answer"].lower() not in text.lower():
                rows.append(reading_row(tokenizer, question, text))
    shares = {"en": 1.0, "de": 1.0, "es": 0.15, "zh": 0.04, "ja": 0.02, "ar": 0.4}
    for lang, share in shares.items():
        for line in open(f"{folder}/readqa.{lang}.jsonl", encoding="utf8"):
            if random.random() > share * scale:
                continue
            item = json.loads(line)
            sentences = [s for s in re.split(r"(?<=[.!?。！？])\s*", item["context"]) if s]
            if not item["answerable"]:
                i = random.randrange(len(sentences))
                rows.append(reading_row(tokenizer, item["question"], joined(sentences, i, lang)))
                continue
            answer = item["answers"][0]
            at, length = 0, 0
            for i, sentence in enumerate(sentences):
                if answer["text"] in sentence:
                    at, length = i, len(sentence)
                    break
            if not length:
                continue
            text = joined(sentences, at, lang)
            place = text.find(answer["text"])
            rows.append(reading_row(tokenizer, item["question"], text, place, place + len(answer["text"])))
            far = [i for i in range(len(sentences)) if abs(i - at) > 1 and answer["text"] not in joined(sentences, i, lang)]
            if far and random.random() < 0.6:
                rows.append(reading_row(tokenizer, item["question"], joined(sentences, random.choice(far), lang)))
    return [r for r in rows if r and len(r["ids"]) > 8]


def joined(sentences, at, lang):
    gap = "" if lang in ("zh", "ja") else " "
    parts = sentences[max(0, at - 1) : at + 2]
    if len(" ".join(parts)) > 320:
        parts = [sentences[at][:320]]
    return gap.join(parts)
