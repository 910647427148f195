"""Texts as rows of a table with pieces of other languages, exactly as src/embeddings/word-pieces.ts spells them."""

import re
import sys
import unicodedata

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

EVERY = [chr(code) for code in range(sys.maxunicode + 1)]
MARKS = {ord(sign): None for sign in EVERY if unicodedata.category(sign) == "Mn"}
NOT_TEXT = {ord(sign): None for sign in EVERY if unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cs") and sign not in "\t\n\r"} | {0xFFFD: None}
SIGNS = "".join(re.escape(sign) for sign in EVERY if unicodedata.category(sign)[0] == "P" or sign in "$+<=>^`|~")
IDEOGRAPHS = "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
UNSPACED = IDEOGRAPHS + "\u3040-\u30ff\u3005\uff66-\uff9f"
WORDS = re.compile(f"[{SIGNS}]|[{UNSPACED}]+|[^\\s{SIGNS}{UNSPACED}]+")
UNSPACED_WORD = re.compile(f"[{UNSPACED}]")
OTHER_SCRIPT = re.compile(f"[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff{UNSPACED}\uac00-\ud7a3\ufb1d-\ufdff\ufe70-\ufeff]")
PICTURES = re.compile("[\u203c-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff]")


def words(text):
    plain = unicodedata.normalize("NFD", PICTURES.sub(" ", text).translate(NOT_TEXT)).translate(MARKS)
    return WORDS.findall(plain.replace("Σ", "σ").lower())


class Spelling:
    """`base` and `other` are lists of pieces; row `len(base) + i` belongs to `other[i]`."""

    def __init__(self, base, other):
        self.start, self.inside = {}, {}
        for row, piece in enumerate(base):
            self.put(piece, row)
        self.base_words = set(self.start)
        self.shared = {piece[1:] for piece in other if len(piece) > 1 and piece[0] == "="}
        self.only = {piece for piece in other if piece[0] != "=" and not piece.startswith("##")}
        for at, piece in enumerate(other):
            self.put(piece[1:] if len(piece) > 1 and piece[0] == "=" else piece, len(base) + at)
        self.longest = max(len(piece) for piece in [*self.start, *self.inside])
        self.known = {}
        self.english = Tokenizer(models.WordPiece(vocab={piece: row for row, piece in enumerate([*base, "[UNK]"])}, unk_token="[UNK]"))
        self.english.normalizer = normalizers.BertNormalizer()
        self.english.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        self.unknown = len(base)

    def put(self, piece, row):
        if len(piece) > 2 and piece.startswith("##"):
            self.inside[piece[2:]] = row
        else:
            self.start[piece] = row

    def is_other(self, found):
        """Whether more words belong to other languages alone than to English alone."""
        votes = 0
        for word in found:
            if len(word) < 2 or OTHER_SCRIPT.search(word):
                continue
            if word in self.only:
                votes += 1
            elif word not in self.shared and word in self.base_words and word.isalpha():
                votes -= 1
        return votes > 0

    def spell(self, word):
        rows = self.known.get(word)
        if rows is None:
            rows = self.known[word] = self.cut(word)
        return rows

    def cut(self, word):
        free = UNSPACED_WORD.match(word) is not None
        if len(word) > 100 and not free:
            return []
        rows, begin = [], 0
        while begin < len(word):
            pieces = self.start if begin == 0 or free else self.inside
            for end in range(min(len(word), begin + self.longest), begin, -1):
                row = pieces.get(word[begin:end])
                if row is not None:
                    rows.append(row)
                    begin = end
                    break
            else:
                begin += 1
        return rows

    def english_rows(self, texts):
        return [[row for row in encoded.ids if row != self.unknown] for encoded in self.english.encode_batch(texts, add_special_tokens=False)]
