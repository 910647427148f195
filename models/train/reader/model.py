"""One encoder, several heads: spans and relevance for reading, tags, states and subjects for facts."""
import copy

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import BertConfig, BertModel

from labels import RELATIONS, STATES

WIDTH, HEADS, INNER = 384, 12, 1536
# Most words are part of no fact; without less weight for them the tagger finds none.
NOTHING = 0.35


def load_encoder(path, layers=6):
    """The float weights of all-MiniLM-L6-v2 (an ONNX export) as a BERT."""
    graph = onnx.load(path).graph
    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    state = {n: torch.tensor(np.array(a)) for n, a in arrays.items() if n.startswith(("embeddings.", "encoder."))}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in arrays:
            layer = node.output[0].split("/MatMul")[0].strip("/").replace("/", ".")
            state[f"{layer}.weight"] = torch.tensor(arrays[node.input[1]].T.copy())
    config = BertConfig(vocab_size=30522, hidden_size=WIDTH, num_hidden_layers=layers, num_attention_heads=HEADS, intermediate_size=INNER)
    model = BertModel(config, add_pooling_layer=False)
    missing = [k for k in model.load_state_dict(state, strict=False).missing_keys if "position_ids" not in k]
    assert not missing, missing[:5]
    return model


class Reader(torch.nn.Module):
    """Reading and tagging share all layers but the last: tagging has one of its own."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.tagging = copy.deepcopy(encoder.encoder.layer[-1])
        self.span = torch.nn.Linear(WIDTH, 2)
        self.relevance = torch.nn.Linear(WIDTH, 1)
        self.tags = torch.nn.Linear(WIDTH, 1 + 2 * len(RELATIONS))
        self.states = torch.nn.Linear(WIDTH, len(STATES))
        self.others = torch.nn.Linear(WIDTH, 1)
        self.subjects = torch.nn.Linear(WIDTH, 3)

    def encode(self, rows):
        size = max(len(r["ids"]) for r in rows)
        ids = torch.zeros(len(rows), size, dtype=torch.long)
        mask = torch.zeros_like(ids)
        kinds = torch.zeros_like(ids)
        for i, r in enumerate(rows):
            n = len(r["ids"])
            ids[i, :n] = torch.tensor(r["ids"])
            mask[i, :n] = 1
            kinds[i, r["first"] : n] = 1
        return self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state, mask

    def read(self, rows):
        states, mask = self.encode(rows)
        return self.span(states).masked_fill(mask[:, :, None] == 0, -1e4), self.relevance(states[:, 0])[:, 0]

    def reading_loss(self, rows):
        spans, relevance = self.read(rows)
        starts = torch.tensor([r["span"][0] for r in rows])
        ends = torch.tensor([r["span"][1] for r in rows])
        wanted = torch.tensor([r["relevant"] for r in rows])
        return binary_cross_entropy_with_logits(relevance, wanted) + 0.5 * (
            cross_entropy(spans[:, :, 0], starts) + cross_entropy(spans[:, :, 1], ends)
        )

    def below(self, rows):
        """What goes into the last layer, and the mask that it takes."""
        size = max(len(r["ids"]) for r in rows)
        ids = torch.zeros(len(rows), size, dtype=torch.long)
        mask = torch.zeros_like(ids)
        kinds = torch.zeros_like(ids)
        for i, r in enumerate(rows):
            n = len(r["ids"])
            ids[i, :n] = torch.tensor(r["ids"])
            mask[i, :n] = 1
            kinds[i, r["first"] : n] = 1
        made = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=kinds, output_hidden_states=True)
        return made.hidden_states[-2], mask

    def tag(self, below, mask):
        wide = (1.0 - mask[:, None, None, :].float()) * -1e4
        made = self.tagging(below, attention_mask=wide)
        return made[0] if isinstance(made, tuple) else made

    def tagging_loss(self, rows, states):
        size = states.shape[1]
        target = lambda name: torch.tensor([r[name] + [-100] * (size - len(r[name])) for r in rows])
        tags, kinds, others, subjects = (target(n) for n in ("tags", "states", "others", "subjects"))
        weight = torch.ones(1 + 2 * len(RELATIONS))
        weight[0] = NOTHING
        loss = cross_entropy(self.tags(states).flatten(0, 1), tags.flatten(), ignore_index=-100, weight=weight)
        loss = loss + cross_entropy(self.subjects(states).flatten(0, 1), subjects.flatten(), ignore_index=-100)
        if (kinds >= 0).any():
            loss = loss + 0.5 * cross_entropy(self.states(states).flatten(0, 1), kinds.flatten(), ignore_index=-100)
            chosen = others >= 0
            loss = loss + 0.5 * binary_cross_entropy_with_logits(self.others(states)[..., 0][chosen], others[chosen].float())
        return loss
