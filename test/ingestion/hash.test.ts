import { describe, expect, it } from 'vitest';
import { chunkId, conversationHash, messageHash } from '../../src/ingestion/hash.js';
import { canonicalUuid } from '../../src/model/ids.js';
import fc from '../support/properties.js';

const hello = { role: 'user', text: 'hello' } as const;
const answer = { role: 'assistant', text: 'hi there' } as const;

describe('messageHash', () => {
  it('gives the values that other implementations of the interface store', () => {
    expect(messageHash(hello)).toBe('sha256:fa82b1cf60263d970c98f29e8420cbd61e8c07e59e05008002d374235fa8abf3');
    expect(messageHash(answer)).toBe('sha256:498d6677b3a32d0b904f154a66dbdce0e70d549ddd88ed94fefd97ee26c645d5');
  });

  const message = fc.record({ role: fc.constantFrom('user', 'assistant'), text: fc.string({ unit: 'grapheme' }) });

  it('is equal for equal messages and different for different ones', () => {
    fc.assert(
      fc.property(message, message, (one, other) => {
        const same = one.role === other.role && one.text === other.text;
        expect(messageHash({ ...one })).toBe(messageHash(one));
        expect(messageHash(one) === messageHash(other)).toBe(same);
      }),
    );
  });
});

describe('conversationHash', () => {
  const hashes = [messageHash(hello), messageHash(answer)];

  it('gives the value that other implementations of the interface store for a project', () => {
    const stored = 'sha256:2d48c23e37ea344385b5d27dc018d670724bcafdae5a04e899c73c5d91b95196';
    expect(conversationHash(hashes, 'local-default')).toBe(stored);
  });

  it('differs between projects', () => {
    expect(conversationHash(hashes, 'one')).not.toBe(conversationHash(hashes, 'two'));
  });

  it('depends on the order and number of the messages', () => {
    const orders = [hashes, hashes.toReversed(), [...hashes, ...hashes], hashes.slice(0, 1), hashes.slice(1)];
    expect(new Set(orders.map((order) => conversationHash(order, 'p'))).size).toBe(orders.length);
  });
});

describe('chunkId', () => {
  const id = '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c';

  it('is a UUID of version 5, always the same for a chunk', () => {
    expect(chunkId(id, 0)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(chunkId(id, 0)).toBe(chunkId(id, 0));
  });

  it('differs for every chunk', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => chunkId(id, index));
    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((each) => canonicalUuid(each) === each)).toBe(true);
  });
});
