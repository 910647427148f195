"""One encoder, several heads: spans and relevance for reading, tags, states and subjects for facts."""
import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, gelu, kl_div, linear, normalize, scaled_dot_product_attention

from labels import RELATIONS, STATES

WIDTH, HEADS, INNER, POSITIONS = 384, 12, 1536, 144
# Numbers in a vector for search.
DIMENSIONS = 256
# Most words are part of no fact; without less weight for them the tagger finds none.
NOTHING = 0.35


class Rounded:
    """Rounds weights to few levels in the forward pass, so that training gets used to what the file will hold."""

    def __init__(self, levels):
        self.levels, self.on, self.steps = levels, False, None

    def __call__(self, weight):
        if not self.on:
            return weight
        if self.steps is None:
            self.steps = steps_of(weight.detach(), self.levels)
        with torch.no_grad():
            codes = (weight / self.steps).round().clamp(-self.levels, self.levels) * self.steps
        return weight + (codes - weight).detach()


def steps_of(weight, levels):
    """What one step of each row is worth: the best of several ranges by squared error."""
    most = weight.abs().amax(dim=1, keepdim=True) + 1e-12
    best, error = None, None
    for share in (1.0, 0.85, 0.72, 0.6, 0.5, 0.42):
        step = most * share / levels
        off = (((weight / step).round().clamp(-levels, levels) * step - weight) ** 2).sum(dim=1, keepdim=True)
        best = step if best is None else torch.where(off < error, step, best)
        error = off if error is None else torch.minimum(off, error)
    return best


class Matrix(nn.Module):
    def __init__(self, inner, outer, levels):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outer, inner))
        self.bias = nn.Parameter(torch.zeros(outer))
        self.rounded = Rounded(levels)

    def forward(self, x):
        return linear(x, self.rounded(self.weight), self.bias)


class Layer(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.qkv = Matrix(WIDTH, 3 * WIDTH, levels)
        self.mixed = Matrix(WIDTH, WIDTH, levels)
        self.wide = Matrix(WIDTH, INNER, levels)
        self.narrow = Matrix(INNER, WIDTH, levels)
        self.mixed_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.narrow_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, mask, drop):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(b, n, WIDTH)
        x = self.mixed_norm(drop(self.mixed(seen)) + x)
        return self.narrow_norm(drop(self.narrow(gelu(self.wide(x)))) + x)


class Encoder(nn.Module):
    def __init__(self, pieces, layers, levels=(9, 7)):
        super().__init__()
        self.words = nn.Parameter(torch.empty(pieces, WIDTH))
        self.places = nn.Parameter(torch.empty(POSITIONS, WIDTH))
        self.kinds = nn.Parameter(torch.empty(2, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(levels[0]) for _ in range(layers))
        self.rounded = Rounded(levels[1])
        self.drop = nn.Dropout(0.1)

    def embed(self, batch):
        ids = batch["ids"]
        kinds = (torch.arange(ids.shape[1], device=ids.device)[None] >= batch["first"][:, None]).long()
        x = self.rounded(self.words)[ids] + self.places[: ids.shape[1]][None] + self.kinds[kinds]
        return self.drop(self.norm(x)), (ids != 0)[:, None, None, :]

    def forward(self, batch):
        x, mask = self.embed(batch)
        for layer in self.layers:
            x = layer(x, mask, self.drop)
        return x


class Reader(nn.Module):
    """Reading and tagging share the lower layers; each has the last `own` ones to itself. A third head ranks early, after half of them."""

    def __init__(self, pieces, layers=6, own=2, levels=(9, 7)):
        super().__init__()
        self.encoder = Encoder(pieces, layers, levels)
        self.own, self.early = own, layers // 2
        self.tagging = nn.ModuleList(Layer(levels[0]) for _ in range(own))
        self.span = nn.Linear(WIDTH, 2)
        self.relevance = nn.Linear(WIDTH, 1)
        self.quick = nn.Linear(WIDTH, 1)
        self.tags = nn.Linear(WIDTH, 1 + 2 * len(RELATIONS))
        self.states = nn.Linear(WIDTH, len(STATES))
        self.others = nn.Linear(WIDTH, 1)
        self.subjects = nn.Linear(WIDTH, 3)
        self.search = nn.Linear(WIDTH, DIMENSIONS)

    def split(self):
        """The tagger's own layers begin as copies of the reader's."""
        for mine, its in zip(self.tagging, self.encoder.layers[-self.own :]):
            mine.load_state_dict(its.state_dict())

    def round_weights(self, on=True):
        """From now on the weights are used as they will be stored. Called again, it takes the steps anew."""
        for module in self.modules():
            if isinstance(getattr(module, "rounded", None), Rounded):
                module.rounded.on, module.rounded.steps = on, None

    def read(self, batch):
        x, mask = self.encoder.embed(batch)
        quick = None
        for place, layer in enumerate(self.encoder.layers):
            x = layer(x, mask, self.encoder.drop)
            if place + 1 == self.early:
                quick = self.quick(x[:, 0])[:, 0]
        spans = self.span(x).float().masked_fill((batch["ids"] == 0)[:, :, None], -1e4)
        return {"spans": spans, "relevance": self.relevance(x[:, 0])[:, 0].float(), "quick": quick.float()}

    def tag(self, batch):
        x, mask = self.encoder.embed(batch)
        for layer in [*self.encoder.layers[: -self.own], *self.tagging]:
            x = layer(x, mask, self.encoder.drop)
        return {name: getattr(self, name)(x).float() for name in ("tags", "states", "others", "subjects")}

    def encode(self, batch):
        """The vectors of the second parts, from the layers that reading and tagging share."""
        x, mask = self.encoder.embed(batch)
        for layer in self.encoder.layers[: -self.own]:
            x = layer(x, mask, self.encoder.drop)
        places = torch.arange(x.shape[1], device=x.device)[None]
        inside = ((places >= batch["first"][:, None]) & (batch["ids"] != 0))[:, :, None]
        return normalize(self.search((x * inside).sum(1) / inside.sum(1)).float(), dim=-1)


def reading_loss(made, batch, taught=None):
    """Against the labels where a row has them, and against what a teacher says of it."""
    wanted = batch["relevant"]
    labelled = (wanted >= 0).float()
    share = labelled.sum().clamp(min=1)
    target = wanted.clamp(min=0)

    def relevance(name):
        return (binary_cross_entropy_with_logits(made[name], target, reduction="none") * labelled).sum() / share

    spans = sum(cross_entropy(made["spans"][:, :, side], batch["span"][:, side], reduction="none") for side in (0, 1))
    hard = relevance("relevance") + 0.6 * relevance("quick") + 0.5 * (spans * labelled).sum() / share
    if taught is None:
        return hard
    soft = torch.sigmoid(taught["relevance"])
    gap = binary_cross_entropy_with_logits(made["relevance"], soft) + 0.6 * binary_cross_entropy_with_logits(made["quick"], soft)
    for side in (0, 1):
        gap = gap + 0.5 * kl_div(made["spans"][:, :, side].log_softmax(-1), taught["spans"][:, :, side].log_softmax(-1), log_target=True, reduction="batchmean")
    return 0.5 * hard + 0.5 * gap


def tagging_loss(made, batch, taught=None):
    weight = torch.ones(1 + 2 * len(RELATIONS), device=made["tags"].device)
    weight[0] = NOTHING
    hard = made["tags"].sum() * 0
    if (batch["tags"] >= 0).any():
        hard = hard + cross_entropy(made["tags"].flatten(0, 1), batch["tags"].flatten(), ignore_index=-100, weight=weight)
        hard = hard + cross_entropy(made["subjects"].flatten(0, 1), batch["subjects"].flatten(), ignore_index=-100)
    if (batch["states"] >= 0).any():
        hard = hard + 0.5 * cross_entropy(made["states"].flatten(0, 1), batch["states"].flatten(), ignore_index=-100)
        chosen = batch["others"] >= 0
        hard = hard + 0.5 * binary_cross_entropy_with_logits(made["others"][..., 0][chosen], batch["others"][chosen].float())
    if taught is None:
        return hard
    places = torch.arange(batch["ids"].shape[1], device=batch["ids"].device)[None]
    inside = (places >= batch["first"][:, None]) & (batch["ids"] != 0)
    sure = inside & (taught["tags"].softmax(-1)[..., 0] < 0.9)
    gap = soft_gap(made["tags"], taught["tags"], inside) + soft_gap(made["subjects"], taught["subjects"], inside)
    if sure.any():
        gap = gap + 0.5 * soft_gap(made["states"], taught["states"], sure)
        gap = gap + 0.5 * binary_cross_entropy_with_logits(made["others"][sure], torch.sigmoid(taught["others"][sure]))
    return 0.5 * hard + gap


def soft_gap(mine, its, where):
    return kl_div(mine[where].log_softmax(-1), its[where].log_softmax(-1), log_target=True, reduction="batchmean")


def pack_encoder(onnx_path, tokenizer, pieces, out, layers):
    """The float weights of a small BERT (an ONNX export) for our pieces, stored as whole numbers with one step a row."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(onnx_path).graph
    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    matrices = {}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in arrays:
            matrices[node.output[0].split("/MatMul")[0].strip("/").replace("/", ".")] = arrays[node.input[1]].T
    known = tokenizer.get_vocab()
    words = arrays["embeddings.word_embeddings.weight"]
    random = np.random.default_rng(0)
    table = np.empty((len(pieces), WIDTH), np.float32)
    for place, piece in enumerate(pieces):
        if piece in known:
            table[place] = words[known[piece]]
            continue
        # A new piece begins as the mean of the pieces it was spelt with.
        parts = [i for i in tokenizer.encode(piece.removeprefix("##"), add_special_tokens=False).ids if i != known["[UNK]"]]
        table[place] = words[parts].mean(axis=0) if parts else random.normal(0, words.std(), WIDTH)
    state = {"words": table, "places": arrays["embeddings.position_embeddings.weight"][:POSITIONS], "kinds": arrays["embeddings.token_type_embeddings.weight"]}
    state["norm.weight"], state["norm.bias"] = arrays["embeddings.LayerNorm.weight"], arrays["embeddings.LayerNorm.bias"]
    for layer in range(layers):
        at, to = f"encoder.layer.{layer}", f"layers.{layer}"
        heads = [f"{at}.attention.self.{name}" for name in ("query", "key", "value")]
        state[f"{to}.qkv.weight"] = np.concatenate([matrices[h] for h in heads])
        state[f"{to}.qkv.bias"] = np.concatenate([arrays[f"{h}.bias"] for h in heads])
        for name, source in (("mixed", "attention.output"), ("wide", "intermediate"), ("narrow", "output")):
            state[f"{to}.{name}.weight"] = matrices[f"{at}.{source}.dense"]
            state[f"{to}.{name}.bias"] = arrays[f"{at}.{source}.dense.bias"]
            if name != "wide":
                state[f"{to}.{name}_norm.weight"] = arrays[f"{at}.{source}.LayerNorm.weight"]
                state[f"{to}.{name}_norm.bias"] = arrays[f"{at}.{source}.LayerNorm.bias"]
    packed = {}
    for name, value in state.items():
        if value.ndim == 2 and len(value) > 2:
            step = np.abs(value).max(axis=1, keepdims=True) / 127 + 1e-12
            packed[name], packed[f"{name}/step"] = np.round(value / step).astype(np.int8), step.astype(np.float16)
        else:
            packed[name] = value.astype(np.float16)
    np.savez(out, **packed)


def load_packed(model, path):
    packed = np.load(path)
    state = {}
    for name in packed.files:
        if not name.endswith("/step"):
            value = packed[name].astype(np.float32)
            state[name] = torch.tensor(value * packed[f"{name}/step"].astype(np.float32) if f"{name}/step" in packed.files else value)
    model.encoder.load_state_dict(state)
    model.split()
