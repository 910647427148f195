import { describe, expect, it } from 'vitest';
import { finished } from '../../src/model/steps.js';
import { findingExcerpt, highlightsOf } from '../../src/retrieval/highlight.js';

const marked = (text: string, terms: readonly string[]): string[] =>
  highlightsOf(text, terms).map(({ start, end }) => text.slice(start, end));

describe('highlights', () => {
  it.each([
    ['The dogs ran', ['dog'], ['dogs']],
    ['call useDebounce now', ['debounc'], ['Debounce']],
    ['in src/app.ts here', ['app'], ['app']],
    ['Crème brûlée', ['brulee'], ['brûlée']],
    ['我住在北京市海淀区', ['北京', '京市'], ['北京市']],
    ['北京和上海', ['北京', '上海'], ['北京', '上海']],
    ['漢漢漢', ['漢漢'], ['漢漢']],
    ['nothing here', ['dog'], []],
  ])('of %s', (text, terms, expected) => {
    expect(marked(text, terms)).toEqual(expected);
  });

  it('are capped, also in one run without blanks', () => {
    expect(highlightsOf('dog '.repeat(1_000), ['dog'])).toHaveLength(100);
    expect(highlightsOf('北京和'.repeat(1_000), ['北京'])).toHaveLength(100);
    expect(highlightsOf('dog-x-'.repeat(1_000), ['dog'])).toHaveLength(100);
  });

  it('find a word behind a run of many thousand letters', () => {
    const text = `${'a\u0316\u0301'.repeat(50_000)} dog`;
    expect(marked(text, ['dog'])).toEqual(['dog']);
    expect(finished(findingExcerpt(text, ['dog'])).end).toBe(text.length);
  });

  it.each([199_999, 200_000, 200_003, 260_000])('choose an excerpt far into a text, at %i', (at) => {
    const text = `${'rose '.repeat(60_000).slice(0, at - 1)} watchdog keeper`;
    const { start, end } = finished(findingExcerpt(text, ['watchdog']));
    expect(text.slice(start, end)).toContain('watchdog');
  });
});
