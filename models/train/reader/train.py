"""Trains the reader: a teacher of twelve layers first, then the six that ship, which learn from the labels and from the teacher.

    train.py FOLDER OUT.pt [--device cuda] [--minutes TEACHER STUDENT] [--steps N] [--tokens N] [--begin READER.bin|.pt] [--compile]

FOLDER is what `prepare.py` wrote. Each of the two goes through three stages: translations of English sentences get the
vectors that the English ones had; then public questions; then mostly our own data. In the last stage the student's weights
are used as they will be stored. With `--begin` the student goes on from an earlier model and skips the first stage.
`--steps` cuts every stage short and `--tokens` makes smaller batches, to try the scripts.
"""
import argparse
import copy
import queue
import threading
import time

import numpy as np
import torch

from model import Layer, Reader, block, reading_loss, tagging_loss
from search import Pairs, Translations, found_at, search_loss
from validate import figures
from weights import load, load_trained, shape_of

LEVELS = (7, 4)
TOKENS = 32768


class Rows:
    """Rows of a file on the device, as batches of like length."""

    def __init__(self, paths, device, seed=0, tokens=TOKENS):
        self.tokens = tokens
        self.random = np.random.default_rng(seed)
        self.device = device
        self.columns = {}
        parts = []
        for path in paths:
            file = np.load(path)
            parts.append({name: file[name] for name in file.files})
        self.ids = torch.tensor(np.concatenate([p["ids"] for p in parts]).astype(np.int32), device=device)
        sizes = np.concatenate([p["sizes"] for p in parts]).astype(np.int64)
        tagging = np.concatenate([p["tagging"] for p in parts])
        self.tagging = tagging
        self.sizes, self.starts = sizes, np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.tag_starts = np.zeros(len(sizes), np.int64)
        self.tag_starts[tagging] = np.concatenate([[0], np.cumsum(sizes[tagging])[:-1]])
        for name in ("tags", "states", "others", "subjects"):
            self.columns[name] = torch.tensor(np.concatenate([p[name] for p in parts]).astype(np.int16), device=device)
        for name, kind in (("first", torch.int64), ("span", torch.int64), ("relevant", torch.float32), ("polarity", torch.float32)):
            self.columns[name] = torch.tensor(np.concatenate([p[name] for p in parts]).astype(np.float32)).to(device, kind)
        self.lang = np.concatenate([p["lang"] for p in parts])
        labelled = np.array([True] * len(sizes))
        first_tags = self.columns["tags"].cpu().numpy()
        for row in np.flatnonzero(tagging):
            at = self.tag_starts[row]
            labelled[row] = (first_tags[at : at + sizes[row]] >= 0).any()
        own = self.lang >= 0
        self.pools = {
            "public": np.flatnonzero(~tagging & ~own),
            "reading": np.flatnonzero(~tagging & own),
            "tagging": np.flatnonzero(tagging & own),
            "unlabelled": np.flatnonzero(tagging & ~labelled),
        }

    def batches(self, pool, random):
        """One pass over a pool in random order."""
        rows = random.permutation(self.pools[pool])
        found = []
        for at in range(0, len(rows), 8192):
            some = rows[at : at + 8192]
            some = some[np.argsort(self.sizes[some], kind="stable")]
            end = len(some)
            while end > 0:
                # The longest row of a batch is its last one, and every other is padded to it.
                begin = max(0, end - max(1, self.tokens // int(self.sizes[some[end - 1]])))
                found.append(some[begin:end])
                end = begin
        random.shuffle(found)
        return found

    def batch(self, rows):
        size = int(-(-self.sizes[rows].max() // 8) * 8)
        inside = np.arange(size)[None] < self.sizes[rows][:, None]
        places = torch.tensor(np.where(inside, self.starts[rows][:, None] + np.arange(size)[None], 0), device=self.device)
        mask = torch.tensor(inside, device=self.device)
        index = torch.tensor(rows, device=self.device)
        out = {"ids": torch.where(mask, self.ids[places].long(), 0)}
        for name in ("first", "span", "relevant", "polarity"):
            out[name] = self.columns[name][index]
        if self.tagging[rows[0]]:
            places = torch.tensor(np.where(inside, self.tag_starts[rows][:, None] + np.arange(size)[None], 0), device=self.device)
            for name in ("tags", "states", "others", "subjects"):
                out[name] = torch.where(mask, self.columns[name][places].long(), -100)
        return out


def ahead(items):
    """The same items, made by a thread of their own while the device computes."""
    ready = queue.Queue(2)

    def make():
        for item in items:
            ready.put(item)

    threading.Thread(target=make, daemon=True).start()
    while True:
        yield ready.get()


def forever(rows, pool, seed):
    random = np.random.default_rng(seed)
    while True:
        for some in rows.batches(pool, random):
            yield rows.batch(some)


def pairs_forever(pairs):
    while True:
        for groups in pairs.group_batches():
            yield pairs.batch(groups)


def translations_forever(translations, tokens):
    while True:
        yield translations.batch(max(2, tokens // 64))


def optimiser_of(model, rate):
    plain, heads = [], []
    for name, value in model.named_parameters():
        (plain if name.startswith(("encoder.", "tagging.")) else heads).append(value)
    groups = [{"params": plain, "peak": rate}, {"params": heads, "peak": rate * 5}]
    # Older versions know no fused optimiser, and it only pays on an accelerator.
    fused = {"fused": True} if heads[0].is_cuda else {}
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, betas=(0.9, 0.98), **fused)


def step_with(model, optimiser, loss, left, step):
    for group in optimiser.param_groups:
        group["lr"] = group["peak"] * min(1.0, (step + 1) / 100) * max(0.01, left)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def translate(model, path, device, seconds, limit, rate, tokens=TOKENS):
    """A sentence and its translation get the vector that the English one had before."""
    file = np.load(path)
    sizes = file["sizes"].astype(np.int64)
    sides = [torch.tensor(file[name].astype(np.int32), device=device) for name in ("english", "other")]
    starts = [np.concatenate([[0], np.cumsum(sizes[:, side])[:-1]]) for side in (0, 1)]
    frozen = copy.deepcopy(model.encoder).eval()
    layers = [value for name, value in model.encoder.named_parameters() if name != "words"]
    # Half of the words are new and have everything to learn.
    groups = [{"params": [model.encoder.words], "peak": 4e-4}, {"params": layers, "peak": rate}]
    optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)
    random = np.random.default_rng(0)

    def batch(rows, side):
        most = int(sizes[rows, side].max())
        inside = np.arange(most)[None] < sizes[rows, side][:, None]
        places = torch.tensor(np.where(inside, starts[side][rows][:, None] + np.arange(most)[None], 0), device=device)
        ids = torch.where(torch.tensor(inside, device=device), sides[side][places].long(), 0)
        return {"ids": ids, "first": torch.full((len(rows),), most, device=device)}

    def vectors(encoder, given):
        states = encoder(given).float()
        mask = (given["ids"] != 0)[:, :, None]
        return (states * mask).sum(1) / mask.sum(1)

    def direction(vectors, middle):
        return torch.nn.functional.normalize(vectors - middle, dim=-1)

    began, step, average = time.time(), 0, None
    pairs = max(2, tokens // 32)
    model.train()
    while True:
        order = random.permutation(len(sizes))
        for at in range(0, len(order), pairs * 16):
            some = order[at : at + pairs * 16]
            some = some[np.argsort(sizes[some].sum(1), kind="stable")]
            groups = np.array_split(some, max(1, len(some) // pairs))
            for place in random.permutation(len(groups)):
                rows = groups[place]
                done = max((time.time() - began) / seconds, step / limit if limit else 0)
                if done >= 1:
                    print(f"translated: {step} steps, loss {average:.4f}, {time.time() - began:.0f} s", flush=True)
                    return
                with torch.autocast(device.split(":")[0], torch.bfloat16):
                    english = batch(rows, 0)
                    with torch.no_grad():
                        wanted = vectors(frozen, english)
                        # All vectors of an untrained BERT point the same way; what tells sentences apart is the rest.
                        middle = wanted.mean(0, keepdim=True)
                        wanted = direction(wanted, middle)
                    mine, other = (direction(vectors(model.encoder, side), middle) for side in (english, batch(rows, 1)))
                    contrast = torch.nn.functional.cross_entropy(other @ wanted.T / 0.05, torch.arange(len(rows), device=device))
                    loss = 20 * ((1 - (mine * wanted).sum(-1)).mean() + (1 - (other * wanted).sum(-1)).mean()) + 0.2 * contrast
                step_with(model, optimiser, loss, 1 - done, step)
                average = loss.item() if average is None else 0.98 * average + 0.02 * loss.item()
                step += 1


# The share of steps that are about vectors for search, and of those the share that finds translations.
SEARCH, TRANSLATED = 0.3, 0.35
# Shares of the batches of each pool: public questions first, then mostly our own data.
PLAN = {
    False: ({"public": 0.75, "reading": 0.12, "tagging": 0.13}, {"public": 0.2, "reading": 0.45, "tagging": 0.35}),
    True: ({"public": 0.6, "reading": 0.15, "tagging": 0.15, "unlabelled": 0.1}, {"public": 0.2, "reading": 0.4, "tagging": 0.28, "unlabelled": 0.12}),
}


def fit(model, rows, kept, device, seconds, rate, limit, pairs, translations, teacher=None, round_from=2.0, own_from=0.5):
    """`pairs` are the groups for search: our own, public ones, and those for validation; `translations` are sentences in two languages. From the share `own_from` of the time on, most of the data is our own."""
    optimiser = optimiser_of(model, rate)
    streams = {pool: ahead(forever(rows, pool, seed)) for seed, pool in enumerate(rows.pools) if len(rows.pools[pool])}
    searches = [ahead(pairs_forever(some)) for some in pairs[:2]]
    translated = ahead(translations_forever(translations, rows.tokens))
    began, step, average, rounds = time.time(), 0, {}, False
    next_look = 0.5
    model.train()
    while True:
        done = max((time.time() - began) / seconds, step / limit if limit else 0)
        if done >= 1:
            break
        shares = PLAN[teacher is not None][done >= own_from]
        pool = rows.random.choice(list(shares), p=list(shares.values()))
        if done >= round_from and (not rounds or step % 200 == 0):
            model.round_weights()
            rounds = True
        if rows.random.random() < SEARCH:
            found = searches[int(rows.random.random() < (0.5 if done < own_from else 0.2))]
            some = translated if rows.random.random() < TRANSLATED else found
            with torch.autocast(device.split(":")[0], torch.bfloat16):
                loss = search_loss(model, *next(some), teacher)
            step_with(model, optimiser, loss, 1 - done, step)
            average["search"] = 0.95 * average.get("search", loss.item()) + 0.05 * loss.item()
            step += 1
            continue
        batch = next(streams[pool])
        reads = pool in ("public", "reading")
        with torch.autocast(device.split(":")[0], torch.bfloat16):
            taught = None
            if teacher is not None:
                with torch.no_grad():
                    taught = teacher.read(batch) if reads else teacher.tag(batch)
            loss = reading_loss(model.read(batch), batch, taught) if reads else tagging_loss(model.tag(batch), batch, taught)
        step_with(model, optimiser, loss, 1 - done, step)
        if step % 10 == 0:
            average[pool] = 0.95 * average.get(pool, loss.item()) + 0.05 * loss.item()
        step += 1
        if done >= next_look:
            next_look += 0.5
            losses = ", ".join(f"{k} {v:.3f}" for k, v in average.items())
            found = f"; found {found_at(model, pairs[2])}"
            print(f"step {step}, {time.time() - began:.0f} s, {losses}; {figures(model, kept)}{found}", flush=True)
            model.train()
    found = f"; found {found_at(model, pairs[2])}"
    print(f"ended at step {step}, {time.time() - began:.0f} s; {figures(model, kept, whole=True)}{found}", flush=True)


def compile_layers():
    """Makes one program of each layer for every kind of use. Only the number of rows and their length may vary in it."""
    torch._dynamo.config.automatic_dynamic_shapes = False
    torch._dynamo.config.cache_size_limit = 64
    compiled = torch.compile(block)

    def run(x, mask, *rest):
        for tensor, places in ((x, (0, 1)), (mask, (0, 3))):
            for place in places:
                torch._dynamo.maybe_mark_dynamic(tensor, place)
        return compiled(x, mask, *rest)

    Layer.run = staticmethod(run)


def train(folder, out, device, minutes, limit, begin, tokens):
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = True
    rows = Rows([f"{folder}/public.npz", f"{folder}/own.npz"], device, tokens=tokens)
    kept = Rows([f"{folder}/validation.npz"], device, tokens=tokens)
    pairs = [Pairs(f"{folder}/{name}.npz", device) for name in ("pairs-own", "pairs-public", "pairs-validation")]
    translations = Translations(f"{folder}/translated.npz", device)
    print({name: len(pool) for name, pool in rows.pools.items()}, flush=True)
    pieces = len(np.load(f"{folder}/{'bert' if minutes[0] > 0 else 'minilm'}.npz")["words"])
    teacher = None
    if minutes[0] > 0:
        layers, width = shape_of(f"{folder}/bert.npz")
        teacher = Reader(pieces, layers=layers, own=layers // 4, width=width)
        load(teacher, f"{folder}/bert.npz")
        teacher.to(device)
        translate(teacher, f"{folder}/translated.npz", device, minutes[0] * 60 * 0.2, limit, 1e-4, tokens)
        teacher.split()
        fit(teacher, rows, kept, device, minutes[0] * 60 * 0.8, 7e-5, limit, pairs, translations, own_from=0.35)
        teacher.eval()
    model = Reader(pieces, layers=6, own=2, levels=LEVELS)
    seconds = minutes[1] * 60
    if begin:
        load_trained(model, begin)
        model.to(device)
        print(f"begins with {figures(model, kept)}; found {found_at(model, pairs[2])}", flush=True)
        fit(model, rows, kept, device, seconds, 2e-4, limit, pairs, translations, teacher, round_from=0.4, own_from=0)
    else:
        load(model, f"{folder}/minilm.npz")
        model.to(device)
        translate(model, f"{folder}/translated.npz", device, seconds * 0.25, limit, 4e-4, tokens)
        model.split()
        fit(model, rows, kept, device, seconds * 0.75, 3e-4, limit, pairs, translations, teacher, round_from=0.6)
    torch.save({name: value.cpu() for name, value in model.state_dict().items()}, out)
    if teacher is not None:
        torch.save({name: value.half().cpu() for name, value in teacher.state_dict().items()}, out.replace(".pt", "-teacher.pt"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--minutes", type=float, nargs=2, default=[9, 12])
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--begin")
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    if options.compile:
        compile_layers()
    train(options.folder, options.out, options.device, options.minutes, options.steps, options.begin, options.tokens)
