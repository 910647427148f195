import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embeddings/contract.js';
import { openLocalEmbedder } from '../../src/embeddings/local.js';
import { type EmbeddingEvent, observedEmbedder } from '../../src/embeddings/open.js';
import { MemoryError } from '../../src/model/errors.js';
import { describeEmbedder } from '../conformance/embedder.js';

const local = await openLocalEmbedder({ model: 'local-hash', dimension: 4 });

describeEmbedder('an observed embedder', async () => observedEmbedder(local, () => {}));

/** The local embedder, except for how it embeds. */
function observe(embed: Embedder['embed']): { embedder: Embedder; events: EmbeddingEvent[] } {
  const events: EmbeddingEvent[] = [];
  return { embedder: observedEmbedder({ ...local, embed }, (event) => events.push(event)), events };
}

describe('observedEmbedder', () => {
  it('records how long how many texts took', async () => {
    const { embedder, events } = observe(local.embed);
    await embedder.embed(['one', 'two', 'three']);
    expect(events).toEqual([{ milliseconds: expect.any(Number), texts: 3, failed: false }]);
  });

  it('neither asks nor records for no texts', async () => {
    const { embedder, events } = observe(() => Promise.reject(new Error('asked')));
    expect(await embedder.embed([])).toEqual([]);
    expect(events).toEqual([]);
  });

  it('passes on a failure of ours as it is and records it', async () => {
    const error = new MemoryError('embedding_unavailable', 'The endpoint sleeps: wake it.');
    const { embedder, events } = observe(() => Promise.reject(error));
    await expect(embedder.embed(['one'])).rejects.toBe(error);
    expect(events).toEqual([{ milliseconds: expect.any(Number), texts: 1, failed: true, error }]);
  });

  it('turns any other failure into one of ours and keeps it as the cause', async () => {
    const cause = new TypeError('text of a user');
    const { embedder, events } = observe(() => Promise.reject(cause));
    const failure = embedder.embed(['one']);
    await expect(failure).rejects.toMatchObject({ code: 'embedding_unavailable', cause });
    await expect(failure).rejects.not.toThrow('text of a user');
    expect(events).toMatchObject([{ failed: true, error: { code: 'embedding_unavailable' } }]);
  });

  it('hands a caller who aborts the reason back', async () => {
    const reason = new Error('the caller left');
    const { embedder, events } = observe(local.embed);
    await expect(embedder.embed(['one'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(events).toMatchObject([{ failed: true, error: reason }]);
  });

  it.each([
    ['one vector too few', [], '0 vectors for 1 texts'],
    ['one vector too many', [new Float32Array(4), new Float32Array(4)], '2 vectors for 1 texts'],
    ['another dimension', [new Float32Array(5)], '5 dimensions instead of 4'],
  ])('refuses %s', async (_, vectors, words) => {
    const { embedder, events } = observe(async () => vectors);
    const failure = embedder.embed(['one']);
    await expect(failure).rejects.toMatchObject({ code: 'embedding_unavailable' });
    await expect(failure).rejects.toThrow(words);
    expect(events).toMatchObject([{ failed: true }]);
  });
});
