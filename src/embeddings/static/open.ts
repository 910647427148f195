import type { Embedder } from '../contract.js';
import { inSteps } from '../in-steps.js';
import { checkDimension, checkUnchanged, createEmbeddingWorker } from '../worker/host.js';
import { createStaticModel } from './embed.js';
import type { StaticTable } from './table.js';
import type { StaticReady } from './worker.js';

/** Of a batch that never runs in the worker thread: the messaging would cost more than it saves. */
const charactersInline = 32_768;

/**
 * Starting the thread takes as long as embedding some 500,000 characters, so it is started for a batch of that order, or
 * for the second of several large ones: a single long message is embedded sooner without it.
 */
const charactersAlone = 262_144;

/** The thread of large batches holds a second copy of the table, about 34 MiB with its vocabulary. */
const idleMs = 60_000;

const portion = { texts: 256, characters: 32_768, charactersRead: Number.POSITIVE_INFINITY };

/** An embedder over a static model's table; the worker thread for large batches reads the table again from `folder`. */
export function openStaticEmbedder(options: {
  model: string;
  table: StaticTable;
  folder: URL;
  dimension: number;
}): Embedder {
  const { model, table, folder, dimension } = options;
  checkDimension(model, { configured: dimension, actual: table.dimension });
  const { steps } = createStaticModel(table);
  const { checksum, englishChecksum } = table;
  const identity = { checksum, ...(englishChecksum === undefined ? {} : { english: englishChecksum }) };
  const worker = createEmbeddingWorker<string, StaticReady>({
    entry: new URL('./worker.js', import.meta.url),
    data: folder.href,
    portion,
    idleMs,
  });
  let lastLarge = Number.NEGATIVE_INFINITY;

  function isForThread(characters: number): boolean {
    if (characters <= charactersInline) return false;
    const before = lastLarge;
    lastLarge = performance.now();
    return characters > charactersAlone || lastLarge - before < idleMs;
  }

  return {
    trust: 1,
    async embed(texts, { signal } = {}) {
      let characters = 0;
      for (const text of texts) characters += text.length;
      if (!isForThread(characters)) return inSteps(steps, texts, { signal, stepsPerLook: 1 });
      signal?.throwIfAborted();
      checkUnchanged(table.checksum, (await worker.open()).checksum);
      return worker.embed(texts, signal === undefined ? {} : { signal });
    },
    describe: () => ({ provider: 'local', model, dimension, options: identity }),
    close: () => worker.close(),
  };
}
