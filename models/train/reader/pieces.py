"""The vocabulary of the reader: the word pieces of an uncased English BERT that our texts use, and pieces of seven more languages.

    pieces.py MINILM_FOLDER DATA_FOLDER CORPUS_FOLDER OUT.json

`src/reading/read-windows.ts` splits text by the same rules, so change both together.
"""
import collections
import glob
import json
import sys
import unicodedata

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
ENGLISH = 15000
# How many pieces each language may add. Chinese and Japanese are mostly single characters.
ADDED = {"de": 2000, "fr": 1500, "es": 1500, "uk": 2500, "ar": 2300, "zh": 2800, "ja": 2000}
LINES = 60000


def bert(vocabulary):
    """Splits as BERT does: no accents, no capitals, ideographs one by one."""
    model = models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def tokenizer_of(path):
    """The tokenizer of a vocabulary that this script wrote."""
    return bert({piece: place for place, piece in enumerate(json.load(open(path, encoding="utf8")))})


def english_tokenizer(folder):
    for path in glob.glob(f"{folder}/assets/vocab.txt"):
        return bert({piece: place for place, piece in enumerate(open(path, encoding="utf8").read().split("\n"))})
    tokenizer = Tokenizer.from_file(glob.glob(f"{folder}/*tokenizer.json")[0])
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def texts_of(language, data, corpus):
    """Lines of a language: translated sentences, then passages, then what we wrote (which counts tenfold)."""
    lines = []
    if language == "en":
        for line in open(f"{data}/dialogues.jsonl", encoding="utf8"):
            item = json.loads(line)
            if item["lang"] == "en":
                lines += [turn["text"] for turn in item["turns"]]
        lines += [line.split("\t")[0] for line in open(f"{data}/parallel.de.tsv", encoding="utf8")]
        lines = lines[: 4 * LINES]
    else:
        lines = [line.rstrip("\n").split("\t")[1] for line in open(f"{data}/parallel.{language}.tsv", encoding="utf8")][:LINES]
    for path in glob.glob(f"{data}/readqa.{language}.jsonl"):
        seen = dict.fromkeys(json.loads(line)["context"] for line in open(path, encoding="utf8"))
        lines += list(seen)[:4000]
    for path in glob.glob(f"{corpus}/*/*.txt"):
        text = open(path, encoding="utf8").read()
        if f"\nlang: {language}\n" in text or "/messages/" in path:
            own = [line for line in text.split("\n") if "/lives/" in path or "/histories/" in path or line.startswith(f"{language} |")]
            lines += own * 10
    return lines


def counted(tokenizer, lines):
    counts = collections.Counter()
    for row in tokenizer.encode_batch([line[:2000] for line in lines], add_special_tokens=False):
        counts.update(row.tokens)
    return counts


def is_plain(piece):
    """A single letter, digit or sign of the scripts we read: without it a rare word would be unreadable."""
    letter = piece.removeprefix("##")
    if len(letter) != 1:
        return False
    if ord(letter) < 0x250:
        return True
    return any(script in unicodedata.name(letter, "") for script in ("CYRILLIC", "ARABIC", "HIRAGANA", "KATAKANA", "GREEK SMALL"))


def pieces_of(minilm, data, corpus):
    english = english_tokenizer(minilm)
    known = sorted(english.get_vocab(), key=english.get_vocab().get)
    chosen = dict.fromkeys(SPECIAL)
    chosen.update(dict.fromkeys(piece for piece in known if is_plain(piece)))
    for piece, _ in counted(english, texts_of("en", data, corpus)).most_common():
        if len(chosen) >= ENGLISH:
            break
        chosen[piece] = None
    for language, most in ADDED.items():
        lines = texts_of(language, data, corpus)
        learner = bert({"[UNK]": 0})
        learner.train_from_iterator(lines, trainers.WordPieceTrainer(vocab_size=9000, limit_alphabet=5000, special_tokens=["[UNK]"], show_progress=False))
        both = dict.fromkeys([*chosen, *known, *learner.get_vocab()])
        counts = counted(bert({piece: place for place, piece in enumerate(both)}), lines)
        added = [piece for piece, count in counts.most_common() if piece not in chosen and count > 2][:most]
        chosen.update(dict.fromkeys(added))
        print(language, len(lines), "lines,", len(added), "pieces", added[:8], flush=True)
    return list(chosen)


if __name__ == "__main__":
    minilm, data, corpus, out = sys.argv[1:]
    pieces = pieces_of(minilm, data, corpus)
    json.dump(pieces, open(out, "w", encoding="utf8"), ensure_ascii=False)
    print(len(pieces), "pieces")
