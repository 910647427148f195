import { describe, expect, it } from 'vitest';
import { chunkMessages } from '../../src/ingestion/chunk.js';
import type { Role } from '../../src/model/conversation.js';
import { openTokenizer } from '../../src/tokenizer/open.js';
import fc from '../support/properties.js';

const { tokenizer } = await openTokenizer({ enabled: false, encoding: 'cl100k_base' });
const byMessage = { strategy: 'message', maxTokens: 800, overlapTokens: 80, tokenizer } as const;
const byToken = (maxTokens: number, overlapTokens: number) =>
  ({ strategy: 'token', maxTokens, overlapTokens, tokenizer }) as const;

const messages = (...texts: string[]) =>
  texts.map((text, index) => ({ role: (index % 2 ? 'assistant' : 'user') as Role, text }));

describe('chunkMessages by message', () => {
  it('makes one chunk of each message', () => {
    expect(chunkMessages(messages('Hello', 'Hi there'), byMessage)).toEqual([
      { chunkIndex: 0, messageIndex: 0, role: 'user', start: 0, end: 5 },
      { chunkIndex: 1, messageIndex: 1, role: 'assistant', start: 0, end: 8 },
    ]);
  });

  it('creates none for a message without text, and numbers the next like its message', () => {
    const chunks = chunkMessages(messages('One', ' ', 'Three'), byMessage);
    expect(chunks.map(({ chunkIndex, messageIndex }) => [chunkIndex, messageIndex])).toEqual([
      [0, 0],
      [2, 2],
    ]);
  });

  it('continues counting where a stored conversation ends', () => {
    expect(chunkMessages(messages('More'), byMessage, { messageIndex: 4, chunkIndex: 7 })).toEqual([
      { chunkIndex: 7, messageIndex: 4, role: 'user', start: 0, end: 4 },
    ]);
  });
});

describe('chunkMessages by token', () => {
  it('cuts a long message into windows that overlap', () => {
    const text = Array.from({ length: 30 }, (_, index) => `w${index}`).join(' ');
    const chunks = chunkMessages(messages(text, 'Short'), byToken(20, 4));
    const parts = chunks.filter(({ messageIndex }) => messageIndex === 0);
    expect(parts.length).toBeGreaterThan(2);
    for (const [index, { start }] of parts.entries()) {
      const before = parts[index - 1];
      if (before !== undefined) expect(start).toBeLessThan(before.end);
    }
    expect(parts[0]?.start).toBe(0);
    expect(parts.at(-1)?.end).toBe(text.length);
    expect(chunks.at(-1)).toMatchObject({ chunkIndex: parts.length, messageIndex: 1, start: 0, end: 5 });
  });

  it('leaves no character of any message out and counts without a gap', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((value) => !/\s{3}/.test(value) && /\S/.test(value));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.integer({ min: 3, max: 12 }), (texts, size) => {
        const chunks = chunkMessages(messages(...texts), byToken(size, 1));
        for (const [index, message] of texts.entries()) {
          const covered = new Set<number>();
          for (const { start, end, messageIndex } of chunks) {
            if (messageIndex === index) for (let at = start; at < end; at++) covered.add(at);
          }
          const missing = [...message].flatMap((_, at) =>
            covered.has(at) || /\s/.test(message.charAt(at)) ? [] : [at],
          );
          expect(missing).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});
