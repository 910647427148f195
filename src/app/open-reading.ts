import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
  return { reader: openReader(modelFile), weights };
}
