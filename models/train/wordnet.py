"""Reads WordNet's database files: words, glosses, example sentences and the tree of kinds."""

import collections
import re
from dataclasses import dataclass

PARTS = {"noun": "noun", "verb": "verb", "adj": "adj", "adv": "adv"}

# The subtree each kind of everyday.py draws from, by the word and lexicographer's file of its root.
ROOTS = {
    "food": ["food", "dish", "nutriment"], "animal": ["pet", "dog", "bird", "mammal", "fish"], "sport": ["sport", "athletic_game"],
    "music": ["musical_instrument"], "job": ["worker", "professional", "leader", "creator"], "illness": ["illness", "disease", "pain"],
    "clothing": ["clothing", "footwear", "jewelry"], "vehicle": ["vehicle", "boat"], "plant": ["flower", "vegetable", "herb"],
    "furniture": ["furniture", "furnishing"], "device": ["machine", "home_appliance", "electronic_equipment", "tool"],
    "art": ["art", "landscape", "drawing"], "game": ["board_game", "card_game", "game"], "subject": ["knowledge_domain", "science", "humanistic_discipline"],
    "event": ["celebration", "social_event", "contest", "accident"], "building": ["building", "shop"], "act": ["activity", "action"],
    "feeling": ["emotion", "feeling"], "group": ["organization", "club", "team"], "money": ["payment", "possession", "dwelling"],
}


@dataclass(frozen=True)
class Synset:
    part: str
    offset: str
    words: tuple
    gloss: str
    examples: tuple
    kinds: tuple  # offsets of the synsets this one is a kind of


def read_synsets(folder):
    synsets = []
    for part in PARTS:
        for line in (folder / f"data.{part}").read_text("utf-8", "replace").splitlines():
            if not line.startswith("  "):
                synsets.append(parse(part, line))
    return synsets


def parse(part, line):
    head, _, text = line.partition(" | ")
    fields = head.split()
    count = int(fields[3], 16)
    words = tuple(re.sub(r"\(\w+\)$", "", word).replace("_", " ") for word in fields[4:4 + 2 * count:2])
    pointers = fields[4 + 2 * count:]
    kinds = tuple(pointers[i + 1] for i, field in enumerate(pointers) if field in ("@", "@i") and pointers[i + 2] == "n")
    examples = tuple(re.findall(r'"([^"]+)"', text))
    gloss = re.sub(r'[;,:]?\s*"[^"]*"?.*', "", text).strip(" ;")
    return Synset(part, fields[0], words, gloss or text.strip(), examples, kinds)


def nouns_by_kind(synsets):
    """Common words below each root of ROOTS (no capitals, at most two words), plus verbs under "verb"."""
    below = collections.defaultdict(list)
    for synset in synsets:
        if synset.part == "noun":
            for kind in synset.kinds:
                below[kind].append(synset)
    starts = collections.defaultdict(list)
    for synset in synsets:
        if synset.part == "noun":
            starts[synset.words[0].replace(" ", "_")].append(synset)
    found = {}
    for name, roots in ROOTS.items():
        queue, seen, words = [s for root in roots for s in starts[root]], set(), set()
        while queue:
            synset = queue.pop()
            if synset.offset in seen:
                continue
            seen.add(synset.offset)
            words.update(w for w in synset.words[:2] if w.islower() and w.count(" ") <= 1 and w.replace(" ", "").isalpha())
            queue.extend(below[synset.offset])
        found[name] = sorted(words)
    found["verb"] = sorted({w for s in synsets if s.part == "verb" for w in s.words[:1] if w.islower() and w.count(" ") <= 2})
    return found
