"""Trains the tagger's own layers again and leaves everything that reads, ranks and encodes as it is, bit for bit.

    tagger.py rows READER.bin DATA_FOLDER CORPUS_FOLDER OUT_FOLDER
    tagger.py train FOLDER READER.bin OUT.pt [--device cuda] [--minutes TEACHERS STUDENT] [--teachers N] [--steps N] [--tokens N]
    tagger.py write READER.bin OUT.pt NEW.bin [QUALITY]

Several teachers begin at the shipped weights and learn from the labels with all their layers, each in another order. What they
say together is what the tagger learns, beside the labels: in our lives not everything was labelled, and where most teachers find
a fact, a missing label is not held against it.
"""
import argparse
import copy
import json
import struct
import time

import numpy as np
import torch

from lives import LANGUAGES
from model import OUTPUTS, Reader, tagging_loss
from own import lives_in, messages_in, mistyped, swapped_life, swapped_message, tagging_rows, values_of
from rows import tagging_row, unlabelled_rows
from train import LEVELS, TOKENS, Rows, step_with
from validate import figures
from weights import load_trained

# How many of the batches are single messages, whose labels are complete, messages of lives, and messages of public dialogues.
SHARES = {"messages": 0.58, "lives": 0.28, "unlabelled": 0.14}
COPIES = 3


def body_of(path):
    import brotli

    body = brotli.decompress(open(path, "rb").read())
    (size,) = struct.unpack("<I", body[4:8])
    return bytearray(body), json.loads(body[8 : 8 + size]), -(-(8 + size) // 16) * 16


def rows(shipped, data, corpus, out):
    from pieces import tokenizer_of
    from prepare import packed

    pieces = body_of(shipped)[1]["vocabulary"]
    json.dump(pieces, open(f"{out}/pieces.json", "w", encoding="utf8"), ensure_ascii=False)
    tokenizer = tokenizer_of(f"{out}/pieces.json")
    for part, copies in (("train", COPIES), ("validation", 0)):
        lives, messages = lives_in(corpus, part), messages_in(corpus, part)
        stock = values_of(lives, messages)
        found = {"messages": [], "lives": []}
        for copied in range(copies + 1):
            for life in lives:
                life = swapped_life(life, stock) if copied else life
                for conversation in life["conversations"]:
                    found["lives"] += [{**row, "lang": life["lang"]} for row in tagging_rows(conversation, tokenizer, noise=copied > 0)]
            for message in messages:
                message = swapped_message(message, stock) if copied else message
                row = tagging_row(tokenizer, "", *(mistyped(message) if copied else (message["text"], message["labels"])))
                found["messages"].append({**row, "lang": message["lang"]})
        for name, some in found.items():
            np.savez_compressed(f"{out}/{name}-{part}.npz", **packed(some))
            print(part, name, len(some), flush=True)
    np.savez_compressed(f"{out}/unlabelled-train.npz", **packed(unlabelled_rows(data, tokenizer)))


def batches(sources, tokens, seed):
    """Batches of the three kinds of messages in their shares, for ever."""
    random = np.random.default_rng(seed)
    waiting = {name: [] for name in sources}
    names = [name for name in SHARES if name in sources]
    shares = np.array([SHARES[name] for name in names])
    while True:
        name = random.choice(names, p=shares / shares.sum())
        if not waiting[name]:
            waiting[name] = sources[name].batches("unlabelled" if name == "unlabelled" else "tagging", random)
        yield name, sources[name].batch(waiting[name].pop())


def agreed(made):
    """What several teachers say together, in the form in which one says it."""
    out = {name: torch.stack([one[name].softmax(-1) for one in made]).mean(0).clamp(min=1e-7).log() for name in ("tags", "states", "subjects")}
    out["others"] = torch.logit(torch.stack([torch.sigmoid(one["others"]) for one in made]).mean(0), eps=1e-5)
    return out


def fit(model, sources, kept, device, seconds, limit, tokens, rate, seed, teachers=(), round_from=2.0):
    trained = [value for value in model.parameters() if value.requires_grad]
    optimiser = torch.optim.AdamW([{"params": trained, "peak": rate}], lr=rate, weight_decay=0.01, betas=(0.9, 0.98))
    torch.manual_seed(seed)
    stream = batches({name: some for name, some in sources.items() if teachers or name != "unlabelled"}, tokens, seed)
    began, step, average, rounds = time.time(), 0, {}, False
    while True:
        done = max((time.time() - began) / seconds, step / limit if limit else 0)
        if done >= 1:
            break
        model.train()
        if done >= round_from and (not rounds or step % 200 == 0):
            model.round_weights()
            rounds = True
        name, batch = next(stream)
        with torch.autocast(device.split(":")[0], torch.bfloat16):
            taught = None
            if teachers:
                with torch.no_grad():
                    taught = agreed([teacher.tag(batch) for teacher in teachers])
            loss = tagging_loss(model.tag(batch), batch, taught)
        step_with(model, optimiser, loss, 1 - done, step)
        if step % 20 == 0:
            average[name] = 0.9 * average.get(name, loss.item()) + 0.1 * loss.item()
        step += 1
    losses = ", ".join(f"{name} {loss:.3f}" for name, loss in average.items())
    print(f"{step} steps, {time.time() - began:.0f} s, {losses}", flush=True)
    report(model, kept)


def report(model, kept):
    model.eval()
    for name, some in kept.items():
        found = json.loads(figures(model, some, whole=True))
        languages = {code: line[2:] for code, line in found["languages"].items()}
        print(f"  {name}: facts {found['facts']}, relation, state, subject {found['relation, state, subject']}, at .65 {languages}", flush=True)


def own_parts(model):
    """The layers and heads that only tagging uses."""
    return [*model.tagging.parameters(), *(value for head in (model.tags, model.states, model.others, model.subjects) for value in head.parameters())]


def train(folder, shipped, out, device, minutes, count, limit, tokens):
    sources = {name: Rows([f"{folder}/{name}-train.npz"], device, tokens=tokens) for name in SHARES}
    kept = {name: Rows([f"{folder}/{name}-validation.npz"], device, tokens=tokens) for name in ("messages", "lives")}
    print({name: len(some.sizes) for name, some in sources.items()}, flush=True)
    student = Reader(len(body_of(shipped)[1]["vocabulary"]), layers=6, own=2, levels=LEVELS)
    load_trained(student, shipped)
    student.to(device)
    report(student, kept)
    teachers = []
    for number in range(count):
        teacher = copy.deepcopy(student)
        fit(teacher, sources, kept, device, minutes[0] * 60 / count, limit, tokens, 1e-4, number)
        teachers.append(teacher.eval())
    for value in student.parameters():
        value.requires_grad_(False)
    for value in own_parts(student):
        value.requires_grad_(True)
    fit(student, sources, kept, device, minutes[1] * 60, limit, tokens, 3e-4, count, teachers, round_from=0.4)
    torch.save({name: value.cpu() for name, value in student.state_dict().items() if name.split(".")[0] in ("tagging", "tags", "states", "others", "subjects")}, out)


def write(shipped, weights, out, quality=11):
    """The shipped file with the tagger's tensors in the place of its old ones; every other byte stays."""
    import brotli

    from export import quantised

    state = torch.load(weights, map_location="cpu")
    body, header, begin = body_of(shipped)
    model = Reader(len(header["vocabulary"]), layers=6, own=2)
    first = header["layers"] - model.own

    def put(name, array, row=0):
        at = begin + header["tensors"][name]["at"] + row * (array.nbytes // len(array))
        body[at : at + array.nbytes] = array.tobytes()

    def matrix(name, weight, bias, levels, row=0):
        codes, steps = quantised(weight, levels)
        put(name, codes, row)
        put(f"{name}.steps", steps, row)
        put(f"{name}.bias", bias.astype(np.float32), row)

    get = lambda name: state[name].float().numpy()
    for layer in range(model.own):
        for name in ("qkv", "mixed", "wide", "narrow"):
            matrix(f"tagging.{first + layer}.{name}", get(f"tagging.{layer}.{name}.weight"), get(f"tagging.{layer}.{name}.bias"), LEVELS[0])
            if name in ("mixed", "narrow"):
                put(f"tagging.{first + layer}.{name}.gain", get(f"tagging.{layer}.{name}_norm.weight"))
                put(f"tagging.{first + layer}.{name}.shift", get(f"tagging.{layer}.{name}_norm.bias"))
    row = 0
    for name in OUTPUTS:
        rows_of = len(getattr(model, name).bias)
        if name in ("tags", "states", "others", "subjects"):
            matrix("outputs", get(f"{name}.weight"), get(f"{name}.bias"), 127, row)
        row += rows_of
    packed = brotli.compress(bytes(body), quality=quality, lgwin=24)
    open(out, "wb").write(packed)
    print(f"{len(body)} bytes, {len(packed)} packed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["rows", "train", "write"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--minutes", type=float, nargs=2, default=[5, 6])
    parser.add_argument("--teachers", type=int, default=4)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    options = parser.parse_args()
    if options.what == "rows":
        rows(*options.paths)
    elif options.what == "write":
        shipped, weights, out, *quality = options.paths
        write(shipped, weights, out, *map(int, quality))
    else:
        train(*options.paths, options.device, options.minutes, options.teachers, options.steps, options.tokens)
