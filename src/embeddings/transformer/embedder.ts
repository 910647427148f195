import type { Embedder } from '../contract.js';
import { checkDimension, checkUnchanged, createEmbeddingWorker } from '../worker/host.js';
import type { TransformerSource } from './open.js';
import type { TransformerReady } from './worker.js';

// About a quarter of a second of work on one core, so that a question never waits long for an import.
const portion = { texts: 32, characters: 4_096, charactersRead: 2_048 };

/** An embedder that runs a transformer in a worker thread. Throws `StartupError` when it cannot be opened. */
export async function openTransformerEmbedder(options: {
  model: string;
  source: TransformerSource;
  dimension: number;
  trust: number;
}): Promise<Embedder> {
  const { model, source, dimension, trust } = options;
  const worker = createEmbeddingWorker<TransformerSource, TransformerReady>({
    entry: new URL('./worker.js', import.meta.url),
    data: source,
    portion,
  });
  try {
    const { dimension: actual, checksum } = await worker.open();
    checkDimension(model, { configured: dimension, actual });
    return {
      trust,
      async embed(texts, settings) {
        settings?.signal?.throwIfAborted();
        checkUnchanged(checksum, (await worker.open()).checksum);
        return worker.embed(texts, settings);
      },
      describe: () => ({ provider: 'local', model, dimension, options: { checksum } }),
      close: () => worker.close(),
    };
  } catch (error) {
    await worker.close();
    throw error;
  }
}
