import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ReadingWeights } from '../answers/read-answer.js';
import type { Config } from '../config/schema.js';
import { StartupError } from '../model/errors.js';
import type { Reader } from '../reading/contract.js';
import { openReader } from '../reading/open.js';

const modelFile = fileURLToPath(new URL('../../models/reader.bin', import.meta.url));
const weightsFile = fileURLToPath(new URL('../../models/answers.json', import.meta.url));

export interface OpenedReading {
  reader: Reader;
  weights: ReadingWeights;
  /** Another model has another one: what this one made of messages cannot be compared with what another made. */
  fingerprint: string;
}

/** The model that reads and tags, where either is switched on. Its thread starts with the first request. */
export async function openReading({ models }: Config): Promise<OpenedReading | undefined> {
  if (!models.reader && !models.tagger) return undefined;
  if (!existsSync(modelFile)) {
    throw new StartupError('model_unusable', 'The reading model is missing from this installation.', {
      hint: 'Install Threadkeep again, or set models.reader and models.tagger to false.',
    });
  }
  const weights = JSON.parse(await readFile(weightsFile, 'utf8')) as ReadingWeights;
  return { reader: openReader(modelFile), weights, fingerprint: await fingerprintOf(modelFile) };
}

/** How the messages are cut and put to the model. */
const layout = 1;

/** A gzip file ends with the checksum and the length of what is in it, so the file need not be read whole. */
async function fingerprintOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, Math.max(0, size - 8));
    return `${layout}-${buffer.toString('hex')}`;
  } finally {
    await file.close();
  }
}
