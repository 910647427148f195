"""Reads the data we wrote (`../corpus`): lives with dated conversations and questions, and single labelled messages.

    python3 lives.py FILES…     checks them: spans exist, labels are known, references resolve

A life is a head, conversations (`== c1 2024-03-02 chatgpt | title`), their messages (`u:` the user, `a:` the assistant, or a
name), and questions: `Q` with evidence spans, `N` for what the life does not answer. A label is `[[value|subject|relation|state]]`.
"""
import re
import sys

from labels import RELATIONS, STATES

ANSWERED = set("single update past paraphrase temporal before_after count list multihop yesno assistant_said who_said compare preference".split())
UNANSWERED = set("near_miss wrong_person wrong_attribute false_premise never_mentioned not_yet_known".split())
LANGUAGES = "en de fr es uk zh ja ar".split()
LABEL = re.compile(r"\[\[([^\]|]+)\|([^\]|]+)\|([^\]|]+)\|([^\]|]+)\]\]")
SPEAKERS = {"u": "user", "a": "assistant"}


def labelled(raw, report):
    """The text without its markup, and the labels with their places."""
    text, labels, at = "", [], 0
    for match in LABEL.finditer(raw):
        text += raw[at : match.start()]
        value, subject, relation, state = (part.strip() for part in match.groups())
        if relation not in RELATIONS or state not in STATES:
            report(f"unknown label {relation}, {state}")
        else:
            labels.append({"start": len(text), "end": len(text) + len(value), "value": value, "subject": subject, "relation": relation, "state": state})
        text += value
        at = match.end()
    text += raw[at:]
    if "[[" in text or "]]" in text:
        report("a broken label")
    return text, labels


def read_life(path):
    """A life as {lang, conversations, questions} and what is wrong with it."""
    faults = []
    life = {"id": "", "lang": "en", "conversations": [], "questions": []}
    conversations = life["conversations"]
    for number, line in enumerate(open(path, encoding="utf8"), 1):
        line = line.rstrip("\n")
        report = lambda what: faults.append(f"{path}:{number}: {what}")
        if not line.strip() or line.startswith("```"):
            continue
        head = re.match(r"== c(\d+) (\d{4}-\d\d-\d\d) (\S+) \| (.*)", line)
        if head:
            if int(head[1]) != len(conversations) + 1:
                report(f"expected c{len(conversations) + 1}")
            conversations.append({"date": head[2], "source": head[3], "title": head[4], "messages": []})
        elif re.match(r"[QN] ", line):
            question = read_question(line, conversations, report)
            if question:
                life["questions"].append(question)
        elif match := re.match(r"([^:：\[]{1,24})[:：] ?(.*)", line):
            who, raw = match.groups()
            if not conversations:
                if who in life:
                    life[who] = raw
                elif who == "life":
                    life["id"] = raw
                continue
            text, labels = labelled(raw, report)
            conversations[-1]["messages"].append({"who": SPEAKERS.get(who, who), "text": text, "labels": labels})
        else:
            report("cannot be read")
    return life, faults


def read_crossed(path, conversations):
    """Questions about a life in other languages than its own (`../corpus/crossed`), and what is wrong with them."""
    faults, questions = [], []
    for number, line in enumerate(open(path, encoding="utf8"), 1):
        if line.strip():
            question = read_question(line.rstrip("\n"), conversations, lambda what: faults.append(f"{path}:{number}: {what}"))
            questions += [question] if question else []
    return questions, faults


def read_question(line, conversations, report):
    kind, parts = line[0], [part.strip() for part in line[2:].split(" | ")]
    if len(parts) < 2 or parts[0] not in (ANSWERED if kind == "Q" else UNANSWERED):
        report("not a question we know")
        return None
    question = {"answerable": kind == "Q", "type": parts[0], "text": parts[1], "evidence": [], "old": [], "tempting": []}
    for part in parts[2:]:
        if part in ("yes", "no"):
            question["polarity"] = part
            continue
        for c, m, span in re.findall(r'c(\d+)\.(\d+)(?:\s+"([^"]+)")?', part):
            place = (int(c) - 1, int(m) - 1)
            try:
                text = conversations[place[0]]["messages"][place[1]]["text"]
            except IndexError:
                report(f"there is no c{c}.{m}")
                continue
            if span and span not in text:
                report(f"c{c}.{m} does not hold its span")
                continue
            which = "tempting" if kind == "N" else "old" if part.startswith("old") else "evidence"
            question[which].append((*place, span))
    if question["answerable"] and not any(span for *_, span in question["evidence"]):
        report("no evidence")
        return None
    return question


def read_messages(path):
    faults, messages = [], []
    for number, line in enumerate(open(path, encoding="utf8"), 1):
        line = line.rstrip("\n")
        if not line.strip() or line.startswith(("#", "```")):
            continue
        report = lambda what: faults.append(f"{path}:{number}: {what}")
        lang, _, raw = line.partition(" | ")
        if lang not in LANGUAGES:
            report("no language")
            continue
        text, labels = labelled(raw, report)
        messages.append({"lang": lang, "text": text, "labels": labels})
    return messages, faults


if __name__ == "__main__":
    wrong = []
    for path in sys.argv[1:]:
        if "/crossed/" in path:
            wrong += read_crossed(path, read_life(path.replace("/crossed/", "/lives/"))[0]["conversations"])[1]
        else:
            wrong += (read_messages if "/messages/" in path else read_life)(path)[1]
    print("\n".join(wrong) or f"{len(sys.argv) - 1} files, nothing wrong")
    sys.exit(1 if wrong else 0)
