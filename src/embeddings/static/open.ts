import type { Embedder } from '../contract.js';
import { inSteps } from '../in-steps.js';
import { checkDimension, checkUnchanged, createEmbeddingWorker } from '../worker/host.js';
import { createStaticModel } from './embed.js';
import type { StaticTable } from './table.js';
import type { StaticReady } from './worker.js';

/** A longer batch runs in a worker thread; for fewer texts the messaging costs more than it saves. */
const charactersInline = 32_768;

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
  return {
    trust: 1,
    async embed(texts, { signal } = {}) {
      let characters = 0;
      for (const text of texts) characters += text.length;
      if (characters <= charactersInline) return inSteps(steps, texts, { signal, stepsPerLook: 1 });
      signal?.throwIfAborted();
      checkUnchanged(table.checksum, (await worker.open()).checksum);
      return worker.embed(texts, signal === undefined ? {} : { signal });
    },
    describe: () => ({ provider: 'local', model, dimension, options: identity }),
    close: () => worker.close(),
  };
}
