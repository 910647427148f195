import { describe, expect, it } from 'vitest';
import { timeLanguages } from '../../../src/language/time/phrases.js';
import { mentionsTime, type TimeSpan, timeFit, timeIntent } from '../../../src/language/time/time-intent.js';
import fc from '../../support/properties.js';
import { daysOf, reference } from './read.js';

describe('timeIntent', () => {
  it('gives whole days in UTC and the phrase as written', () => {
    expect(timeIntent('What did I plan for March 2023?', reference)).toEqual({
      asksWhen: false,
      spans: [{ from: '2023-03-01T00:00:00.000Z', to: '2023-03-31T23:59:59.999Z', certainty: 1, phrase: 'March 2023' }],
    });
  });

  it.each([
    ['2023-03-05', ['2023-03-05']],
    ['2023/03/05', ['2023-03-05']],
    ['2023-03-05T10:30:00Z', ['2023-03-05']],
    ['2023-03', ['2023-03-01..2023-03-31']],
    ['25/12/2022', ['2022-12-25']],
    ['3/5/2023', ['2023-05-03', '2023-03-05']],
    ['3/5/22', ['2022-05-03', '2022-03-05']],
    ['5/5/2023', ['2023-05-05']],
    ['5.3.2023', ['2023-03-05']],
    ['30 February 2023', ['2023-02-01..2023-02-28']],
    ['2023-13-45', []],
    ['call 555-2019-12', []],
    ['version 1.2.3', []],
  ])('reads %j in figures as %j', (query, days) => {
    expect(daysOf(query)).toEqual(days);
  });

  it.each([
    ['on 2023-03-05', 1],
    ['3/5/2023', 0.5],
    ['in March', 0.7],
    ['in 2021', 1],
    ['2021 budget', 0.5],
    ['last week', 0.9],
    ['a few weeks ago', 0.6],
    ['on Monday', 0.6],
  ])('is sure of %j to the degree %d', (query, certainty) => {
    expect(timeIntent(query, reference).spans.map((span) => span.certainty)).toContain(certainty);
  });

  it('keeps phrases in their order', () => {
    expect(daysOf('yesterday, last week and in 2020')).toEqual([
      '2023-05-16',
      '2023-05-08..2023-05-14',
      '2020-01-01..2020-12-31',
    ]);
  });

  it('gives no spans for an invalid reference time', () => {
    expect(timeIntent('When was it, last week?', 'soon')).toEqual({ asksWhen: true, spans: [] });
  });
});

describe('timeFit', () => {
  const week: TimeSpan = {
    from: '2023-05-08T00:00:00.000Z',
    to: '2023-05-14T23:59:59.999Z',
    certainty: 0.8,
    phrase: 'last week',
  };
  const year: TimeSpan = { ...week, from: '2022-01-01T00:00:00.000Z', to: '2022-12-31T23:59:59.999Z', certainty: 0.5 };

  it('is the certainty inside a span', () => {
    expect(timeFit([week], '2023-05-10T08:00:00Z')).toBe(0.8);
  });

  it('falls to nothing within a third of the length', () => {
    const days = ['2023-05-15T12:00:00Z', '2023-05-16T12:00:00Z', '2023-05-17T12:00:00Z'];
    const [near = 0, far = 0, out] = days.map((day) => timeFit([week], day));
    expect(near).toBeLessThan(0.8);
    expect(far).toBeLessThan(near);
    expect(far).toBeGreaterThan(0);
    expect(out).toBe(0);
  });

  it('is more patient with a long span', () => {
    expect(timeFit([year], '2023-02-01T00:00:00Z')).toBeGreaterThan(0.2);
  });

  it('takes the best of several spans', () => {
    expect(timeFit([year, week], '2023-05-10T00:00:00Z')).toBe(0.8);
  });

  it.each([
    [[], '2023-05-10T00:00:00Z'],
    [[week], 'no time'],
  ])('is 0 without a span or a time', (spans, at) => {
    expect(timeFit(spans, at)).toBe(0);
  });
});

/** Words of all tables and loose text, so that phrases come about. */
const words = timeLanguages().flatMap(({ months = [], weekdays = [], numbers = [], units = {}, dayWords = {} }) => {
  const all = [...months, ...weekdays, ...numbers, ...Object.values(units), ...Object.values(dayWords)];
  return all.flatMap((word) => word.split('|')).filter((word) => /^[\p{L} ']+$/u.test(word));
});
const loose = [
  'last',
  'ago',
  'in',
  'vor',
  'il y a',
  'hace',
  'тому',
  '前',
  '上',
  'from',
  'to',
  'before',
  '5',
  '31',
  '2023',
];
const query = fc.oneof(
  fc.array(fc.constantFrom(...words, ...loose, ',', '/'), { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc
    .array(fc.constantFrom('天', '周', '月', '年', '日', '三', '十', '2023', '前', '上', '几', '个'), { maxLength: 9 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);
const moment = fc.oneof(
  fc.date({ min: new Date('1950-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
  fc.date({ noInvalidDate: true }),
);

describe('any text', () => {
  it('gives ordered spans with a certainty, the same ones each time', () => {
    fc.assert(
      fc.property(query, moment, (text, date) => {
        const on = date.toISOString();
        const { spans } = timeIntent(text, on);
        for (const { from, to, certainty, phrase } of spans) {
          expect(from <= to).toBe(true);
          expect(certainty).toBeGreaterThan(0);
          expect(certainty).toBeLessThanOrEqual(1);
          expect(
            text
              .normalize('NFKC')
              .replace(/[’ʼ`´]/g, "'")
              .replace(/İ/g, 'I'),
          ).toContain(phrase);
          expect(timeFit(spans, from)).toBeGreaterThanOrEqual(certainty);
        }
        expect(timeIntent(text, on).spans).toEqual(spans);
      }),
      { numRuns: 500 },
    );
  });

  it('names a time wherever a phrase other than a lone year is found', () => {
    fc.assert(
      fc.property(query, (text) => {
        const found = timeIntent(text, reference).spans.filter(({ phrase }) => !/^\d{4}$/.test(phrase));
        if (found.length > 0) expect(mentionsTime(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is read to the end, even if long and repetitive', () => {
    for (const word of ['may ', 'hier ', 'day ', '1/1/', '2023 ', '月', 'the ', ' ']) {
      const text = word.repeat(Math.ceil(20_000 / word.length));
      expect(typeof mentionsTime(text)).toBe('boolean');
      expect(Array.isArray(timeIntent(text.slice(0, 4_000), reference).spans)).toBe(true);
    }
  });
});
