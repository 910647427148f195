"""Turn the packages of inputs.json, unpacked one folder each, into one list of clean texts.

    python gather.py --packages unpacked/ --wordnet /usr/share/wordnet --out texts.txt.xz

Every line of the output is one text of 3 to 90 words. The first lines are the held-out pairs "gloss<TAB>example" of
WordNet, which `distill.py` measures retrieval on and never trains on.
"""

import argparse
import gettext
import gzip
import html
import json
import lzma
import pathlib
import random
import re
import zlib

from everyday import everyday
from wordnet import nouns_by_kind, read_synsets

SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+(?=[\"'“‘(]?[A-Z0-9])")
TAG = re.compile(r"<[^>]+>")


def main():
    arguments = parse_arguments()
    rng = random.Random(7)
    packages, kept, report = pathlib.Path(arguments.packages), {}, {}
    synsets = read_synsets(pathlib.Path(arguments.wordnet))
    held_out, sources = hold_out(synsets, rng), []
    sources.append(("wordnet-base", from_wordnet(synsets, {pair[1] for pair in held_out}, rng)))
    sources.append(("everyday.py", everyday(nouns_by_kind(synsets), 220_000, 11)))
    for name, (reader, most) in READERS.items():
        sources.append((name, sample(reader(packages), most, rng)))
    barred = {key_of(text) for pair in held_out for text in pair}
    for name, texts in sources:
        before = len(kept)
        for text in texts:
            text = tidy(text)
            key = key_of(text)
            if text and key not in barred:
                kept.setdefault(key, text)
        report[name] = len(kept) - before
    texts = list(kept.values())
    rng.shuffle(texts)
    lines = [f"{gloss}\t{example}" for gloss, example in held_out] + texts
    with lzma.open(arguments.out, "wt", encoding="utf-8", preset=9) as out:
        out.write("\n".join(lines) + "\n")
    print(json.dumps({"held_out_pairs": len(held_out), "texts": len(texts), "by_source": report}, indent=2))


def hold_out(synsets, rng):
    """2,000 synsets whose example sentence must be found from the gloss (the word itself is not in the gloss)."""
    pairs = [(s.gloss, s.examples[0]) for s in synsets if s.examples and len(s.examples[0].split()) >= 5]
    pairs = [pair for pair in pairs if len(pair[0].split()) >= 4 and "\t" not in pair[0] + pair[1]]
    return rng.sample(sorted(set(pairs)), 2000)


def from_wordnet(synsets, held_out_examples, rng):
    for synset in synsets:
        word = rng.choice(synset.words)
        yield f"{word}: {synset.gloss}" if rng.random() < 0.7 else synset.gloss
        yield from (example for example in synset.examples if example not in held_out_examples)
        if rng.random() < 0.25:
            yield rng.choice(QUESTIONS[synset.part]).format(word=word)


QUESTIONS = {
    "noun": ["What is {word}?", "What do you know about {word}?", "Did you mention {word} before?", "Tell me about {word}.",
             "When did we talk about {word}?", "Who told you about the {word}?", "Where is the {word}?"],
    "verb": ["Did you ever {word}?", "When did they {word}?", "Why would anyone {word}?", "How do I {word}?",
             "Do you want to {word} with me?"],
    "adj": ["What was so {word} about it?", "Is it really {word}?", "Why is everything {word} today?"],
    "adv": ["Did it happen {word}?", "They did it {word}, didn't they?"],
}


# ---- one reader per kind of package ----

def english_catalogues(*names):
    """msgids of gettext catalogues: one translation of each domain is enough to get at all the English."""
    def read(packages):
        seen = set()
        for name in names:
            for path in sorted((packages / name).rglob("*.mo")):
                if path.parent.parent.name not in ("de", "fr", "de_DE"):
                    continue
                for message in catalogue(path):
                    if message not in seen:
                        seen.add(message)
                        yield from pieces(message)
    return read


def catalogue(path):
    try:
        with open(path, "rb") as file:
            entries = gettext.GNUTranslations(file)._catalog
    except (OSError, UnicodeDecodeError):
        return
    for key in entries:
        message = key[0] if isinstance(key, tuple) else key
        yield message.split("\x04")[-1]


def markup(glob, *names):
    def read(packages):
        for name in names:
            for path in sorted((packages / name).rglob(glob)):
                page = path.read_text("utf-8", "replace")
                page = re.sub(r"(?s)<(script|style|head|info|pre|screen|programlisting|code)\b.*?</\1>", " ", page)
                for block in re.split(r"</?(?:p|li|td|dd|dt|h\d|title|para|div|item|note)\b[^>]*>", page):
                    yield from pieces(html.unescape(TAG.sub("", block)))
    return read


def fortunes(*names):
    def read(packages):
        for name in names:
            for path in sorted((packages / name / "usr/share/games/fortunes").rglob("*")):
                if path.is_file() and path.suffix == "" and not path.is_symlink():
                    for cookie in path.read_text("utf-8", "replace").split("\n%\n"):
                        yield from pieces(re.sub(r"\n\s*-- .*", "", cookie, flags=re.S))
    return read


def dictionary(name):
    """dict files: an entry starts at column 0, its text is indented."""
    def read(packages):
        path = next((packages / name).rglob("*.dict.dz"))
        for entry in re.split(r"\n(?=\S)", gzip.decompress(path.read_bytes()).decode("utf-8", "replace")):
            text = re.sub(r"\[[^\]]*\]|\{|\}|\\[^\\\n]*\\|--\s?[A-Z][\w.]*( [A-Z][\w.]*)*", " ", entry)
            for sense in re.split(r"\n\s*(?:\d+\.|\(\w\)|Note:|Syn:)\s|\n\s*\n", text):
                yield from pieces(sense)
    return read


def quoted(glob, pattern, *names):
    def read(packages):
        for name in names:
            for path in sorted((packages / name).rglob(glob)):
                for match in re.finditer(pattern, path.read_text("utf-8", "replace"), re.S):
                    yield from pieces(match.group(1))
    return read


def chatbot(packages):
    """A.L.I.C.E.: patterns are what people say (upper case, '*' open), templates what they are told."""
    for path in sorted((packages / "aiml").rglob("alice/*.aiml")):
        for tag, body in re.findall(r"(?s)<(pattern|template)>(.*?)</\1>", path.read_text("utf-8", "replace")):
            if "<srai>" in body or "<sr/>" in body or "_" in body:
                continue
            text = html.unescape(TAG.sub(" ", re.sub(r"(?s)<think>.*?</think>", " ", body))).replace("*", " ")
            yield from pieces(text.lower() if tag == "pattern" else text)


def chat_lists(packages):
    for path in sorted((packages / "chatterbot_corpus").rglob("english/*.yml")):
        for line in path.read_text("utf-8", "replace").splitlines():
            if re.match(r"\s*-( -)? ", line):
                yield from pieces(line.strip(" -'\""))


def r_strings(packages):
    """R's lazy-load file: zlib streams of serialised character vectors; a string is a mark, its length, its bytes."""
    path = next((packages / "r-cran-janeaustenr").rglob("data/Rdata.rdb"))
    for block in zlib_streams(path.read_bytes()):
        lines = []
        for mark in re.finditer(rb"\x00\x04\x00\x09", block):
            length = int.from_bytes(block[mark.end():mark.end() + 4], "big")
            if length < 200:
                lines.append(block[mark.end() + 4:mark.end() + 4 + length].decode("utf-8", "replace").strip())
        for paragraph in "\n".join(lines).split("\n\n"):
            yield from pieces(paragraph)


def sword(packages):
    for path in sorted((packages / "sword-text-web").rglob("*.bzz")):
        for block in zlib_streams(path.read_bytes()):
            yield from pieces(html.unescape(TAG.sub(" ", re.sub(r"(?s)<note.*?</note>", "", block.decode("utf-8", "replace")))))


def zlib_streams(data):
    position = 0
    while position < len(data) - 2:
        if data[position] == 0x78 and data[position + 1] in (0x01, 0x5E, 0x9C, 0xDA):
            stream = zlib.decompressobj()
            try:
                yield stream.decompress(data[position:])
                position = len(data) - len(stream.unused_data)
                continue
            except zlib.error:
                pass
        position += 1


WESNOTH = ["data", "did", "dm", "dw", "ei", "httt", "l", "low", "nr", "sof", "sota", "sotbe", "thot", "trow", "tsg", "ttb", "utbs"]
READERS = {
    "cataclysm-dda-data": (english_catalogues("cataclysm-dda-data"), 90_000),
    "wesnoth": (english_catalogues(*[f"wesnoth-1.16-{part}" for part in WESNOTH]), 60_000),
    "freedroidrpg-data": (english_catalogues("freedroidrpg-data"), 30_000),
    "naev-data": (english_catalogues("naev-data"), 40_000),
    "unknown-horizons": (english_catalogues("unknown-horizons"), 10_000),
    "freeciv-data": (english_catalogues("freeciv-data"), 15_000),
    "gramps, homebank": (english_catalogues("gramps", "homebank-data"), 6_000),
    "endless-sky-data": (quoted("*.txt", r"(?:`([^`\n]+)`)", "endless-sky-data"), 60_000),
    "fillets-ng-data": (quoted("dialogs_en.lua", r'"([^"\n]{12,})"', "fillets-ng-data"), 10_000),
    "aiml": (chatbot, 120_000),
    "chatterbot_corpus": (chat_lists, 20_000),
    "fortunes": (fortunes("fortunes", "fortunes-min", "fortune-anarchism"), 60_000),
    "r-cran-janeaustenr": (r_strings, 40_000),
    "sword-text-web": (sword, 20_000),
    "crawl-common": (quoted("database/*.txt", r"\n\n([^%@\n][^%@]{20,}?)\n(?=\n|%)", "crawl-common"), 10_000),
    "gnome-user-docs": (markup("C/**/*.page", "gnome-user-docs"), 15_000),
    "gnucash-docs": (markup("*/C/**/*.xml", "gnucash-docs"), 20_000),
    "debian-handbook": (markup("en-US/*.html", "debian-handbook"), 15_000),
    "debian docs": (markup("*.html", "debian-reference-en", "developers-reference"), 12_000),
    "dict-foldoc": (dictionary("dict-foldoc"), 25_000),
    "dict-jargon": (dictionary("dict-jargon"), 12_000),
    "dict-devil": (dictionary("dict-devil"), 5_000),
    "dict-gcide": (dictionary("dict-gcide"), 120_000),
}


# ---- text into texts ----

def pieces(block):
    """Sentences of 3 to 60 words, and now and then a run of them, so that longer texts are learnt too."""
    block = re.sub(r"\s+", " ", block).strip()
    sentences = [s for s in SENTENCE_END.split(block) if s]
    run = []
    for index, sentence in enumerate(sentences):
        words = len(sentence.split())
        if 3 <= words <= 60:
            yield sentence
        run.append(sentence)
        length = sum(len(s.split()) for s in run)
        if length > 90:
            run = []
        elif length > 25 and len(run) > 1 and (index + len(block)) % 3 == 0:
            yield " ".join(run)
            run = []


def tidy(text):
    text = re.sub(r"[\t\n\r]+| {2,}", " ", re.sub(r"%[\d$]*[sd]|[{}<>|\\~^#]|\$\w+|@\w+@|&\w+;", " ", text)).strip(" -*_=`\"")
    words = text.split()
    letters = sum(c.isalpha() for c in text)
    good = 3 <= len(words) <= 90 and letters >= 0.65 * len(text) and max(map(len, words)) <= 30
    return text if good else ""


def key_of(text):
    return re.sub(r"\W+", " ", text.lower()).strip()


def sample(texts, most, rng):
    texts = list(dict.fromkeys(texts))
    return texts if len(texts) <= most else rng.sample(texts, most)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", required=True)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--out", required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
