"""Training pairs for the search vectors: a question, and which of the texts around it answers it.

A text is `[CLS] message before [SEP] message [SEP]`, each with its speaker in front; a question is `[CLS] [SEP] question [SEP]`.
The vector is taken from the second part. `src/reading/model.ts` builds the same layout, so change both together. Texts and
questions come in groups (a life, a dialogue, a passage): those of a group that do not answer are the hardest to tell apart.
"""
import json
import random
import re

import numpy as np
import torch
from torch.nn.functional import kl_div

from own import lives_in, mistyped, swapped_life, values_of
from rows import CLS, MAX_BEFORE, MAX_TOKENS, SEP, said, translated_questions

TEMPERATURE = 0.05


class Groups:
    def __init__(self, tokenizer):
        self.encode = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
        self.texts, self.first, self.text_group = [], [], []
        self.questions, self.question_group, self.answers = [], [], []
        self.kinds, self.langs = [], []

    def add(self, kind, lang, messages, questions):
        """`questions` are (words, places of the messages that answer). `kind` names groups that must not share a batch."""
        group, begin = len(self.kinds), len(self.texts)
        self.kinds.append(kind)
        self.langs.append(lang)
        for place, message in enumerate(messages):
            before = message.get("before")
            lead = self.encode(before)[-MAX_BEFORE:] if before else []
            ids = self.encode(message["text"])[: MAX_TOKENS - len(lead) - 3]
            self.texts.append([CLS, *lead, SEP, *ids, SEP])
            self.first.append(len(lead) + 2)
            self.text_group.append(group)
        for words, places in questions:
            self.questions.append([CLS, SEP, *self.encode(words)[:60], SEP])
            self.question_group.append(group)
            self.answers.append([begin + place for place in places])

    def save(self, path):
        flat = lambda rows, kind: np.concatenate([np.array(row, kind) for row in rows])
        sizes = lambda rows: np.array([len(row) for row in rows], np.uint16)
        np.savez_compressed(
            path, texts=flat(self.texts, np.uint16), text_sizes=sizes(self.texts), first=np.array(self.first, np.uint8),
            text_group=np.array(self.text_group, np.int32), questions=flat(self.questions, np.uint16),
            question_sizes=sizes(self.questions), question_group=np.array(self.question_group, np.int32),
            answers=flat(self.answers, np.int32), answer_sizes=sizes(self.answers), kinds=np.array(self.kinds, np.int32),
            langs=np.array(self.langs),
        )


def own_groups(groups, corpus, part, copies, seed=11):
    random.seed(seed)
    lives = lives_in(corpus, part)
    stock = values_of(lives, [])
    for copy in range(copies + 1):
        for kind, life in enumerate(lives):
            life = swapped_life(life, stock) if copy else life
            places, messages = {}, []
            for c, conversation in enumerate(life["conversations"]):
                for m, message in enumerate(conversation["messages"]):
                    places[c, m] = len(messages)
                    before = said(conversation["messages"][m - 1], last=120) if m else None
                    messages.append({"text": said(message), "before": before})
            questions = []
            for question in life["questions"]:
                answers = {places[c, m] for c, m, _ in question["evidence"] + question["old"]}
                words = mistyped({"text": question["text"], "labels": []})[0] if copy else question["text"]
                if question["answerable"] and answers:
                    questions.append((words, sorted(answers)))
            if questions:
                groups.add(kind, life["lang"], messages, questions)


def public_groups(groups, folder, seed=12):
    """Passages by sentence and dialogues by message."""
    random.seed(seed)
    kind = 1_000_000
    shares = {"en": 1.0, "de": 1.0, "es": 1.0, "it": 0.3, "zh": 0.4, "ja": 0.2, "ar": 1.0, "ru": 1.0}
    elsewhere = translated_questions(folder)
    for lang, share in shares.items():
        asked = {}
        for line in open(f"{folder}/readqa.{lang}.jsonl", encoding="utf8"):
            item = json.loads(line)
            if item["answerable"]:
                asked.setdefault(item["context"], []).append((item["question"], item["answers"][0]["text"]))
        for context, pairs in asked.items():
            if random.random() > share:
                continue
            sentences = [s for s in re.split(r"(?<=[.!?。！？])\s*", context) if s][:24]
            some = pairs[:6]
            some += [(random.choice(elsewhere[q]), a) for q, a in some for _ in range(2) if elsewhere.get(q)]
            questions = [(q, [i for i, s in enumerate(sentences) if a in s]) for q, a in some]
            questions = [(q, found) for q, found in questions if 0 < len(found) < 4]
            if questions:
                kind += 1
                before = lambda i: sentences[i - 1][-120:] if i and random.random() < 0.5 else None
                groups.add(kind, lang, [{"text": s, "before": before(i)} for i, s in enumerate(sentences)], questions)
    asked = {}
    for line in open(f"{folder}/convqa.jsonl", encoding="utf8"):
        source = next((s for s in ("sgd-slotqa", "molweni", "doqa") if f'"source": "{s}"' in line[:60]), None)
        if source is None or random.random() > (0.3 if source == "sgd-slotqa" else 1):
            continue
        item = json.loads(line)
        if item["answerable"] and item["evidence"]:
            turns = [{"who": t["speaker"], "text": t["text"]} for t in item["turns"]]
            key = json.dumps(item["turns"])
            asked.setdefault(key, (turns, []))[1].append((re.sub(r"^\w+: ", "", item["question"]), item["evidence"]))
    for turns, questions in asked.values():
        kind += 1
        before = lambda i: said(turns[i - 1], last=120) if i else None
        groups.add(kind, "en", [{"text": said(t), "before": before(i)} for i, t in enumerate(turns)][:40], [(q, [e for e in found if e < 40]) for q, found in questions[:6] if any(e < 40 for e in found)])


class Pairs:
    """Batches of questions with all the texts of their groups."""

    def __init__(self, path, device, seed=0):
        file = np.load(path)
        self.file = {name: file[name] for name in file.files}
        self.device, self.random = device, np.random.default_rng(seed)
        self.starts = {}
        for name, sizes in (("texts", "text_sizes"), ("questions", "question_sizes"), ("answers", "answer_sizes")):
            self.starts[name] = np.concatenate([[0], np.cumsum(self.file[sizes].astype(np.int64))[:-1]])
        count = len(self.file["kinds"])
        order = lambda column: np.split(np.argsort(column, kind="stable"), np.searchsorted(np.sort(column, kind="stable"), np.arange(1, count)))
        self.texts_of, self.questions_of = order(self.file["text_group"]), order(self.file["question_group"])
        self.ids = {name: torch.tensor(self.file[name].astype(np.int32), device=device) for name in ("texts", "questions")}

    def group_batches(self, most_texts=700):
        """Groups of one language and different kinds, until there are enough texts; every group once.

        In a batch of several languages the language alone would tell most wrong texts from the right one.
        """
        order = self.random.permutation(len(self.file["kinds"]))
        begun = {}
        for group in order:
            if not len(self.questions_of[group]):
                continue
            lang, size = self.file["langs"][group], len(self.texts_of[group])
            batch, kinds, texts = begun.get(lang, ([], set(), 0))
            if batch and (texts + size > most_texts or self.file["kinds"][group] in kinds):
                yield batch
                batch, kinds, texts = [], set(), 0
            begun[lang] = ([*batch, group], kinds | {self.file["kinds"][group]}, texts + size)
        for batch, _, _ in begun.values():
            yield batch

    def sequences(self, name, rows, first):
        sizes = self.file["text_sizes" if name == "texts" else "question_sizes"][rows].astype(np.int64)
        most = int(-(-sizes.max() // 8) * 8)
        inside = np.arange(most)[None] < sizes[:, None]
        places = torch.tensor(np.where(inside, self.starts[name][rows][:, None] + np.arange(most)[None], 0), device=self.device)
        ids = torch.where(torch.tensor(inside, device=self.device), self.ids[name][places].long(), 0)
        return {"ids": ids, "first": torch.tensor(first, device=self.device)}

    def batch(self, groups, most_questions=400):
        texts = np.concatenate([self.texts_of[g] for g in groups])
        asked = np.concatenate([self.questions_of[g] for g in groups])
        if len(asked) > most_questions:
            asked = self.random.choice(asked, most_questions, replace=False)
        at = np.full(len(self.file["text_group"]), -1, np.int64)
        at[texts] = np.arange(len(texts))
        right = np.zeros((len(asked), len(texts)), bool)
        for row, question in enumerate(asked):
            begin = self.starts["answers"][question]
            right[row, at[self.file["answers"][begin : begin + self.file["answer_sizes"][question]]]] = True
        questions = self.sequences("questions", asked, np.full(len(asked), 2))
        return self.sequences("texts", texts, self.file["first"][texts].astype(np.int64)), questions, torch.tensor(right, device=self.device)


class Translations:
    """Batches of sentences as questions for their translations, in either direction and all languages mixed.

    Without them the language alone tells most wrong texts of a batch from the right one, and the vectors learn that.
    """

    def __init__(self, path, device, seed=0):
        file = np.load(path)
        self.device, self.random = device, np.random.default_rng(seed)
        self.sizes = file["sizes"].astype(np.int64)
        self.sides = [file[name] for name in ("english", "other")]
        self.starts = [np.concatenate([[0], np.cumsum(self.sizes[:, side])[:-1]]) for side in (0, 1)]

    def sequence(self, row, side):
        """`[CLS] [SEP] sentence [SEP]`, as questions and messages without one before them are."""
        begin = self.starts[side][row]
        return [CLS, SEP, *self.sides[side][begin + 1 : begin + self.sizes[row, side]]]

    def padded(self, sequences):
        ids = np.zeros((len(sequences), -(-max(map(len, sequences)) // 8) * 8), np.int64)
        for place, sequence in enumerate(sequences):
            ids[place, : len(sequence)] = sequence
        return {"ids": torch.tensor(ids, device=self.device), "first": torch.full((len(sequences),), 2, device=self.device)}

    def batch(self, most=512):
        rows = self.random.choice(len(self.sizes), min(most, len(self.sizes)), replace=False)
        asked = self.random.integers(0, 2, len(rows))
        questions = self.padded([self.sequence(row, side) for row, side in zip(rows, asked)])
        texts = self.padded([self.sequence(row, 1 - side) for row, side in zip(rows, asked)])
        return texts, questions, torch.eye(len(rows), dtype=torch.bool, device=self.device)


def search_loss(model, texts, questions, right, teacher=None):
    """The texts that answer against all others of the batch, and as near as a teacher has them."""
    scores = model.encode(questions) @ model.encode(texts).T / TEMPERATURE
    hard = (scores.logsumexp(-1) - scores.masked_fill(~right, -1e4).logsumexp(-1)).mean()
    if teacher is None:
        return hard
    with torch.no_grad():
        taught = teacher.encode(questions) @ teacher.encode(texts).T / TEMPERATURE
    return 0.5 * hard + 0.5 * kl_div(scores.log_softmax(-1), taught.log_softmax(-1), log_target=True, reduction="batchmean")


def found_at(model, pairs, places=(1, 5, 15)):
    """For what share of the questions a text that answers is among the first of its group."""
    ranks = []
    model.eval()
    with torch.no_grad():
        for group in range(len(pairs.file["kinds"])):
            if not len(pairs.questions_of[group]) or len(pairs.texts_of[group]) < 40:
                continue
            texts, questions, right = pairs.batch([group], most_questions=10_000)
            scores = model.encode(questions) @ model.encode(texts).T
            best = scores.masked_fill(~right, -9).amax(-1, keepdim=True)
            ranks += (scores > best).sum(-1).tolist()
    return " ".join(f"{np.mean(np.array(ranks) < place):.3f}" for place in places)
