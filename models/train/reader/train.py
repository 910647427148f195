"""Trains the reader in two stages; a third trains the tagger.

    train.py public  MINILM_FOLDER DATA_FOLDER OUT.pt [--minutes N] [--scale S]
    train.py own     MINILM_FOLDER OWN_FOLDER  OUT.pt --from IN.pt --public DATA_FOLDER [--minutes N]
    tag.py           MINILM_FOLDER OWN_FOLDER  OUT.pt --from IN.pt    the layer of the tagger alone, on what the others make

Runs on two cores in about an hour; the same seed and number of steps give the same weights on the same machine.
"""
import argparse
import random
import time

import torch
from tokenizers import Tokenizer

from model import Reader, load_encoder
from rows import public_rows


# The embeddings and the lowest layers stay as they are: a quarter less work, and they are general already.
FROZEN = 2


def tokenizer_of(folder):
    tokenizer = Tokenizer.from_file(f"{folder}/all-minilm-l6-v2-tokenizer.json")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def batches_of(rows, tokens=2000):
    """Rows of like length and one kind together, each batch of about as many tokens."""
    out = []
    for kind in ("read", "tag"):
        some = [r for r in rows if r["kind"] == kind]
        random.shuffle(some)
        for at in range(0, len(some), 800):
            group = sorted(some[at : at + 800], key=lambda r: len(r["ids"]))
            batch = []
            for row in group:
                if batch and (len(batch) + 1) * len(row["ids"]) > tokens:
                    out.append(batch)
                    batch = []
                batch.append(row)
            out.append(batch)
    random.shuffle(out)
    return out


def fit(model, rows, minutes, rate, epochs, path):
    for part in (model.encoder.embeddings, *model.encoder.encoder.layer[:FROZEN]):
        part.requires_grad_(False)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=0.01)
    began, step, seen = time.time(), 0, 0
    batches = [b for _ in range(epochs) for b in batches_of(rows)]
    model.train()
    average = {}
    for step, batch in enumerate(batches):
        done = max(step / len(batches), (time.time() - began) / (minutes * 60))
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 60) * max(0.02, 1 - done)
        if batch[0]["kind"] == "read":
            loss = model.reading_loss(batch)
        else:
            below, mask = model.below(batch)
            loss = model.tagging_loss(batch, model.tag(below, mask))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        seen += len(batch)
        kind = batch[0]["kind"]
        average[kind] = 0.98 * average.get(kind, loss.item()) + 0.02 * loss.item()
        if step % 50 == 0:
            losses = ", ".join(f"{k} {v:.3f}" for k, v in average.items())
            print(f"step {step}/{len(batches)}, {seen} rows, {losses}, {time.time() - began:.0f} s", flush=True)
        if step % 300 == 299:
            torch.save(model.state_dict(), path)
    torch.save(model.state_dict(), path)
    print(f"ended at step {step} of {len(batches)}, {seen} rows, {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("stage", choices=["public", "own"])
    parser.add_argument("minilm")
    parser.add_argument("data")
    parser.add_argument("out")
    parser.add_argument("--from", dest="start")
    parser.add_argument("--public")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    random.seed(0)
    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    tokenizer = tokenizer_of(options.minilm)
    model = Reader(load_encoder(f"{options.minilm}/all-minilm-l6-v2.onnx"))
    if options.start:
        model.load_state_dict(torch.load(options.start), strict=False)
    if options.stage == "public":
        rows = public_rows(options.data, tokenizer, scale=options.scale)
    else:
        from own import own_rows

        rows = own_rows(options.data, tokenizer, part="train")
        if options.public:
            rows += public_rows(options.public, tokenizer, seed=2, scale=options.scale)
    print(f"{len(rows)} rows, mean length {sum(len(r['ids']) for r in rows) / len(rows):.0f}", flush=True)
    fit(model, rows, options.minutes, options.rate, options.epochs, options.out)
