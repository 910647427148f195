import { describe, expect, it } from 'vitest';
import { errorText, failureOf } from '../../src/cli/run.js';
import { passageOf } from '../../src/cli/search-text.js';
import { columns, commandLine, createProgress, plainStyle, printable, styleFor } from '../../src/cli/terminal.js';
import { queryTerms } from '../../src/language/terms.js';
import { MemoryError } from '../../src/model/errors.js';
import { finished } from '../../src/model/steps.js';
import { findingExcerpt, highlightsOf } from '../../src/retrieval/highlight.js';

const marked = (word: string): string => `<${word}>`;

describe('passageOf', () => {
  /** As a search returns it. */
  const found = (text: string, query: string) => {
    const terms = queryTerms(query);
    return { text, highlights: highlightsOf(text, terms), excerpt: finished(findingExcerpt(text, terms)) };
  };

  it('marks every form of the words that were asked for', () => {
    const passage = passageOf(found('Two cats,\n  one CAT, no catalogue.', 'cat'), marked);
    expect(passage).toBe('Two <cats>, one <CAT>, no catalogue.');
  });

  it('shows the surroundings of the best match of a long text', () => {
    const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`;
    const passage = passageOf(found(text, 'needle'), marked);
    expect(passage).toMatch(/^…(before )+<needle> (after )+after…$/);
    expect(passage.length).toBeLessThan(250);
  });

  it('finds words of a script without blanks', () => {
    expect(passageOf(found('昨日東京へ行きました', '東京'), marked)).toBe('昨日<東京>へ行きました');
  });

  it('never splits a character', () => {
    expect(passageOf(found('🙂'.repeat(300), ''), marked)).toBe(`${'🙂'.repeat(120)}…`);
  });

  it('marks the right words after characters that a terminal must not get', () => {
    expect(passageOf(found('\u001b[31mred\u0007 needle', 'needle'), marked)).toBe('[31mred <needle>');
  });
});

describe('styleFor', () => {
  it('colours only a terminal whose user did not refuse', () => {
    const terminal = { isTTY: true };
    expect(styleFor(terminal, {}).strong('x')).not.toBe('x');
    expect(styleFor(terminal, { NO_COLOR: '' }).strong('x')).not.toBe('x');
    expect(styleFor(terminal, { NO_COLOR: '1' })).toBe(plainStyle);
    expect(styleFor(terminal, { TERM: 'dumb' })).toBe(plainStyle);
    expect(styleFor({}, {})).toBe(plainStyle);
    expect(styleFor({}, { FORCE_COLOR: '1' }).strong('x')).not.toBe('x');
    expect(styleFor(terminal, { FORCE_COLOR: '0' })).toBe(plainStyle);
  });
});

describe('printable', () => {
  it('takes out what would steer a terminal and keeps lines and tabs', () => {
    expect(printable('a\u001b]0;x\u0007b\r\n\tc\u009b\u0000')).toBe('a]0;xb\n\tc');
  });
});

describe('columns', () => {
  it('aligns values and leaves out what is not there', () => {
    const lines = columns(
      [
        ['id', '7'],
        ['gone', undefined],
        ['status', 'ok'],
      ],
      plainStyle,
    );
    expect(lines).toBe('id      7\nstatus  ok');
  });
});

describe('commandLine', () => {
  it('quotes what a shell would change', () => {
    expect(commandLine(['search', "it's $HOME", '--top-k', '3', ''])).toBe(`search 'it'\\''s $HOME' --top-k 3 ''`);
  });
});

describe('createProgress', () => {
  it('draws how much is done, how fast and how long it takes, and wipes itself', () => {
    let text = '';
    let time = 0;
    const progress = createProgress({ write: (part) => (text += part), width: 80, now: () => time, unit: 'rows' });
    time = 2_000;
    progress.step({ done: 50, total: 200 });
    expect(text).toBe('\r\u001b[K[######------------------] 50/200 rows, 25 rows/s, 6s left');
    text = '';
    time = 200_000;
    progress.step({ done: 100, total: 200 });
    expect(text).toContain('100/200 rows, 0.5 rows/s, 3m 20s left');
    text = '';
    progress.end();
    expect(text).toBe('\r\u001b[K');
  });
});

describe('errorText', () => {
  const same = (text: string): string => text;

  it('lists several issues under the message, and repeats none', () => {
    const issues = [
      { path: 'title', message: 'must be a string' },
      { path: 'source', message: 'must not be blank' },
    ];
    const several = new MemoryError('invalid_input', 'title must be a string (and 1 more)', { issues });
    expect(errorText(failureOf(several), same)).toBe(
      'error: title must be a string (and 1 more)\n  - title must be a string\n  - source must not be blank',
    );
    const single = new MemoryError('invalid_input', 'title must be a string', { issues: issues.slice(0, 1) });
    expect(errorText(failureOf(single), same)).toBe('error: title must be a string');
  });

  it('shows the redacted cause of an internal error, and none for rejected input', () => {
    const cause = new Error('connect to key=hush failed');
    const failed = failureOf(new MemoryError('embedding_unavailable', 'The model did not answer', { cause }));
    expect(failed.exit).toBe(3);
    expect(errorText(failed, (text) => text.replace('hush', '***'))).toBe(
      'error: The model did not answer\n  reason: Error: connect to key=*** failed',
    );
    expect(failureOf(new MemoryError('invalid_input', 'no', { cause })).reason).toBeUndefined();
  });

  it('reports an unexpected error with a fixed message and exit code 3', () => {
    const failure = failureOf(new TypeError('x is not a function'));
    expect(failure).toMatchObject({
      exit: 3,
      code: 'internal_error',
      message: 'Something went wrong inside Threadkeep',
    });
    expect(failure.reason).toBe('TypeError: x is not a function');
  });
});
