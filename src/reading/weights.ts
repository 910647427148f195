import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { StartupError } from '../model/errors.js';

/*
 * A model file is gzip around: four letters, the length of a JSON header, the header, then the tensors one behind the other,
 * each at a multiple of 16. `models/train/reader/export.py` writes it.
 */

const tensor = z.object({ at: z.number().int(), bytes: z.number().int() });
const header = z.object({
  layers: z.number().int(),
  /** After how many layers a window can be ranked. */
  early: z.number().int(),
  heads: z.number().int(),
  width: z.number().int(),
  inner: z.number().int(),
  positions: z.number().int(),
  /** Rows of the matrix that holds every output head. */
  outputs: z.number().int(),
  /** After how many layers a text can be compared with others by its vector, and how many numbers that has. */
  search: z.object({ layers: z.number().int(), dimensions: z.number().int() }),
  vocabulary: z.array(z.string()),
  tensors: z.record(z.string(), tensor),
});

export interface ModelFile extends z.output<typeof header> {
  /** The tensors; `tensors` has addresses in it. */
  data: Uint8Array;
}

const magic = 'TKR1';

/** Reads a model. Throws `StartupError` when the file is missing or not one of ours. */
export async function readModelFile(path: string): Promise<ModelFile> {
  let bytes: Buffer;
  try {
    bytes = await promisify(gunzip)(await readFile(path));
  } catch (cause) {
    throw new StartupError('model_unusable', 'The reading model cannot be read.', {
      hint: 'Install Threadkeep again, or set models.reader and models.tagger to false.',
      cause,
    });
  }
  const begin = 8 + (bytes.length >= 8 ? bytes.readUInt32LE(4) : 0);
  const parsed =
    bytes.toString('latin1', 0, 4) === magic && begin <= bytes.length
      ? header.safeParse(JSON.parse(bytes.toString('utf8', 8, begin)))
      : undefined;
  if (parsed?.success !== true) {
    throw new StartupError('model_unusable', 'The reading model has an unknown format.', {
      hint: 'Install Threadkeep again, or set models.reader and models.tagger to false.',
    });
  }
  return { ...parsed.data, data: bytes.subarray(Math.ceil(begin / 16) * 16) };
}
