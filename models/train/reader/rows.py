"""Training rows for the reader: (question, window) pairs and labelled messages, as token ids with their targets.

A reading row is `[CLS] question [SEP] window [SEP]`; a tagging row is `[CLS] message before [SEP] message [SEP]`.
The same layout is built at run time by `src/reading/`, so change both together.
"""
import json
import random
import re

from labels import RELATIONS, STATES

MAX_TOKENS, MAX_QUESTION, MAX_BEFORE = 144, 40, 28
# The places of these two in the vocabulary that `pieces.py` writes.
CLS, SEP = 2, 3


def reading_row(tokenizer, question, window, start=-1, end=-1, relevant=None, polarity=None):
    """`start` is -1 where the window does not answer; `relevant` is for pairs whose span is not known; `polarity` is yes or no."""
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
        row.update(relevant=relevant, span=(-100, -100))
    if polarity is not None:
        row["polarity"] = 1 if polarity == "yes" else 0
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


def public_rows(folder, tokenizer, seed=1):
    """Reading rows from the public sets, cut to windows like ours."""
    random.seed(seed)
    return [r for r in [*talk_rows(folder, tokenizer), *passage_rows(folder, tokenizer), *sentence_rows(folder, tokenizer)] if r and len(r["ids"]) > 8]


def talk_rows(folder, tokenizer):
    """Questions about dialogues. Those made by template are many and alike, so only a share is taken."""
    shares = {"sgd-slotqa": 0.5, "molweni": 1.0, "doqa": 1.0}
    for line in open(f"{folder}/convqa.jsonl", encoding="utf8"):
        source = next((name for name in shares if f'"source": "{name}"' in line[:60]), None)
        if source is None or random.random() > shares[source]:
            continue
        item = json.loads(line)
        turns = [{"who": t["speaker"], "text": t["text"]} for t in item["turns"]]
        question = re.sub(r"^\w+: ", "", item["question"])
        if item["answerable"] and item["evidence"]:
            at = random.choice(item["evidence"])
            place = turns[at]["text"].lower().find(item["answer"].lower())
            if place >= 0:
                text, begin = window_of(turns, at)
                yield reading_row(tokenizer, question, text, begin + place, begin + place + len(item["answer"]))
        others = [i for i in range(len(turns)) if not any(abs(i - e) < 2 for e in item["evidence"])]
        if others and (not item["answerable"] or random.random() < 0.8):
            text, _ = window_of(turns, random.choice(others))
            if not item["answerable"] or item["answer"].lower() not in text.lower():
                yield reading_row(tokenizer, question, text)


def passage_rows(folder, tokenizer):
    """Questions about passages: the sentence that answers with its neighbours, and others of the same passage."""
    shares = {"en": 1.0, "de": 1.0, "es": 1.0, "it": 0.5, "zh": 0.6, "ja": 0.4, "ar": 1.0, "ru": 1.0}
    elsewhere = translated_questions(folder)
    for lang, share in shares.items():
        for line in open(f"{folder}/readqa.{lang}.jsonl", encoding="utf8"):
            if random.random() > share:
                continue
            item = json.loads(line)
            sentences = [s for s in re.split(r"(?<=[.!?。！？])\s*", item["context"]) if s]
            if not item["answerable"]:
                # The passage has what tempts; the sentence nearest to the question in its words is the hardest.
                asked = set(re.findall(r"\w{4,}", item["question"].lower()))
                i = max(range(len(sentences)), key=lambda i: len(asked & set(re.findall(r"\w{4,}", sentences[i].lower()))))
                yield reading_row(tokenizer, item["question"], joined(sentences, i, lang))
                continue
            answer = item["answers"][0]
            at = next((i for i, sentence in enumerate(sentences) if answer["text"] in sentence), None)
            if at is None:
                continue
            text = joined(sentences, at, lang)
            place = text.find(answer["text"])
            if place < 0:
                continue
            others = elsewhere.get(item["question"], [])
            for question in [item["question"], *random.sample(others, min(len(others), 2))]:
                yield reading_row(tokenizer, question, text, place, place + len(answer["text"]))
                far = [i for i in range(len(sentences)) if abs(i - at) > 1 and answer["text"] not in joined(sentences, i, lang)]
                for i in random.sample(far, min(len(far), 2)):
                    yield reading_row(tokenizer, question, joined(sentences, i, lang))


def translated_questions(folder):
    """For each question of the set that was translated as a whole, the same one in other languages."""
    by_english = {}
    for line in open(f"{folder}/pairs.jsonl", encoding="utf8"):
        if '"xquad-xling-question"' in line[:60]:
            item = json.loads(line)
            if item["lang"] in ("de", "es", "zh", "ar", "ru"):
                by_english.setdefault(item["a"], [item["a"]]).append(item["b"])
    return {text: [other for other in same if other != text] for same in by_english.values() for text in same}


def sentence_rows(folder, tokenizer):
    """A question and the sentence it was made from, without a span; the sentence before it in the file is about something else."""
    before = None
    for line in open(f"{folder}/pairs.jsonl", encoding="utf8"):
        if '"squad-question-sentence"' not in line[:60]:
            continue
        item = json.loads(line)
        yield reading_row(tokenizer, item["a"], item["b"], relevant=1.0)
        if before is not None and before != item["b"]:
            yield reading_row(tokenizer, item["a"], before)
        before = item["b"]


def unlabelled_rows(folder, tokenizer, most=60000, seed=5):
    """Messages of real dialogues, for what a teacher makes of them."""
    random.seed(seed)
    rows = []
    for line in open(f"{folder}/dialogues.jsonl", encoding="utf8"):
        item = json.loads(line)
        share = {"real-persona-chat": 0.05, "irc-disentanglement": 0.2, "taskmaster4": 0.15}.get(item["source"], 0.6)
        before = ""
        for turn in item["turns"]:
            if 12 < len(turn["text"]) < 500 and random.random() < share:
                row = tagging_row(tokenizer, before, turn["text"], [])
                row.update({name: [-100] * len(row["ids"]) for name in ("tags", "states", "others", "subjects")})
                rows.append(row)
            before = turn["text"]
    random.shuffle(rows)
    return rows[:most]


def translated_rows(folder, tokenizer, most=120000, seed=6):
    """(English, other) sentences of the seven languages, as token ids."""
    random.seed(seed)
    for lang in ("de", "fr", "es", "uk", "zh", "ja", "ar"):
        lines = [line.rstrip("\n").split("\t") for line in open(f"{folder}/parallel.{lang}.tsv", encoding="utf8")]
        words = [line.rstrip("\n").split("\t") for line in open(f"{folder}/dict.{lang}.tsv", encoding="utf8")]
        some = random.sample(lines, min(len(lines), most)) + random.sample(words, min(len(words), 25000))
        some = [pair for pair in some if len(pair) == 2]
        sides = [tokenizer.encode_batch([pair[side][:300] for pair in some], add_special_tokens=False) for side in (0, 1)]
        for one, other in zip(*sides):
            yield [CLS] + one.ids[:60] + [SEP], [CLS] + other.ids[:60] + [SEP]


def joined(sentences, at, lang):
    gap = "" if lang in ("zh", "ja") else " "
    parts = sentences[max(0, at - 1) : at + 2]
    if len(" ".join(parts)) > 320:
        parts = [sentences[at][:320]]
    return gap.join(parts)
