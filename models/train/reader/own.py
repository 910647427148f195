"""Training rows from the data we wrote, multiplied by program. A tenth is kept for validation, split by life."""
import collections
import glob
import math
import random
import re

from lives import read_crossed, read_life, read_messages
from rows import reading_row, tagging_row, window_of
from table import Table

# Values of these relations can stand for one another: "moved to Leeds" is as good with any other town.
SWAPPED = {"name", "location", "origin", "employer", "partner", "vehicle", "medication", "instrument", "tool", "sport", "job"}


def words_of(text):
    return set(re.findall(r"\w{3,}|[\u3040-\u30ff\u4e00-\u9fff]", text.lower()))


def is_kept(path):
    """Lives numbered 04 and 09 and every tenth history are never trained on."""
    return bool(re.search(r"-(04|09)\.txt$", path)) if "/lives/" in path else path.endswith("0.txt")


def lives_in(folder, part):
    paths = sorted(glob.glob(f"{folder}/lives/*.txt")) + sorted(glob.glob(f"{folder}/histories/*.txt"))
    lives = [read_life(p)[0] for p in paths if is_kept(p) == (part == "validation")]
    if part == "train":
        for life in lives:
            # The figures for validation stay comparable without them.
            for path in glob.glob(f"{folder}/crossed/{life['id']}.txt"):
                life["questions"] += read_crossed(path, life["conversations"])[0]
    return lives


def messages_in(folder, part):
    """Every tenth message of a file is kept."""
    found = []
    for path in sorted(glob.glob(f"{folder}/messages/*.txt")):
        found += [m for place, m in enumerate(read_messages(path)[0]) if (place % 10 == 4) == (part == "validation")]
    return found


def own_rows(folder, tokenizer, part, copies=0, seed=3):
    """`copies` times with other names, places and spelling, after the plain ones."""
    random.seed(seed)
    lives, messages = lives_in(folder, part), messages_in(folder, part)
    stock, table = values_of(lives, messages), Table()
    rows = []
    for copy in range(copies + 1):
        for life in lives:
            life = swapped_life(life, stock) if copy else life
            made = reading_rows(life, tokenizer, table, noise=copy > 0)
            for conversation in life["conversations"]:
                made += tagging_rows(conversation, tokenizer, noise=copy > 0)
            rows += [{**row, "lang": life["lang"]} for row in made if row]
        for message in messages:
            message = swapped_message(message, stock) if copy else message
            row = tagging_row(tokenizer, "", *(mistyped(message) if copy else (message["text"], message["labels"])))
            rows.append({**row, "lang": message["lang"]})
    return rows


def tagging_rows(conversation, tokenizer, noise=False):
    rows, before = [], ""
    for message in conversation["messages"]:
        if message["who"] != "assistant":
            # What people say of themselves has them as its subject, whoever they are.
            labels = [{**l, "subject": "user"} if l["subject"] == message["who"] else l for l in message["labels"]]
            said = {**message, "labels": labels}
            rows.append(tagging_row(tokenizer, before, *(mistyped(said) if noise else (said["text"], labels))))
        before = message["text"]
    return rows


def reading_rows(life, tokenizer, table, negatives=4, noise=False):
    """Each question with what answers it, and with what does not and is likest to it by its words and by the table."""
    places = [(c, m) for c, conversation in enumerate(life["conversations"]) for m in range(len(conversation["messages"]))]
    text_of = lambda place: life["conversations"][place[0]]["messages"][place[1]]["text"]
    words = {place: words_of(text_of(place)) for place in places}
    counts = collections.Counter(word for found in words.values() for word in found)
    names = sorted({l["value"] for c in life["conversations"] for m in c["messages"] for l in m["labels"] if l["relation"] == "name"})
    alike = table.vectors([q["text"] for q in life["questions"]]) @ table.vectors([text_of(place) for place in places]).T if life["questions"] else []
    at_place = {place: at for at, place in enumerate(places)}
    rows = []
    for number, question in enumerate(life["questions"]):
        asked = words_of(question["text"])
        score = lambda place: sum(math.log(1 + len(places) / counts[w]) for w in asked & words[place]) + random.random() * 0.5
        answers = question["evidence"] + question["old"]
        held = {place[:2] for place in answers}
        text = question["text"] if not noise else mistyped({"text": question["text"], "labels": []})[0]
        for place, (c, m, span) in enumerate(answers):
            at = text_of((c, m)).find(span) if span else -1
            if at < 0:
                continue
            window, begin = window_of(life["conversations"][c]["messages"], m)
            # What is out of date answers with what was so then.
            polarity = question.get("polarity") if place < len(question["evidence"]) else None
            rows.append(reading_row(tokenizer, text, window, begin + at, begin + at + len(span), polarity=polarity))
            rows += moved(text, window, names, tokenizer)
        near = lambda place: any(place[0] == c and abs(place[1] - m) <= 1 for c, m in held)
        ranked = sorted((p for p in places if not near(p)), key=score, reverse=True)
        near_table = sorted((p for p in places if not near(p)), key=lambda place: -alike[number][at_place[place]])
        later = [*ranked[negatives:14], *near_table[negatives:14]]
        chosen = [t[:2] for t in question["tempting"]] + ranked[:negatives] + near_table[:negatives] + random.sample(later, min(1, len(later)))
        for c, m in dict.fromkeys(chosen):
            rows.append(reading_row(tokenizer, text, window_of(life["conversations"][c]["messages"], m)[0]))
    return rows


def moved(question, window, names, tokenizer):
    """The same window, asked about somebody else of the same life: it does not answer that."""
    here = [name for name in names if name.lower() in question.lower()]
    others = [name for name in names if name.lower() not in window.lower()]
    if not here or not others or random.random() > 0.5:
        return []
    other = random.choice(others)
    return [reading_row(tokenizer, re.sub(re.escape(here[0]), lambda _: other, question, flags=re.I), window)]


def values_of(lives, messages):
    """For each language and relation, the values that were written."""
    stock = collections.defaultdict(list)
    for life in lives:
        for conversation in life["conversations"]:
            for message in conversation["messages"]:
                for label in message["labels"]:
                    stock[life["lang"], label["relation"]].append(label["value"])
    for message in messages:
        for label in message["labels"]:
            stock[message["lang"], label["relation"]].append(label["value"])
    return {key: sorted(set(found)) for key, found in stock.items()}


def other_value(stock, lang, label):
    others = stock.get((lang, label["relation"]), [])
    return random.choice(others) if others else label["value"]


def swapped_message(message, stock):
    """The message with other values of the same kinds in their places."""
    text, labels, at = "", [], 0
    for label in sorted(message["labels"], key=lambda l: l["start"]):
        if label["start"] < at:
            return message
        text += message["text"][at : label["start"]]
        value = label["value"]
        if label["relation"] in SWAPPED and random.random() < 0.6:
            value = other_value(stock, message["lang"], label)
        labels.append({**label, "start": len(text), "end": len(text) + len(value), "value": value})
        text += value
        at = label["end"]
    return {**message, "text": text + message["text"][at:], "labels": labels}


def swapped_life(life, stock):
    """The whole life with other names, towns and firms, the same everywhere they stand."""
    changes = {}
    for conversation in life["conversations"]:
        for message in conversation["messages"]:
            for label in message["labels"]:
                if label["relation"] in {"name", "location", "employer", "partner"} and len(label["value"]) > 2:
                    changes.setdefault(label["value"], other_value(stock, life["lang"], label))
    if not changes:
        return life
    edge = "" if life["lang"] in ("zh", "ja") else r"\b"
    pattern = re.compile(edge + "(" + "|".join(re.escape(v) for v in sorted(changes, key=len, reverse=True)) + ")" + edge)
    change = lambda text: pattern.sub(lambda found: changes[found[0]], text)

    def changed(message):
        text, places, at = "", {0: 0}, 0
        for found in pattern.finditer(message["text"]):
            text += message["text"][at : found.start()]
            places[found.start()] = len(text)
            text += changes[found[0]]
            at = found.end()
            places[at] = len(text)
        text += message["text"][at:]
        shift = lambda place: places[max(p for p in places if p <= place)] + place - max(p for p in places if p <= place)
        labels = []
        for label in message["labels"]:
            start, end = shift(label["start"]), shift(label["end"])
            labels.append({**label, "start": start, "end": end, "value": text[start:end], "subject": change(label["subject"])})
        return {**message, "text": text, "labels": labels, "who": change(message["who"])}

    conversations = [{**c, "messages": [changed(m) for m in c["messages"]]} for c in life["conversations"]]
    questions = []
    for question in life["questions"]:
        spans = lambda some: [(c, m, change(span) if span else span) for c, m, span in some]
        questions.append({**question, "text": change(question["text"]), "evidence": spans(question["evidence"]), "old": spans(question["old"])})
    return {**life, "conversations": conversations, "questions": questions}


def mistyped(message):
    """A third of the messages with slips of the keyboard outside their labels."""
    text, labels = message["text"], message["labels"]
    if random.random() > 0.33 or len(text) < 12:
        return text, labels
    held = {place for label in labels for place in range(label["start"] - 1, label["end"] + 1)}
    letters, moves = [], []
    for place, letter in enumerate(text):
        if place not in held and letter.isalpha() and letter.isascii() and random.random() < 0.03:
            kind = random.random()
            if kind < 0.5:
                moves.append((place, -1))
                continue
            letters.append(letter)
            moves.append((place, 1))
        letters.append(letter)
    shift = lambda place: place + sum(by for at, by in moves if at < place)
    return "".join(letters), [{**l, "start": shift(l["start"]), "end": shift(l["end"])} for l in labels]
