"""Distil all-MiniLM-L6-v2 into a table of word-piece vectors whose weighted sum is the vector of a text.

    python distill.py --data FOLDER --out FOLDER [--limit 2000]

FOLDER of --data holds teacher.npz (pack_teacher.py), tokenizer.json (of the teacher) and texts.txt.xz (gather.py).
Steps: teacher vectors; principal axes; ridge regression from word-piece counts; fine-tuning by Adam; int8; report.
Four variants are trained (pieces counted as often as they occur or once; teacher vectors as they are or centred), each
written as model-<variant>.bin, so that the choice can be made on data of the product's own kind.
"""

import argparse
import hashlib
import json
import lzma
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from bags import Bags
from measure import measure
from model_file import write_model
from teacher import encode, load_teacher

DIMENSIONS, LONGEST, VOCABULARY, SPECIAL = 256, 126, 30522, (0, 100, 101, 102, 103)
SEED, HELD_OUT = 20240607, 8000


def main():
    arguments = parse_arguments()
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data, out = pathlib.Path(arguments.data), pathlib.Path(arguments.out)
    clock = Clock()

    tokenizer = Tokenizer.from_file(str(data / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pairs, texts = read_texts(data / "texts.txt.xz", arguments.limit)
    tokenise = lambda batch: [np.array(e.ids[:LONGEST], np.int64) for e in tokenizer.encode_batch(batch, add_special_tokens=False)]
    rows = tokenise(texts)
    rows += mixtures(rows, len(rows) // 5)
    glosses, examples = tokenise([pair[0] for pair in pairs]), tokenise([pair[1] for pair in pairs])
    clock.say(f"{len(texts)} texts, {len(rows)} with mixtures, {sum(map(len, rows))} word pieces")

    weights = load_teacher(data / "teacher.npz", device)
    taught = encode(weights, rows, device)
    taught_pairs = [encode(weights, side, device) for side in (glosses, examples)]
    alone = encode(weights, [np.array([piece]) for piece in range(VOCABULARY)], device)
    inputs = weights["embeddings.word_embeddings.weight"].float()
    del weights
    clock.say("teacher done")

    held = min(HELD_OUT, len(texts) // 10)
    report = {"texts": len(texts), "training_texts": len(rows) - held, "held_out": held, "variants": {}}
    for centred in (False, True):
        mean = taught[held:].mean(0) if centred else torch.zeros(taught.shape[1], device=device)
        axes, kept = principal_axes(taught[held:] - mean)
        project = lambda vectors: F.normalize((vectors - mean) @ axes, dim=1)
        targets, token_targets = project(taught), project(alone)
        for counting in ("all", "once"):
            name = f"{counting}-{'centred' if centred else 'plain'}"
            bags = Bags(rows, VOCABULARY, device, once=counting == "once", skip=SPECIAL)
            sides = [Bags(side, VOCABULARY, device, once=counting == "once", skip=SPECIAL) for side in (glosses, examples)]
            judge = lambda table: measure(table, bags, targets[:held], taught[:held], sides)
            frequency = sif_weights(bags, held)
            solved, solved_line = ridge(bags, held, targets, frequency, token_targets, inputs, judge)
            lines = {"variance_kept": kept, "frequency_weighted_pieces_alone": judge(frequency[:, None] * token_targets), "ridge": solved_line}
            clock.say(f"{name}: ridge {json.dumps(lines)}")
            tuned = fine_tune(bags, held, targets, solved, arguments.steps, arguments.batch, judge if arguments.verbose else None)
            tuned[list(SPECIAL)] = 0
            lines["tuned"] = judge(tuned)
            whole, scales = quantise(tuned)
            lines["int8"] = judge(whole.float() * scales[:, None])
            report["variants"][name] = lines
            clock.say(f"{name}: tuned {json.dumps(lines['tuned'])} int8 {json.dumps(lines['int8'])}")
            write_model(out, name, tokenizer, whole.cpu().numpy(), scales.cpu().numpy(), once=counting == "once")
            del bags, solved, tuned
    report["teacher"] = teacher_line(taught_pairs)
    report["seconds"] = clock.seconds()
    report["device"] = torch.cuda.get_device_name() if device == "cuda" else "cpu"
    report["inputs"] = {name: hashlib.sha256((data / name).read_bytes()).hexdigest() for name in ("teacher.npz", "tokenizer.json", "texts.txt.xz")}
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))


def read_texts(path, limit):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    pairs = [tuple(line.split("\t")) for line in lines if "\t" in line]
    texts = [line for line in lines if line and "\t" not in line]
    return (pairs, texts) if limit is None else (pairs[:limit // 4], texts[:limit])


def mixtures(rows, count):
    """Two or three texts after another: turns of a conversation run over several subjects."""
    rng = np.random.default_rng(SEED)
    picks = rng.integers(0, len(rows), (count, 3))
    parts = rng.integers(2, 4, count)
    return [np.concatenate([rows[i] for i in picks[line, :parts[line]]])[:LONGEST] for line in range(count)]


def principal_axes(vectors):
    """The 256 leading axes of the (possibly uncentred) second moments, and the share of them kept."""
    moments = (vectors.T.double() @ vectors.double()) if vectors.device.type == "cpu" else sum(
        part.double().T @ part.double() for part in vectors.split(65536))
    values, axes = torch.linalg.eigh(moments)
    return axes[:, -DIMENSIONS:].flip(1).float(), round(float(values[-DIMENSIONS:].sum() / values.sum()), 4)


def sif_weights(bags, held):
    """Smooth inverse frequency, a / (a + p): frequent pieces say little about what a text is about."""
    counts = bags.piece_counts(held)
    return 1e-3 / (1e-3 + counts / counts.sum())


def ridge(bags, held, targets, frequency, token_targets, inputs, judge):
    """
    Least squares from weighted counts to teacher vectors, drawn towards a prior; the strength is the one that serves the
    held-out texts best. The first pass draws towards the teacher's vector of the piece alone; from its frequent pieces a
    linear map (piece alone, input embedding) -> row is learnt, and the second pass draws towards that map's answer, which
    is also what pieces without a single text keep.
    """
    gram, sums, seen = bags.normal_equations(held, targets, frequency)
    counts = bags.piece_counts(held)[seen]
    features = torch.cat([token_targets, F.normalize(inputs, dim=1), torch.ones_like(inputs[:, :1])], 1).double()
    common = counts >= min(30, int(counts.max()))
    known = features[seen][common]
    eye = torch.eye(features.shape[1], device=features.device, dtype=torch.float64)
    tried, best = {}, None
    for strength in (0.1, 0.3, 1.0, 3.0):
        drawn = gram.clone()
        drawn.diagonal().add_(strength)
        factor, failed = torch.linalg.cholesky_ex(drawn)
        del drawn
        if failed:
            continue
        solve = lambda centre: torch.cholesky_solve(sums + strength * centre[seen], factor).float()
        first = solve(token_targets)[common].double()
        solution = (features @ torch.linalg.solve(known.T @ known + 10 * eye, known.T @ first)).float()
        solution[seen] = solve(solution)
        solution = solution * frequency[:, None]
        tried[strength] = judge(solution)
        if best is None or tried[strength]["neighbours_at_10"] > tried[best[0]]["neighbours_at_10"]:
            best = (strength, solution)
    return best[1], {"strength": best[0], **tried[best[0]], "tried": {key: line["neighbours_at_10"] for key, line in tried.items()}}


def fine_tune(bags, held, targets, start, steps, batch, judge):
    """Adam on cosine plus the divergence of similarity rows; a row of few texts is held near its start."""
    generator = torch.Generator(device="cpu").manual_seed(SEED)
    size = start[start.norm(dim=1) > 0].norm(dim=1).median()
    table = (start / size).clone().requires_grad_()
    anchor = table.detach().clone()
    hold = (1.0 / (1.0 + bags.piece_counts(held)))[:, None]
    strength = torch.zeros_like(start[:, :1]).requires_grad_()
    optimiser = torch.optim.Adam([{"params": [table], "lr": 4e-3}, {"params": [strength], "lr": 1e-2}], betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, [4e-3, 1e-2], total_steps=steps, pct_start=0.1)
    training = bags.texts - held
    for step in range(steps):
        if step % max(1, training // batch) == 0:
            order = held + torch.randperm(training, generator=generator).to(start.device)
        begin = step % max(1, training // batch) * batch
        chosen = order[begin:begin + batch]
        whole = table * strength.exp()
        student, target = F.normalize(bags.sum(whole, chosen), dim=1), targets[chosen]
        cosine = 1 - (student * target).sum(1).mean()
        loss = cosine + 0.3 * row_divergence(student, target) + 0.5 * (hold * (whole - anchor).square()).sum(1).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        schedule.step()
        if judge and (step + 1) % 3000 == 0:
            print(f"  step {step + 1}: loss {loss.item():.4f} {json.dumps(judge((table * strength.exp()).detach()))}", flush=True)
    return (table * strength.exp()).detach()


def row_divergence(student, target, temperature=0.05):
    """KL between what the teacher and the student find similar within the batch, a text itself left out."""
    hide = torch.eye(len(student), device=student.device, dtype=torch.bool)
    taught = (target @ target.T / temperature).masked_fill(hide, -1e4).log_softmax(1)
    learnt = (student @ student.T / temperature).masked_fill(hide, -1e4).log_softmax(1)
    return F.kl_div(learnt, taught, log_target=True, reduction="batchmean")


def quantise(table):
    scales = table.abs().amax(1).clamp_min(1e-12) / 127
    return (table / scales[:, None]).round().clamp(-127, 127).to(torch.int8), scales


def teacher_line(sides):
    places = (sides[0] @ sides[1].T)
    rank = (places > places.diagonal()[:, None]).sum(1)
    return {"gloss_to_example_mrr": round(float((1 / (rank + 1)).mean()), 4), "gloss_to_example_at_10": round(float((rank < 10).float().mean()), 4)}


class Clock:
    def __init__(self):
        self.started = time.time()

    def seconds(self):
        return round(time.time() - self.started, 1)

    def say(self, message):
        print(f"[{self.seconds():7.1f} s] {message}", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
