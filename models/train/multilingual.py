"""
Adds pieces of other languages to the English table: nice python multilingual.py DATA MODELS OUT

DATA has parallel.<language>.tsv and dict.<language>.tsv (English TAB other; inputs.json names their sources), MODELS the
English model.bin and vocab.txt, OUT gets model.bin, vocab.txt and multilingual.json. English rows stay as they are: they
are the teacher. A new row is trained so that the sum over a text comes near the English vector of its translation.
Runs on one core in about ten minutes.
"""

import collections
import hashlib
import json
import pathlib
import random
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from spelling import OTHER_SCRIPT, UNSPACED_WORD, Spelling, words

SEED, HELD_OUT, BATCH, GROUP = 7, 500, 2048, 512
# How many pieces are learned for each language; those that few texts use are dropped until MOST_ROWS are left.
PIECES = {"de": 6500, "fr": 5500, "es": 6000, "uk": 7500, "ar": 5500, "zh": 5500, "ja": 5500}
MOST_ROWS = 29_700
LANGUAGES = list(PIECES)


def main(data, model_folder, out, epochs):
    began = time.time()
    random.seed(SEED)
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    say = lambda text: print(f"{time.time() - began:5.0f} s  {text}", flush=True)
    base, scales, rows = read_model(model_folder)
    pairs = {language: read_pairs(data, language) for language in LANGUAGES}
    say("pairs read")
    spoken = {language: [list(map(sys.intern, words(target))) for _, target in group] for language, group in pairs.items()}
    other = choose_pieces(pairs, spoken)
    say(f"{sum(map(len, pairs.values()))} pairs, {len(other)} pieces chosen")

    spelling = Spelling(base, other)
    english = sorted({pair[0] for group in pairs.values() for pair in group})
    place = {text: at for at, text in enumerate(english)}
    frozen = torch.from_numpy(rows.astype(np.float32) * scales[:, None])
    wanted = sums(frozen, spelling.english_rows(english))
    say(f"{len(english)} English texts embedded")
    texts, goals, tongue = [], [], []
    for number, language in enumerate(LANGUAGES):
        for (source, _), found_words in zip(pairs[language], spoken[language]):
            found = [row for word in found_words for row in spelling.spell(word)]
            if any(row >= len(base) for row in found):
                texts.append(np.array(found[:128], np.int32))
                goals.append(place[source])
                tongue.append(number)
    other, texts = drop_rare(other, texts, len(base))
    say(f"{len(texts)} texts spelt, {len(other)} pieces kept")
    new, report = train(texts, torch.tensor(goals), torch.tensor(tongue), frozen, wanted, len(other), epochs, say)

    new_scales = new.abs().amax(1).clamp(min=1e-8) / 127
    new_rows = torch.round(new / new_scales[:, None])
    out.mkdir(parents=True, exist_ok=True)
    vocabulary = "".join(piece + "\n" for piece in base + other).encode()
    body = np.concatenate([scales, new_scales.numpy()]).astype("<f4").tobytes()
    body += np.concatenate([rows, new_rows.numpy().astype(np.int8)]).tobytes()
    header = b"TKSTATIC" + struct.pack("<IIII", 2, len(base) + len(other), rows.shape[1], 0)
    header += hashlib.sha256(struct.pack("<I", len(base)) + body + vocabulary).digest() + struct.pack("<II", len(base), 0)
    (out / "model.bin").write_bytes(header + body)
    (out / "vocab.txt").write_bytes(vocabulary)
    report |= {"pairs": {language: len(group) for language, group in pairs.items()}, "english_rows": len(base), "new_rows": len(other)}
    report |= {"taken_for_another_language": share_taken(Spelling(base, other), english), "seconds": round(time.time() - began)}
    (out / "multilingual.json").write_text(json.dumps(report, indent=2) + "\n")
    say(json.dumps(report))


def read_model(folder):
    raw = (folder / "model.bin").read_bytes()
    version, count, dimension = struct.unpack_from("<III", raw, 8)
    english = count if version == 1 else struct.unpack_from("<I", raw, 56)[0]
    base = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")[:english]
    scales = np.frombuffer(raw, "<f4", count, 64)[:english]
    rows = np.frombuffer(raw, np.int8, count * dimension, 64 + 4 * count).reshape(count, dimension)[:english]
    return base, scales, rows


def read_pairs(data, language):
    found = {}
    for name in ("parallel", "dict"):
        for line in (data / f"{name}.{language}.tsv").read_text(encoding="utf-8").splitlines():
            sides = line.split("\t")
            if len(sides) >= 2 and sides[0] and sides[1] and len(sides[1]) < 400:
                found[(sides[0], sides[1])] = None
    return list(found)


def choose_pieces(pairs, spoken):
    """Pieces of every language by frequency. `=` marks a whole word that English texts have as well."""
    english = collections.Counter(word for text in {pair[0] for group in pairs.values() for pair in group} for word in words(text))
    english_total, chosen = english.total(), {}
    for language, texts in spoken.items():
        counts = collections.Counter(word for text in texts for word in text)
        total = counts.total()
        spaced = language not in ("zh", "ja")
        mine = {
            word: count
            for word, count in counts.items()
            if word.isalpha() and (UNSPACED_WORD.match(word) is not None) == (not spaced) and (OTHER_SCRIPT.search(word) is not None) == (language not in ("de", "fr", "es"))
        }
        for piece in learn(mine, PIECES[language], spaced):
            if piece.startswith("##") or not spaced or OTHER_SCRIPT.search(piece):
                # Inside a Latin word the English pieces of the same letters are replaced in texts of other languages only.
                chosen.setdefault(piece, None)
                continue
            theirs, ours = counts[piece] / total, english[piece] / english_total
            alone = len(piece) > 1 and counts[piece] >= 3 and ours * 1e6 < 30 and theirs > 30 * ours
            if alone:
                chosen.pop("=" + piece, None)
                chosen[piece] = None
            elif piece not in chosen:
                chosen["=" + piece] = None
    return list(chosen)


def learn(counts, size, spaced):
    prefix = "##" if spaced else ""
    tokenizer = Tokenizer(models.BPE(continuing_subword_prefix=prefix) if spaced else models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    options = {"continuing_subword_prefix": prefix} if spaced else {}
    trainer = trainers.BpeTrainer(vocab_size=size, limit_alphabet=2600, min_frequency=3, max_token_length=16, show_progress=False, **options)
    tokenizer.train_from_iterator((" ".join([word] * min(count, 3000)) for word, count in counts.items()), trainer)
    return sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)


def drop_rare(other, texts, first):
    """Keeps the MOST_ROWS pieces that most texts use; a dropped piece is missing from its texts, as an unknown one is."""
    used = np.bincount(np.concatenate(texts), minlength=first + len(other))[first:]
    kept = np.sort(np.argsort(-used, kind="stable")[:MOST_ROWS])
    kept = kept[used[kept] >= 2]
    moved = np.full(first + len(other), -1, np.int32)
    moved[:first] = np.arange(first)
    moved[first + kept] = first + np.arange(len(kept))
    return [other[at] for at in kept], [(moved[text])[moved[text] >= 0] for text in texts]


def sums(table, rows):
    flat = torch.from_numpy(np.concatenate([np.array(row, np.int64) for row in rows]))
    offsets = torch.tensor(np.cumsum([0] + [len(row) for row in rows])[:-1])
    return F.embedding_bag(flat, table, offsets, mode="sum").half()


def train(texts, goals, tongue, frozen, wanted, count, epochs, say):
    lengths = torch.tensor([len(text) for text in texts])
    starts = lengths.cumsum(0) - lengths
    flat = torch.from_numpy(np.concatenate(texts))
    first = len(frozen)

    def gather(which):
        size = lengths[which]
        offsets = size.cumsum(0) - size
        at = torch.repeat_interleave(starts[which] - offsets, size) + torch.arange(int(size.sum()))
        return flat[at].long(), offsets, size

    # A first guess of a row: the mean of the English vectors of the texts that have it, small where the piece is common.
    new, seen = torch.zeros(count, frozen.shape[1]), torch.zeros(count)
    for part in torch.arange(len(texts)).split(8192):
        ids, _, size = gather(part)
        share = F.normalize(wanted[goals[part]].float(), dim=1) / size.clamp(min=1)[:, None].sqrt()
        owner = torch.repeat_interleave(torch.arange(len(part)), size)
        mine = ids >= first
        new.index_add_(0, ids[mine] - first, share[owner[mine]])
        seen.index_add_(0, ids[mine] - first, torch.ones(int(mine.sum())))
    typical = frozen.norm(dim=1).median()
    new = F.normalize(new - new.sum(0) / seen.sum() * seen[:, None], dim=1) * typical / (1 + seen[:, None] / 3000).sqrt()
    new = torch.nn.Parameter(new)

    held = torch.zeros(len(texts), dtype=torch.bool)
    for number in range(len(LANGUAGES)):
        of_language = torch.nonzero((tongue == number) & (lengths >= 4))[:, 0]
        held[of_language[torch.randperm(len(of_language))[:HELD_OUT]]] = True
    # A held-out sentence must not be known from another translation of the same English text.
    held_goals = set(goals[held].tolist())
    training = torch.tensor([at for at, goal in enumerate(goals.tolist()) if goal not in held_goals])

    def vectors(which, table):
        """Sums over English rows, which get no gradient, plus sums over the new ones."""
        ids, _, size = gather(which)
        owner = torch.repeat_interleave(torch.arange(len(which)), size)
        total = 0
        for part, rows_of in ((ids < first, frozen), (ids >= first, table)):
            size = torch.bincount(owner[part], minlength=len(which))
            total = total + F.embedding_bag(ids[part] - (0 if rows_of is frozen else first), rows_of, size.cumsum(0) - size, mode="sum")
        return total

    def measure(table):
        found = {}
        for number, language in enumerate(LANGUAGES):
            which = torch.nonzero(held & (tongue == number))[:, 0]
            made, target = F.normalize(vectors(which, table), dim=1), F.normalize(wanted[goals[which]].float(), dim=1)
            scores = made @ target.T
            rank = (scores > scores.diagonal()[:, None]).sum(1)
            found[language] = {"cosine": round(float(scores.diagonal().mean()), 3), "finds_translation_mrr": round(float((1 / (rank + 1)).mean()), 3), "at_5": round(float((rank < 5).float().mean()), 3)}
        return found

    optimiser = torch.optim.Adam([new], lr=0.006 * float(typical))
    steps = epochs * (len(training) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - 0.97 * step / steps)
    say(f"training {len(training)} texts, {steps} steps; typical length of a row {float(typical):.3f}")
    for epoch in range(epochs):
        total, done = 0.0, 0
        for part in training[torch.randperm(len(training))].split(BATCH):
            if len(part) < BATCH:
                continue
            made = vectors(part, new)
            target = wanted[goals[part]].float()
            # Messages are longer than example sentences: half of the batch becomes texts of two sentences.
            mixed = (torch.arange(BATCH) % 2 == 0).float()[:, None]
            made, target = made + mixed * made.roll(1, 0), target + mixed * target.roll(1, 0)
            made, target = F.normalize(made, dim=1), F.normalize(target, dim=1)
            scores = made.view(-1, GROUP, made.shape[1]) @ target.view(-1, GROUP, made.shape[1]).transpose(1, 2)
            contrast = F.cross_entropy(scores.flatten(0, 1) * 20, torch.arange(GROUP).repeat(BATCH // GROUP))
            loss = (1 - (made * target).sum(1)).mean() + 0.2 * contrast
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total, done = total + loss.item(), done + 1
            if done % 100 == 0:
                say(f"epoch {epoch}, step {done}: loss {total / done:.4f}")
        say(json.dumps({language: list(figures.values()) for language, figures in measure(new.detach()).items()}))
    return new.detach(), {"held_out": measure(new.detach()), "epochs": epochs, "seed": SEED}


def share_taken(spelling, english):
    sample = random.sample(english, min(100_000, len(english)))
    return sum(spelling.is_other(words(text)) for text in sample) / len(sample)


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:4]), int(sys.argv[4]) if len(sys.argv) > 4 else 6)
