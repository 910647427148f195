import { describe, expect, it } from 'vitest';
import { fitted } from '../../src/operations/store-imported.js';
import fc from '../support/properties.js';

const limits = { maxMessages: 3, maxMessageBytes: 20, maxTitleLength: 8, maxSourceLength: 6 };
const turns = (...texts: string[]) =>
  texts.map((text, index) => ({ role: index % 2 === 0 ? ('user' as const) : ('assistant' as const), text }));

describe('a conversation that is larger than the limits', () => {
  it('is cut into parts of one thread, each under a name of its own', () => {
    const conversation = {
      source: 'chatgpt',
      title: 'A very long title',
      messages: turns('1', '2', '3', '4'),
      metadata: { upstream_thread_id: 'x', model: 'm' },
    };
    expect(fitted(conversation, limits)).toEqual([
      {
        source: 'chatgp',
        title: 'A very …',
        messages: turns('1', '2', '3'),
        metadata: { upstream_thread_id: 'x', model: 'm' },
      },
      {
        source: 'chatgp',
        title: 'A very …',
        messages: [{ role: 'assistant', text: '4' }],
        metadata: { upstream_thread_id: 'x#part2', thread_id: 'chatgp:x', model: 'm', part: 2 },
      },
    ]);
  });

  it('loses no character of a long turn, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (text) => {
        const wide = { ...limits, maxMessages: 1_000 };
        const [only] = fitted({ source: 'x', messages: turns(text), metadata: {} }, wide);
        const pieces = only?.messages.map((message) => message.text) ?? [];
        for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(20);
        const solid = (value: string) => value.toWellFormed().replace(/\s+/g, '');
        expect(solid(pieces.join(''))).toBe(solid(text));
      }),
    );
  });
});
