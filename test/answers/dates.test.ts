import { describe, expect, it } from 'vitest';
import { displaySpan, timesNamed } from '../../src/answers/dates.js';

const said = '2023-05-08T13:56:00Z';

describe('a time in a sentence', () => {
  it.each([
    ['I went there yesterday.', '7 May 2023'],
    ['I graduated last week!', 'the week of 1 May 2023'],
    ['We met on 3 March 2022.', '3 March 2022'],
    ['It was great last year.', '2022'],
    ['That was last month.', 'April 2023'],
    ['We went hiking last weekend.', 'the weekend of 6 May 2023'],
    ['I saw her three days ago.', '5 May 2023'],
    ['Ich war gestern dort.', '7 May 2023'],
    ['我昨天去了。', '7 May 2023'],
  ])('%s means %s', (sentence, display) => {
    expect(timesNamed(sentence, said).map((time) => time.display)).toEqual([display]);
  });

  it('is left alone when it may lie ahead or behind', () => {
    expect(timesNamed("I'll see her on Friday.", said)).toEqual([]);
    expect(timesNamed('Nothing about time.', said)).toEqual([]);
  });

  it.each([
    ['2023-05-07', '2023-05-07', '7 May 2023'],
    ['2023-05-01', '2023-05-31', 'May 2023'],
    ['2023-06-01', '2023-08-31', 'June 2023 to August 2023'],
    ['2023-01-01', '2023-12-31', '2023'],
    ['2023-05-04', '2023-05-10', 'about 7 May 2023'],
    ['2023-01-05', '2023-04-10', 'between 5 January 2023 and 10 April 2023'],
  ])('%s to %s reads %s', (from, to, display) => {
    expect(displaySpan(from, to)).toBe(display);
  });
});
