import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { StartupError } from '../../model/errors.js';

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
export function parseTable(model: Uint8Array, vocabularyText: Uint8Array): StaticTable {
  const view = new DataView(model.buffer, model.byteOffset, model.byteLength);
  if (model.length < headerBytes || latin1(model.subarray(0, 8)) !== magic) throw broken('is not a static model');
  const version = view.getUint32(8, true);
  if (version !== 1 && version !== 2) throw broken('has a version this program does not know');
  const count = view.getUint32(12, true);
  const dimension = view.getUint32(16, true);
  const flags = view.getUint32(20, true);
  if (model.length !== headerBytes + count * (4 + dimension)) throw broken('is cut short or too long');

  const body = model.subarray(headerBytes);
  const split = version === 1 ? new Uint8Array(0) : model.subarray(56, 60);
  const checksum = createHash('sha256').update(split).update(body).update(vocabularyText).digest('hex');
  if (checksum !== Buffer.from(model.subarray(24, 56)).toString('hex')) throw broken('does not match its checksum');
  const vocabulary = new TextDecoder().decode(vocabularyText).split('\n').slice(0, -1);
  if (vocabulary.length !== count) throw broken('and vocab.txt differ in length');
  const englishRows = version === 1 ? count : view.getUint32(56, true);
  if (englishRows > count) throw broken('counts more English rows than it has');

  const scales = Float32Array.from({ length: count }, (_, row) => view.getFloat32(headerBytes + row * 4, true));
  const begin = body.byteOffset + count * 4;
  const rows = new Int8Array(body.buffer, begin, count * dimension);
  const table = { dimension, vocabulary, englishRows, scales, rows, countOnce: (flags & 1) === 1, checksum };
  if (englishRows === count) return table;
  const englishChecksum = createHash('sha256')
    .update(body.subarray(0, englishRows * 4))
    .update(body.subarray(count * 4, count * 4 + englishRows * dimension))
    .update(`${vocabulary.slice(0, englishRows).join('\n')}\n`)
    .digest('hex');
  return { ...table, englishChecksum };
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
