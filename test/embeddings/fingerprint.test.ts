import { describe, expect, it } from 'vitest';
import type { EmbeddingDescription } from '../../src/embeddings/contract.js';
import { type FingerprintParts, fingerprint } from '../../src/embeddings/open.js';

function parts(embedding: Partial<EmbeddingDescription> = {}, vectorIndex = {}): FingerprintParts {
  return {
    embedding: {
      provider: 'http',
      model: 'nomic',
      dimension: 768,
      options: { base_url: 'http://host/v1' },
      ...embedding,
    },
    vectorIndex: { provider: 'lancedb', id: 'memories', distance: 'cosine', ...vectorIndex },
  };
}

const digestOf = (embedding?: Partial<EmbeddingDescription>, vectorIndex?: object) =>
  fingerprint(parts(embedding, vectorIndex)).digest;

describe('fingerprint', () => {
  it('describes embedding and index and digests the description', () => {
    expect(fingerprint(parts())).toEqual({
      digest: '79d82367dfa1aa39b340619813ad2819b51d61fa4ed2752c14675746e8e45640',
      description: {
        embedding: { provider: 'http', model: 'nomic', dimension: 768, options: { base_url: 'http://host/v1' } },
        vector_index: { provider: 'lancedb', id: 'memories', distance: 'cosine' },
      },
    });
  });

  it('does not depend on the order of keys', () => {
    const { embedding, vectorIndex } = parts({ options: { a: 1, b: true, c: 'x' } });
    const reversed = {
      vectorIndex: { distance: vectorIndex.distance, id: vectorIndex.id, provider: vectorIndex.provider },
      embedding: {
        options: { c: 'x', b: true, a: 1 },
        dimension: 768,
        model: embedding.model,
        provider: embedding.provider,
      },
    };
    expect(fingerprint(reversed).digest).toBe(fingerprint({ embedding, vectorIndex }).digest);
  });

  it.each([
    ['provider', digestOf({ provider: 'local' })],
    ['model', digestOf({ model: 'other' })],
    ['dimension', digestOf({ dimension: 32 })],
    ['an option', digestOf({ options: { base_url: 'http://host/v2' } })],
    ['index provider', digestOf({}, { provider: 'qdrant' })],
    ['index id', digestOf({}, { id: 'others' })],
    ['distance', digestOf({}, { distance: 'l2' })],
  ])('changes with the %s', (_, digest) => {
    expect(digest).not.toBe(digestOf());
  });

  it('contains no secret, and does not change with one', () => {
    const with1 = fingerprint(
      parts(
        { options: { base_url: 'http://user:hunter2@host/v1?code=hunter2', api_key: 'hunter2', max_tokens: 5 } },
        { id: 'redis://:hunter2@host/0' },
      ),
    );
    const with2 = fingerprint(
      parts(
        { options: { base_url: 'http://user:other@host/v1?code=other', api_key: 'other', max_tokens: 5 } },
        { id: 'redis://:other@host/0' },
      ),
    );
    expect(with1.description.embedding.options).toEqual({
      base_url: 'http://host/v1',
      api_key: '[redacted]',
      max_tokens: 5,
    });
    expect(with1.description.vector_index.id).toBe('redis://host/0');
    expect(with1).toEqual(with2);
  });
});
