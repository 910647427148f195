import { describe, expect, it } from 'vitest';
import { openLocalEmbedder } from '../../src/embeddings/local.js';
import { hashEmbedding } from '../../src/embeddings/local-hash.js';
import { describeEmbedder } from '../conformance/embedder.js';

for (const dimension of [1, 32, 384, 1536]) {
  describeEmbedder(`local-hash with ${dimension} dimensions`, async () =>
    openLocalEmbedder({ model: 'local-hash', dimension }),
  );
}

describeEmbedder('threadkeep-static-256', async () =>
  openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 }),
);

describe('threadkeep-static-256', () => {
  it('finds what was meant without a shared word', async () => {
    const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
    const [question, answer, other] = await embedder.embed([
      'Which pet do I have?',
      'My puppy Max chewed up another shoe.',
      'The quarterly invoice is due on Friday.',
    ]);
    const cosine = (one: Float32Array = new Float32Array(), two: Float32Array = new Float32Array()): number =>
      one.reduce((sum, value, index) => sum + value * (two[index] ?? 0), 0);
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.15);
  });

  it('is part of the fingerprint by its checksum', async () => {
    const embedder = await openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 256 });
    expect(embedder.describe().options).toEqual({ checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('refuses another dimension', async () => {
    const refused = openLocalEmbedder({ model: 'threadkeep-static-256', dimension: 32 });
    await expect(refused).rejects.toMatchObject({ code: 'config_invalid', hint: expect.stringContaining('256') });
  });
});

describe('openLocalEmbedder', () => {
  it('describes the configured model and dimension and is trusted little', async () => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 48 });
    expect(embedder.describe()).toEqual({ provider: 'local', model: 'local-hash', dimension: 48, options: {} });
    expect(embedder.trust).toBe(0.15);
  });

  it('gives the hash of each text', async () => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 32 });
    expect(await embedder.embed(['one', 'two'])).toEqual([hashEmbedding('one', 32), hashEmbedding('two', 32)]);
  });

  it.each(['minilm', 'toString', ''])('refuses the model %j and lists what exists', async (model) => {
    const refusal = { name: 'StartupError', code: 'driver_unavailable', hint: expect.stringContaining('local-hash') };
    await expect(openLocalEmbedder({ model, dimension: 32 })).rejects.toMatchObject(refusal);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the dimension %d', async (dimension) => {
    const refused = openLocalEmbedder({ model: 'local-hash', dimension });
    await expect(refused).rejects.toThrow('providers.embedding_dimension');
  });

  it.each([
    ['many short texts', Array.from({ length: 20_000 }, (_, line) => `line ${line} of a conversation about gardens`)],
    ['one huge text', ['a long story without an end '.repeat(60_000)]],
  ])('lets the event loop turn while it works on %s', async (_, texts) => {
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 32 });
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
    const embedder = await openLocalEmbedder({ model: 'local-hash', dimension: 32 });
    const controller = new AbortController();
    const reason = new Error('the caller left');
    setImmediate(() => controller.abort(reason));
    const texts = Array.from({ length: 50_000 }, (_, line) => `line ${line} of a conversation about gardens`);
    await expect(embedder.embed(texts, { signal: controller.signal })).rejects.toBe(reason);
  });
});
