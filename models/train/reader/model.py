"""One encoder, several heads: spans, relevance, yes or no for reading, tags, states and subjects for facts."""
import torch
from torch import nn
from torch.nn import functional
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, dropout, gelu, kl_div, layer_norm, linear, normalize

from labels import RELATIONS, STATES

# What ships; a teacher may be wider.
WIDTH, HEADS, INNER, POSITIONS = 384, 12, 1536, 144
# Numbers in a vector for search.
DIMENSIONS = 256
# The heads whose rows a model file holds in one matrix, in this order.
OUTPUTS = ("span", "relevance", "quick", "tags", "states", "others", "subjects", "polarity")
# The share of values that training leaves out at random.
DROPPED = 0.1
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

    def parts(self):
        return self.rounded(self.weight), self.bias


def attention(q, k, v, mask):
    if hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    # PyTorch before 2.0, as Debian has it; enough to try the scripts.
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, float("-inf")) if mask.dtype == torch.bool else scores + mask
    return scores.softmax(-1) @ v


def block(x, mask, dropped, qkv, mixed, wide, narrow, mixed_norm, narrow_norm):
    """One layer as a function of its weights alone, so that one compiled version serves all layers."""
    b, n, width = x.shape
    q, k, v = linear(x, *qkv).view(b, n, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
    seen = attention(q, k, v, mask).transpose(1, 2).reshape(b, n, width)
    x = layer_norm(dropout(linear(seen, *mixed), dropped, dropped > 0) + x, (width,), *mixed_norm, eps=1e-12)
    inner = linear(gelu(linear(x, *wide)), *narrow)
    return layer_norm(dropout(inner, dropped, dropped > 0) + x, (width,), *narrow_norm, eps=1e-12)


class Layer(nn.Module):
    # `train.py` puts a compiled version here.
    run = staticmethod(block)

    def __init__(self, levels, width):
        super().__init__()
        self.qkv = Matrix(width, 3 * width, levels)
        self.mixed = Matrix(width, width, levels)
        self.wide = Matrix(width, 4 * width, levels)
        self.narrow = Matrix(4 * width, width, levels)
        self.mixed_norm = nn.LayerNorm(width, eps=1e-12)
        self.narrow_norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, x, mask):
        matrices = [m.parts() for m in (self.qkv, self.mixed, self.wide, self.narrow)]
        norms = [(n.weight, n.bias) for n in (self.mixed_norm, self.narrow_norm)]
        return Layer.run(x, mask, DROPPED if self.training else 0.0, *matrices, *norms)


class Encoder(nn.Module):
    def __init__(self, pieces, layers, levels, width):
        super().__init__()
        self.words = nn.Parameter(torch.empty(pieces, width))
        self.places = nn.Parameter(torch.empty(POSITIONS, width))
        self.kinds = nn.Parameter(torch.empty(2, width))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(levels[0], width) for _ in range(layers))
        self.rounded = Rounded(levels[1])
        self.drop = nn.Dropout(DROPPED)

    def embed(self, batch):
        ids = batch["ids"]
        kinds = (torch.arange(ids.shape[1], device=ids.device)[None] >= batch["first"][:, None]).long()
        x = self.rounded(self.words)[ids] + self.places[: ids.shape[1]][None] + self.kinds[kinds]
        return self.drop(self.norm(x)), (ids != 0)[:, None, None, :]

    def forward(self, batch):
        x, mask = self.embed(batch)
        for layer in self.layers:
            x = layer(x, mask)
        return x


class Reader(nn.Module):
    """Reading and tagging share the lower layers; each has the last `own` ones to itself. A third head ranks early, after half of them."""

    def __init__(self, pieces, layers=6, own=2, levels=(9, 7), width=WIDTH):
        super().__init__()
        self.encoder = Encoder(pieces, layers, levels, width)
        self.own, self.early = own, layers // 2
        self.tagging = nn.ModuleList(Layer(levels[0], width) for _ in range(own))
        self.span = nn.Linear(width, 2)
        self.relevance = nn.Linear(width, 1)
        self.quick = nn.Linear(width, 1)
        self.tags = nn.Linear(width, 1 + 2 * len(RELATIONS))
        self.states = nn.Linear(width, len(STATES))
        self.others = nn.Linear(width, 1)
        self.subjects = nn.Linear(width, 3)
        self.polarity = nn.Linear(width, 1)
        self.search = nn.Linear(width, DIMENSIONS)

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
            x = layer(x, mask)
            if place + 1 == self.early:
                quick = self.quick(x[:, 0])[:, 0]
        spans = self.span(x).float().masked_fill((batch["ids"] == 0)[:, :, None], -1e4)
        relevance, polarity = (head(x[:, 0])[:, 0].float() for head in (self.relevance, self.polarity))
        return {"spans": spans, "relevance": relevance, "quick": quick.float(), "polarity": polarity}

    def tag(self, batch):
        x, mask = self.encoder.embed(batch)
        for layer in [*self.encoder.layers[: -self.own], *self.tagging]:
            x = layer(x, mask)
        return {name: getattr(self, name)(x).float() for name in ("tags", "states", "others", "subjects")}

    def encode(self, batch):
        """The vectors of the second parts, from the layers that reading and tagging share."""
        x, mask = self.encoder.embed(batch)
        for layer in self.encoder.layers[: -self.own]:
            x = layer(x, mask)
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
    decided = batch["polarity"] >= 0
    if decided.any():
        hard = hard + 0.3 * binary_cross_entropy_with_logits(made["polarity"][decided], batch["polarity"][decided])
    if taught is None:
        return hard
    soft = torch.sigmoid(taught["relevance"])
    gap = binary_cross_entropy_with_logits(made["relevance"], soft) + 0.6 * binary_cross_entropy_with_logits(made["quick"], soft)
    if decided.any():
        gap = gap + 0.3 * binary_cross_entropy_with_logits(made["polarity"][decided], torch.sigmoid(taught["polarity"][decided]))
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
