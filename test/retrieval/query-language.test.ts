import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/retrieval/query-language.js';

const nothing = { wanted: [], unwanted: [] };

describe('the query language', () => {
  it('leaves plain words, unknown operators, flags and open quotation marks as they are', () => {
    const plain = ['blue  bicycle', 'foo:bar http://x.y', 'git push --force', 'node -5 - word', 'a "b c', 'source: x'];
    for (const text of plain) expect(parseQuery(text)).toEqual({ text, ...nothing });
  });

  it('asks for phrases, and for their words', () => {
    const wanted = [{ kind: 'phrase', value: 'Jazz im Park' }];
    expect(parseQuery('"Jazz im Park" 2026')).toEqual({ text: 'Jazz im Park 2026', wanted, unwanted: [] });
    expect(parseQuery('„Jazz im Park“')).toEqual({ text: 'Jazz im Park', wanted, unwanted: [] });
  });

  it('asks for the same thing once', () => {
    const { wanted, unwanted } = parseQuery('"the roses" "the roses" -red -red tag:garden tag:garden');
    expect(wanted).toEqual([
      { kind: 'phrase', value: 'the roses' },
      { kind: 'tag', value: 'garden' },
    ]);
    expect(unwanted).toEqual([{ kind: 'phrase', value: 'red' }]);
  });

  it('takes a text with more phrases than anyone types for plain words', () => {
    const quotations = (count: number) => Array.from({ length: count }, (_, at) => `"rose ${at}"`).join(' ');
    expect(parseQuery(quotations(32)).wanted).toHaveLength(32);
    expect(parseQuery(quotations(33))).toEqual({ text: quotations(33), wanted: [], unwanted: [] });
  });

  it('takes the quotation marks of a question for those of a sentence', () => {
    const text = 'When did she read "Nothing is impossible"?';
    expect(parseQuery(text)).toEqual({ text, ...nothing });
  });

  it('reads operators, quoted values and exclusions', () => {
    expect(parseQuery('react -hooks -"two words" source:claude tag:"my tag" -role:user has:code title:Plan')).toEqual({
      text: 'react',
      wanted: [
        { kind: 'source', value: 'claude' },
        { kind: 'tag', value: 'my tag' },
        { kind: 'has', value: 'code' },
        { kind: 'title', value: 'Plan' },
      ],
      unwanted: [
        { kind: 'phrase', value: 'hooks' },
        { kind: 'phrase', value: 'two words' },
        { kind: 'role', value: 'user' },
      ],
    });
  });

  it('leaves out the day that before and after name', () => {
    expect(parseQuery('x before:2025-06-01')).toMatchObject({ to: '2025-05-31T23:59:59.999Z' });
    expect(parseQuery('x after:2025-06-01')).toMatchObject({ from: '2025-06-02T00:00:00.000Z' });
    expect(parseQuery('x on:2025-02')).toMatchObject({
      from: '2025-02-01T00:00:00.000Z',
      to: '2025-02-28T23:59:59.999Z',
    });
  });

  it('says where a value is wrong, and not what it is', () => {
    expect(() => parseQuery('x role:admin')).toThrow('role: must be one of user, assistant, at character 3');
    expect(() => parseQuery('before:soon')).toThrow(/^before: must be a date .*, at character 1$/);
    expect(() => parseQuery('a -on:2025')).toThrow('on: cannot be excluded with a minus sign, at character 3');
  });

  it('reads any query of the longest length quickly', () => {
    const started = performance.now();
    for (const part of ['-', '"', 'source:"', '" ', '"a ', '-a:"']) parseQuery(part.repeat(32_768 / part.length));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
