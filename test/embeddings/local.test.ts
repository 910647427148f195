import { describe, expect, it } from 'vitest';
import { createLocalEmbedder } from '../../src/embeddings/local.js';
import { hashEmbedding } from '../../src/embeddings/local-hash.js';
import { StartupError } from '../../src/model/errors.js';
import { describeEmbedder } from '../conformance/embedder.js';

for (const dimension of [1, 32, 384, 1536]) {
  describeEmbedder(`local-hash with ${dimension} dimensions`, async () =>
    createLocalEmbedder({ model: 'local-hash', dimension }),
  );
}

describe('createLocalEmbedder', () => {
  it('describes the configured model and dimension and is trusted little', () => {
    const embedder = createLocalEmbedder({ model: 'local-hash', dimension: 48 });
    expect(embedder.describe()).toEqual({ provider: 'local', model: 'local-hash', dimension: 48, options: {} });
    expect(embedder.trust).toBe(0.15);
  });

  it('gives the hash of each text', async () => {
    const embedder = createLocalEmbedder({ model: 'local-hash', dimension: 32 });
    expect(await embedder.embed(['one', 'two'])).toEqual([hashEmbedding('one', 32), hashEmbedding('two', 32)]);
  });

  it.each(['minilm', 'toString', ''])('refuses the model %j and lists what exists', (model) => {
    let thrown: unknown;
    try {
      createLocalEmbedder({ model, dimension: 32 });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StartupError);
    expect(thrown).toMatchObject({ code: 'driver_unavailable', hint: expect.stringContaining('local-hash') });
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the dimension %d', (dimension) => {
    expect(() => createLocalEmbedder({ model: 'local-hash', dimension })).toThrow('providers.embedding_dimension');
  });

  it.each([
    ['many short texts', Array.from({ length: 20_000 }, (_, line) => `line ${line} of a conversation about gardens`)],
    ['one huge text', ['a long story without an end '.repeat(60_000)]],
  ])('lets the event loop turn while it works on %s', async (_, texts) => {
    const embedder = createLocalEmbedder({ model: 'local-hash', dimension: 32 });
    let turns = 0;
    let isWorking = true;
    const count = () => {
      turns++;
      if (isWorking) setImmediate(count);
    };
    setImmediate(count);
    await embedder.embed(texts);
    isWorking = false;
    expect(turns).toBeGreaterThan(4);
  });

  it('stops in the middle of a batch when the signal aborts', async () => {
    const embedder = createLocalEmbedder({ model: 'local-hash', dimension: 32 });
    const controller = new AbortController();
    const reason = new Error('the caller left');
    setImmediate(() => controller.abort(reason));
    const texts = Array.from({ length: 50_000 }, (_, line) => `line ${line} of a conversation about gardens`);
    await expect(embedder.embed(texts, { signal: controller.signal })).rejects.toBe(reason);
  });
});
