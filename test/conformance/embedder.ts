import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embeddings/contract.js';

/**
 * What every embedder promises, whatever computes the vectors. A model whose sums hang on what is computed beside them
 * states the `tolerance` of one number.
 */
export function describeEmbedder(
  name: string,
  open: () => Promise<Embedder>,
  { tolerance = 0 }: { tolerance?: number } = {},
): void {
  const expectSame = (
    vectors: readonly (Float32Array | undefined)[],
    others: readonly (Float32Array | undefined)[],
  ) => {
    if (tolerance === 0) return expect(vectors).toEqual(others);
    expect(vectors.map((vector) => vector?.length)).toEqual(others.map((vector) => vector?.length));
    for (const [index, vector] of vectors.entries()) {
      const off = vector?.map((value, axis) => Math.abs(value - (others[index]?.[axis] ?? Number.NaN)));
      expect(Math.max(...(off ?? [Number.NaN]))).toBeLessThanOrEqual(tolerance);
    }
  };

  describe(`${name} as an embedder`, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    });
    afterAll(() => embedder.close());

    it('describes itself with a provider, a model and a dimension', () => {
      const { provider, model, dimension, options } = embedder.describe();
      expect([provider, model]).not.toContain('');
      expect(Number.isInteger(dimension) && dimension > 0).toBe(true);
      expect(JSON.parse(JSON.stringify(options))).toEqual(options);
    });

    it('states its trust between chance and twice that of the shipped model', () => {
      expect(embedder.trust).toBeGreaterThanOrEqual(0);
      expect(embedder.trust).toBeLessThanOrEqual(2);
    });

    it('gives nothing for nothing', async () => {
      expect(await embedder.embed([])).toEqual([]);
    });

    it('gives one vector of the described dimension for each text', async () => {
      const vectors = await embedder.embed(['first', 'second', 'third', 'fourth', 'fifth']);
      expect(vectors.map((vector) => vector.length)).toEqual(Array(5).fill(embedder.describe().dimension));
      expect(vectors.every((vector) => vector instanceof Float32Array)).toBe(true);
    });

    it('keeps the order of the texts, equal ones included', async () => {
      const texts = ['red apples', 'blue mountains', 'red apples', 'green rivers', 'a yellow door'];
      const together = await embedder.embed(texts);
      const alone = await Promise.all(texts.map(async (text) => (await embedder.embed([text]))[0]));
      expectSame(together, alone);
    });

    it('gives the same vector for the same text again', async () => {
      const text = 'The meeting moved to Thursday.';
      expectSame(await embedder.embed([text]), await embedder.embed([text]));
    });

    it('takes text of every script, symbols, broken surrogates and no text at all', async () => {
      const texts = [
        '',
        ' \n\t',
        '…',
        '😀👩‍👩‍👧',
        'naïve Straße',
        'Привет, мир',
        '東京へ行く',
        'مرحبا',
        'नमस्ते',
        '\ud83d',
        '\u0000',
      ];
      const vectors = await embedder.embed(texts);
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) expect(vector.every(Number.isFinite)).toBe(true);
    });

    it('takes a long text', async () => {
      const [vector] = await embedder.embed(['A sentence about nothing much. '.repeat(5_000)]);
      expect(vector).toHaveLength(embedder.describe().dimension);
    });

    it('answers concurrent calls independently', async () => {
      const calls = Array.from({ length: 8 }, (_, call) => [`call ${call}`, `text ${call}`]);
      const together = await Promise.all(calls.map((texts) => embedder.embed(texts)));
      for (const [call, texts] of calls.entries()) expectSame(together[call] ?? [], await embedder.embed(texts));
    });

    it('rejects with the reason when the signal is already aborted', async () => {
      const reason = new Error('no longer needed');
      await expect(embedder.embed(['text'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('closes twice', async () => {
      const another = await open();
      await another.close();
      await another.close();
    });
  });
}
