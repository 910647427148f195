"""Trains the tagger's own layer and heads over the finished reader, which stays as it is.

    tag.py MINILM_FOLDER OWN_FOLDER OUT.pt --from IN.pt [--minutes N]

What the shared layers make of each message is computed once and kept, so that an epoch costs a sixth of a whole one.
"""
import argparse
import random
import time

import torch

from model import Reader, load_encoder
from own import own_rows
from train import tokenizer_of

parser = argparse.ArgumentParser()
parser.add_argument("minilm")
parser.add_argument("data")
parser.add_argument("out")
parser.add_argument("--from", dest="start", required=True)
parser.add_argument("--minutes", type=float, default=8)
parser.add_argument("--rate", type=float, default=4e-4)
options = parser.parse_args()
random.seed(0)
torch.manual_seed(0)
torch.set_num_threads(1)
model = Reader(load_encoder(f"{options.minilm}/all-minilm-l6-v2.onnx"))
known = torch.load(options.start, map_location="cpu")
model.load_state_dict(known, strict=False)
if not any(name.startswith("tagging.") for name in known):
    model.tagging.load_state_dict(model.encoder.encoder.layer[-1].state_dict())
rows = [r for r in own_rows(options.data, tokenizer_of(options.minilm), part="train") if r["kind"] == "tag"]
rows.sort(key=lambda r: len(r["ids"]))
batches = [rows[i : i + 24] for i in range(0, len(rows), 24)]
began = time.time()
with torch.no_grad():
    kept = [(batch, *model.below(batch)) for batch in batches]
print(f"{len(rows)} messages, {time.time() - began:.0f} s for the layers below", flush=True)
heads = [model.tagging, model.tags, model.states, model.others, model.subjects]
parameters = [p for part in heads for p in part.parameters()]
optimiser = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=0.01)
end, step, average = began + options.minutes * 60, 0, None
epoch = 0
while time.time() < end and epoch < 14:
    random.shuffle(kept)
    for batch, below, mask in kept:
        left = max(0.0, min((end - time.time()) / (options.minutes * 60), 1 - epoch / 14))
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, (step + 1) / 50) * max(0.02, left)
        dropped = torch.nn.functional.dropout(below, 0.1)
        loss = model.tagging_loss(batch, model.tag(dropped, mask))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        step += 1
        average = loss.item() if average is None else 0.98 * average + 0.02 * loss.item()
    epoch += 1
    print(f"epoch {epoch}, loss {average:.3f}, {time.time() - began:.0f} s", flush=True)
torch.save(model.state_dict(), options.out)
