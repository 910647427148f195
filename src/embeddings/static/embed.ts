import { webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { StartupError } from '../../model/errors.js';
import {
  createWordPieces,
  ideographs,
  longestWord,
  remembering,
  slices,
  uncased,
  unknownPiece,
  wordsOf,
} from '../word-pieces.js';

/*
 * Embeds texts with a static model: the vector of a text is the normalized sum of the rows of its word pieces, misspelt
 * words included. Each row is already weighted by the importance of its piece. Sums use double precision and a fixed
 * order, so every machine computes the same vector.
 */

interface StaticModel {
  readonly dimension: number;
  /** The unit vector of `text`. Text without any known word piece maps to the first axis. */
  embed(text: string): Float32Array;
  /**
   * One vector for each window of at most `windowSize` word pieces, in order; at least one. The windows have equal
   * length, because the vector of a three-word remainder would be close to everything that mentions those words.
   */
  embedWindows(text: string, windowSize: number): Float32Array[];
  /** The same computation as `embed`, yielding after each bounded piece of work so that the caller stays responsive. */
  steps(text: string): Generator<void, Float32Array, void>;
}

export function createStaticModel(table: StaticTable): StaticModel {
  const split = splitterOf(table);
  const piecesOf = (text: string) => split(text.replace(pictures, ' '));

  function* steps(text: string): Generator<void, Float32Array, void> {
    const sum = createSum(table);
    for (const slice of slices(text)) {
      sum.add(piecesOf(slice));
      yield;
    }
    return sum.unitVector();
  }

  return {
    dimension: table.dimension,
    embed(text) {
      const sum = createSum(table);
      for (const slice of slices(text)) sum.add(piecesOf(slice));
      return sum.unitVector();
    },
    embedWindows(text, windowSize) {
      const pieces: number[] = [];
      for (const slice of slices(text)) {
        for (const piece of piecesOf(slice)) if (piece !== unknownPiece) pieces.push(piece);
      }
      return evenly(pieces, windowSize).map((window) => {
        const sum = createSum(table);
        sum.add(window);
        return sum.unitVector();
      });
    },
    steps,
  };
}

/** Reading a vocabulary takes 100 ms or more, so a process that reopens the model reuses its splitter. */
const splitters = new WeakMap<StaticTable, (text: string) => number[]>();

function splitterOf(table: StaticTable): (text: string) => number[] {
  const known = splitters.get(table);
  if (known !== undefined) return known;
  const split = createSpelling(table.vocabulary, table.englishRows);
  splitters.set(table, split);
  return split;
}

// The tokenizer would treat a word with an emoji attached as one unknown word.
const pictures = /(?![©®™])[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}]/gu;

function createSum({ dimension, rows, scales, countOnce }: StaticTable) {
  const sums = new Float64Array(dimension);
  const counted = new Set<number>();
  const isNew = (piece: number) => !countOnce || counted.size !== counted.add(piece).size;
  return {
    add(pieces: readonly number[]): void {
      const known = pieces.filter((piece) => piece !== unknownPiece && isNew(piece));
      // Eight rows at a time take half as long as one by one, because the sums are read and written less often. The
      // additions keep their order, and a row that is missing at the end adds nothing.
      for (let index = 0; index < known.length; index += 8) {
        const scaleAt = (place: number): number =>
          index + place < known.length ? (scales[known[index + place] ?? 0] ?? 0) : 0;
        const rowAt = (place: number): number =>
          index + place < known.length ? (known[index + place] ?? 0) * dimension : 0;
        const [scale0, scale1, scale2, scale3] = [scaleAt(0), scaleAt(1), scaleAt(2), scaleAt(3)];
        const [scale4, scale5, scale6, scale7] = [scaleAt(4), scaleAt(5), scaleAt(6), scaleAt(7)];
        const [row0, row1, row2, row3] = [rowAt(0), rowAt(1), rowAt(2), rowAt(3)];
        const [row4, row5, row6, row7] = [rowAt(4), rowAt(5), rowAt(6), rowAt(7)];
        for (let axis = 0; axis < dimension; axis++) {
          sums[axis] =
            (sums[axis] ?? 0) +
            scale0 * (rows[row0 + axis] ?? 0) +
            scale1 * (rows[row1 + axis] ?? 0) +
            scale2 * (rows[row2 + axis] ?? 0) +
            scale3 * (rows[row3 + axis] ?? 0) +
            scale4 * (rows[row4 + axis] ?? 0) +
            scale5 * (rows[row5 + axis] ?? 0) +
            scale6 * (rows[row6 + axis] ?? 0) +
            scale7 * (rows[row7 + axis] ?? 0);
        }
      }
    },
    unitVector(): Float32Array {
      let squares = 0;
      for (let axis = 0; axis < dimension; axis++) squares += (sums[axis] ?? 0) ** 2;
      const vector = new Float32Array(dimension);
      // No known piece, or rows that cancel out: still a valid direction, always the same.
      if (squares < 1e-20) vector[0] = 1;
      else for (let axis = 0; axis < dimension; axis++) vector[axis] = (sums[axis] ?? 0) / Math.sqrt(squares);
      return vector;
    },
  };
}

function evenly(pieces: readonly number[], windowSize: number): (readonly number[])[] {
  const count = Math.max(1, Math.ceil(pieces.length / windowSize));
  const edge = (index: number) => Math.round((index * pieces.length) / count);
  return Array.from({ length: count }, (_, index) => pieces.slice(edge(index), edge(index + 1)));
}

/*
 * Selects the rows of a table that a text uses. English text uses only the English pieces, so its vectors are the
 * same as those of the English-only table. Words in another script, and every word of a text detected as another
 * language, use all pieces. In the vocabulary, `=` marks a word that also exists in English ("=die") and so does not
 * indicate a text's language.
 */

/** A splitter for a table whose first `englishRows` pieces are English. Returns indexes into `vocabulary`. */
export function createSpelling(vocabulary: readonly string[], englishRows: number): (text: string) => number[] {
  const english = createWordPieces(vocabulary.slice(0, englishRows));
  if (englishRows === vocabulary.length) return english.split;
  const votes = countVotes(vocabulary, englishRows);
  // Read with the first text that needs them; English texts never do.
  let pieces: Pieces | undefined;
  const spellOther = remembering((word) => {
    pieces ??= readPieces(vocabulary);
    return spell(word, pieces);
  });

  return (text) => {
    const words = wordsOf(text, { ...uncased, splitIdeographs: false });
    const isOther = readsAsOther(words, votes);
    const found: number[] = [];
    for (const word of words) {
      if (otherScript.test(word)) {
        for (const run of word.match(runs) ?? []) for (const piece of spellOther(run)) found.push(piece);
      } else {
        for (const piece of isOther ? spellOther(word) : english.spell(word)) found.push(piece);
      }
    }
    return found;
  };
}

interface Pieces {
  starting: Map<string, number>;
  continuing: Map<string, number>;
  longest: number;
  /** For words in a script without spaces: most other words are longer, and a run may have thousands of letters. */
  longestUnspaced: number;
}

/** If two rows have the same letters, the later one, of the other languages, wins. */
function readPieces(vocabulary: readonly string[]): Pieces {
  const pieces: Pieces = { starting: new Map(), continuing: new Map(), longest: 0, longestUnspaced: 0 };
  for (const [position, piece] of vocabulary.entries()) {
    const continues = piece.length > 2 && piece.startsWith('##');
    const letters = continues ? piece.slice(2) : isShared(piece) ? piece.slice(1) : piece;
    (continues ? pieces.continuing : pieces.starting).set(letters, position);
    pieces.longest = Math.max(pieces.longest, letters.length);
    if (isUnspaced.test(letters)) pieces.longestUnspaced = Math.max(pieces.longestUnspaced, letters.length);
  }
  return pieces;
}

const isShared = (piece: string) => piece.length > 1 && piece.startsWith('=');

/** +1 for a word that exists only in other languages, -1 for one that exists only in English. */
function countVotes(vocabulary: readonly string[], englishRows: number): Map<string, number> {
  const votes = new Map<string, number>();
  for (const [position, piece] of vocabulary.entries()) {
    if (isShared(piece)) votes.delete(piece.slice(1));
    else if (plainWord.test(piece) || (latinWord.test(piece) && !otherScript.test(piece)))
      votes.set(piece, position < englishRows ? -1 : 1);
  }
  return votes;
}

function readsAsOther(words: readonly string[], votes: Map<string, number>): boolean {
  let sum = 0;
  for (const word of words) sum += votes.get(word) ?? 0;
  return sum > 0;
}

/** Most words, recognised faster than by the expressions for any script. */
const plainWord = /^[a-z]{2,}$/;
const latinWord = /^\p{L}{2,}$/u;
const unspaced = `${ideographs}\\u3040-\\u30FF\\u3005\\uFF66-\\uFF9F`;
const otherScript = new RegExp(
  `[\\u0370-\\u1DFF\\u1F00-\\u1FFF\\u2C00-\\u2DFF\\uAC00-\\uD7A3\\uFB1D-\\uFDFF\\uFE70-\\uFEFF${unspaced}]`,
  'u',
);
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u');
const runs = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');

/** Greedy, longest piece first. A letter without a piece is skipped; the rest of its word still counts. */
function spell(word: string, { starting, continuing, longest, longestUnspaced }: Pieces): readonly number[] {
  // Chinese and Japanese have no spaces between words, so a piece may start anywhere and a run may be long.
  const anywhere = isUnspaced.test(word);
  if (!anywhere && word.length > longestWord) return [unknownPiece];
  const found: number[] = [];
  for (let begin = 0; begin < word.length; ) {
    const pieces = begin === 0 || anywhere ? starting : continuing;
    let end = Math.min(word.length, begin + (anywhere ? longestUnspaced : longest));
    let piece = pieces.get(word.slice(begin, end));
    while (piece === undefined && --end > begin) piece = pieces.get(word.slice(begin, end));
    if (piece !== undefined) found.push(piece);
    begin = Math.max(end, begin + 1);
  }
  return found;
}

/** The weights of a static model: row `i` is `dimension` integers times `scales[i]` and belongs to `vocabulary[i]`. */
export interface StaticTable {
  dimension: number;
  vocabulary: readonly string[];
  /** The number of leading rows that are English pieces; the others belong to other languages. */
  englishRows: number;
  scales: Float32Array;
  rows: Int8Array;
  /** Whether a repeated word piece of a text counts only once. */
  countOnce: boolean;
  /** SHA-256 of weights and vocabulary, in hexadecimal: part of the embedding fingerprint. */
  checksum: string;
  /**
   * The checksum of a table with the English rows alone. Tables that share it give English texts the same vectors, so
   * those vectors are comparable. Absent where all rows are English.
   */
  englishChecksum?: string;
}

/** The folder of the model that ships with the package. */
export const shippedModel = new URL('../../../models/', import.meta.url);

/** Reads the model on the first call and caches it; a failed read is retried on the next call. */
export function lazyTable(folder: URL = shippedModel): () => Promise<StaticTable> {
  let reading: Promise<StaticTable> | undefined;
  return () => {
    reading ??= loadTable(folder).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

/** Reads `model.bin` and `vocab.txt` in `folder`. Throws `StartupError` when they are missing or do not match. */
export async function loadTable(folder: URL): Promise<StaticTable> {
  const [model, vocabulary] = await Promise.all([read(folder, 'model.bin'), read(folder, 'vocab.txt')]);
  return parseTable(model, vocabulary);
}

/** Validates and wraps the two files; models/README.md describes them. Throws `StartupError` when they are invalid. */
export async function parseTable(model: Uint8Array, vocabularyText: Uint8Array): Promise<StaticTable> {
  const view = new DataView(model.buffer, model.byteOffset, model.byteLength);
  if (model.length < headerBytes || latin1(model.subarray(0, 8)) !== magic) throw broken('is not a static model');
  const version = view.getUint32(8, true);
  if (version !== 1 && version !== 2) throw broken('has a version that this program does not support');
  const count = view.getUint32(12, true);
  const dimension = view.getUint32(16, true);
  const flags = view.getUint32(20, true);
  if (model.length !== headerBytes + count * (4 + dimension)) throw broken('is truncated or too long');

  const body = model.subarray(headerBytes);
  const split = version === 1 ? new Uint8Array(0) : model.subarray(56, 60);
  const checksum = await sha256([split, body, vocabularyText]);
  if (checksum !== Buffer.from(model.subarray(24, 56)).toString('hex')) throw broken('does not match its checksum');
  const vocabulary = new TextDecoder().decode(vocabularyText).split('\n').slice(0, -1);
  if (vocabulary.length !== count) throw broken('and vocab.txt differ in length');
  const englishRows = version === 1 ? count : view.getUint32(56, true);
  if (englishRows > count) throw broken('counts more English rows than it has');

  // A copy, because the file's buffer may begin at any byte.
  const scales = new Float32Array(body.buffer.slice(body.byteOffset, body.byteOffset + count * 4));
  const begin = body.byteOffset + count * 4;
  const rows = new Int8Array(body.buffer, begin, count * dimension);
  const table = { dimension, vocabulary, englishRows, scales, rows, countOnce: (flags & 1) === 1, checksum };
  if (englishRows === count) return table;
  const englishChecksum = await sha256([
    body.subarray(0, englishRows * 4),
    body.subarray(count * 4, count * 4 + englishRows * dimension),
    Buffer.from(`${vocabulary.slice(0, englishRows).join('\n')}\n`),
  ]);
  return { ...table, englishChecksum };
}

/** Hashes in another thread, so that a start goes on meanwhile: the table has 15 MB. */
async function sha256(parts: readonly Uint8Array[]): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', Buffer.concat(parts))).toString('hex');
}

const magic = 'TKSTATIC';
const headerBytes = 64;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

async function read(folder: URL, name: string): Promise<Uint8Array> {
  try {
    return await readFile(new URL(name, folder));
  } catch (cause) {
    throw new StartupError('driver_unavailable', `The embedding model's ${name} cannot be read.`, { hint, cause });
  }
}

function broken(what: string): StartupError {
  return new StartupError('driver_unavailable', `The embedding model's model.bin ${what}.`, { hint });
}

const hint = 'Install the package again, or set providers.embedding_model to another model.';
