import { describe, expect, it } from 'vitest';
import { partRead } from '../../../src/operations/search/plan.js';

describe('what is read of a long query', () => {
  it('is the whole query if it is short', () => {
    const query = 'x'.repeat(4_096);
    expect(partRead(query)).toBe(query);
  });

  it('is its beginning, and its end, where who pasted a text asks about it', () => {
    const read = partRead(`What is this? ${'pasted '.repeat(4_000)} When did Nora say that?`);
    expect(read.startsWith('What is this? pasted')).toBe(true);
    expect(read.endsWith('When did Nora say that?')).toBe(true);
    expect(read.length).toBeLessThanOrEqual(4_097);
  });

  it('contains no half of a surrogate pair', () => {
    for (const start of ['', 'a']) expect(partRead(`${start}${'😀'.repeat(4_000)}`).isWellFormed()).toBe(true);
  });
});
