import { describe, expect, it } from 'vitest';
import { readable } from '../../console/src/views/search/readable.js';

const shown = (text: string) => readable({ text, highlights: [] }).text;

describe('a passage of a result', () => {
  it('leaves out what only Markdown needs', () => {
    expect(shown('# Sorting a shelf')).toBe('Sorting a shelf');
    expect(shown('- one\n* two\n+ [x] done\n- [ ] open')).toBe('• one\n• two\n☑ done\n☐ open');
    expect(shown('> > Cut **once**, *then* `saw`.')).toBe('Cut once, then saw.');
    expect(shown('See [the plan](https://example.org/a) and ![the shelf](b.png).')).toBe('See the plan and the shelf.');
    expect(shown('above\n\n---\n\nbelow')).toBe('above\n\n\n\nbelow');
  });

  it('shows the cells of a table in a row', () => {
    expect(shown('| Part | Count |\n|:--|--:|\n| Board | 4 |')).toBe(' Part · Count \n\n Board · 4 ');
  });

  it('keeps code, arithmetic, names with underscores and plain text as they are', () => {
    const code = 'const total = a * b * c; // # | *not* markup';
    expect(shown(`\`\`\`ts\n${code}\n\`\`\``)).toBe(`\n${code}\n`);
    for (const text of [
      '2 * 3 * 4 = 24',
      'call __init__ and a_b_c',
      'a -> b',
      'the price is $5',
      '1. first',
      'a | b',
      '#tag',
    ])
      expect(shown(text)).toBe(text);
  });

  it('moves highlights and the excerpt with the text', () => {
    const text = 'Intro line.\n- [x] the **oak** board\n| oak | pine |';
    const spanOf = (word: string, from = 0) => {
      const start = text.indexOf(word, from);
      return { start, end: start + word.length };
    };
    const highlights = [spanOf('oak'), spanOf('oak', text.indexOf('| oak'))];
    const excerpt = { start: text.indexOf('- [x]'), end: text.length };
    const result = readable({ text, highlights, excerpt });
    expect(result.highlights.map(({ start, end }) => result.text.slice(start, end))).toEqual(['oak', 'oak']);
    expect(result.text.slice(result.excerpt?.start, result.excerpt?.end)).toBe('☑ the oak board\n oak · pine ');
  });

  it('takes time by the length of the text', () => {
    const long = 100_000;
    for (const unit of ['*a', '[', '`', '**', '> ', '|', '- ', '[a](', ' ', '*a ', '![a](b']) {
      // Processor time: other work on the machine does not count.
      const before = process.cpuUsage();
      readable({ text: unit.repeat(long / unit.length), highlights: [] });
      expect(process.cpuUsage(before).user / 1_000, unit).toBeLessThan(2_000);
    }
  });
});
