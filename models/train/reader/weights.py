"""Weights to begin with: those of a published BERT, cut down to our pieces and stored as whole numbers with one step a row, or those of a model file that `export.py` wrote."""
import glob
import json
import struct

import numpy as np
import torch

from model import OUTPUTS, POSITIONS

# The dense parts of a layer: our names and those in the checkpoint of BERT.
PARTS = (("mixed", "attention/output"), ("wide", "intermediate"), ("narrow", "output"))


def from_onnx(path):
    """A function that gives an array by its name in the checkpoint of BERT, from an ONNX export."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    arrays = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    for node in graph.node:
        # Matrices lost their names; the node that multiplies with one still has it.
        if node.op_type == "MatMul" and node.input[1] in arrays:
            name = node.output[0].split("/MatMul")[0].strip("/").replace("/", ".")
            arrays[f"{name}.kernel"] = arrays[node.input[1]]
    endings = {"gamma": "weight", "beta": "bias", "word_embeddings": "word_embeddings.weight", "token_type_embeddings": "token_type_embeddings.weight", "position_embeddings": "position_embeddings.weight"}

    def named(name):
        *lead, last = name.replace("layer_", "layer/").split("/")
        return arrays[".".join([*lead, endings.get(last, last)])]

    return named


def from_checkpoint(path):
    import tensorflow

    reader = tensorflow.train.load_checkpoint(path)
    return lambda name: reader.get_tensor(f"module/bert/{name}")


def starting_weights(folder):
    """The arrays of the ONNX export or the TensorFlow model in a folder, and how many layers they have."""
    for path in glob.glob(f"{folder}/*.onnx"):
        return from_onnx(path), 6 if "l6" in path.lower() else 12
    return from_checkpoint(f"{folder}/variables/variables"), 12


def pack(folder, tokenizer, pieces, out, levels=127):
    """`levels` is how many steps a weight may be away from zero; fewer make a smaller file."""
    array, layers = starting_weights(folder)
    known = tokenizer.get_vocab()
    words = array("embeddings/word_embeddings")
    width = words.shape[1]
    random = np.random.default_rng(0)
    table = np.empty((len(pieces), width), np.float32)
    for place, piece in enumerate(pieces):
        if piece in known:
            table[place] = words[known[piece]]
            continue
        # A new piece begins as the mean of the pieces it was spelt with.
        parts = [i for i in tokenizer.encode(piece.removeprefix("##"), add_special_tokens=False).ids if i != known["[UNK]"]]
        table[place] = words[parts].mean(axis=0) if parts else random.normal(0, words.std(), width)
    state = {"words": table, "places": array("embeddings/position_embeddings")[:POSITIONS], "kinds": array("embeddings/token_type_embeddings")}
    state["norm.weight"], state["norm.bias"] = array("embeddings/LayerNorm/gamma"), array("embeddings/LayerNorm/beta")
    for layer in range(layers):
        at, to = f"encoder/layer_{layer}", f"layers.{layer}"
        heads = [f"{at}/attention/self/{name}" for name in ("query", "key", "value")]
        state[f"{to}.qkv.weight"] = np.concatenate([array(f"{h}/kernel").T for h in heads])
        state[f"{to}.qkv.bias"] = np.concatenate([array(f"{h}/bias") for h in heads])
        for name, source in PARTS:
            state[f"{to}.{name}.weight"] = array(f"{at}/{source}/dense/kernel").T
            state[f"{to}.{name}.bias"] = array(f"{at}/{source}/dense/bias")
            if name != "wide":
                state[f"{to}.{name}_norm.weight"] = array(f"{at}/{source}/LayerNorm/gamma")
                state[f"{to}.{name}_norm.bias"] = array(f"{at}/{source}/LayerNorm/beta")
    packed = {}
    for name, value in state.items():
        if value.ndim == 2 and len(value) > 2:
            step = np.abs(value).max(axis=1, keepdims=True) / levels + 1e-12
            packed[name], packed[f"{name}/step"] = np.round(value / step).astype(np.int8), step.astype(np.float16)
        else:
            packed[name] = value.astype(np.float16)
    np.savez_compressed(out, **packed)


def shape_of(path):
    """How many layers the starting weights have, and how wide they are."""
    packed = np.load(path)
    return 1 + max(int(name.split(".")[1]) for name in packed.files if name.startswith("layers.")), packed["words"].shape[1]


def load(model, path):
    packed = np.load(path)
    state = {}
    for name in packed.files:
        if not name.endswith("/step"):
            value = packed[name].astype(np.float32)
            state[name] = torch.tensor(value * packed[f"{name}/step"].astype(np.float32) if f"{name}/step" in packed.files else value)
    model.encoder.load_state_dict(state)
    model.split()


def load_trained(model, path):
    """Begins where an earlier training ended: with what `train.py` wrote, or with a model file, whose weights are rounded already."""
    if path.endswith(".pt"):
        model.load_state_dict({name: value.float() for name, value in torch.load(path, map_location="cpu").items()})
        return
    import brotli

    body = brotli.decompress(open(path, "rb").read())
    (size,) = struct.unpack("<I", body[4:8])
    header = json.loads(body[8 : 8 + size])
    data = memoryview(body)[-(-(8 + size) // 16) * 16 :]

    def get(name, kind, columns=None):
        tensor = header["tensors"][name]
        array = np.frombuffer(data[tensor["at"] : tensor["at"] + tensor["bytes"]], kind).astype(np.float32)
        return torch.tensor(array.reshape(-1, columns) if columns else array)

    def matrix(name):
        steps = get(f"{name}.steps", np.float32)
        codes = get(name, np.int8)
        return codes.reshape(len(steps), -1) * steps[:, None]

    width, layers, own = header["width"], header["layers"], model.own
    state = {"encoder.words": matrix("words"), "encoder.places": get("places", np.float32, width), "encoder.kinds": get("kinds", np.float32, width)}
    state["encoder.norm.weight"], state["encoder.norm.bias"] = get("embedded.gain", np.float32), get("embedded.shift", np.float32)
    places = [(str(layer), f"encoder.layers.{layer}") for layer in range(layers)]
    places += [(f"tagging.{layers - own + layer}", f"tagging.{layer}") for layer in range(own)]
    for at, to in places:
        for name in ("qkv", "mixed", "wide", "narrow"):
            state[f"{to}.{name}.weight"], state[f"{to}.{name}.bias"] = matrix(f"{at}.{name}"), get(f"{at}.{name}.bias", np.float32)
            if name in ("mixed", "narrow"):
                state[f"{to}.{name}_norm.weight"], state[f"{to}.{name}_norm.bias"] = get(f"{at}.{name}.gain", np.float32), get(f"{at}.{name}.shift", np.float32)
    weight, bias, row = matrix("outputs"), get("outputs.bias", np.float32), 0
    for name in OUTPUTS:
        rows = len(getattr(model, name).bias)
        state[f"{name}.weight"], state[f"{name}.bias"] = weight[row : row + rows], bias[row : row + rows]
        row += rows
    state["search.weight"], state["search.bias"] = matrix("search"), get("search.bias", np.float32)
    model.load_state_dict(state)
