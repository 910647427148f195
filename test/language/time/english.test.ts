import { describe, expect, it } from 'vitest';
import { mentionsTime } from '../../../src/language/time/time-intent.js';
import { asks, daysOf } from './read.js';

describe('English times', () => {
  it.each([
    ['on March 5, 2023', '2023-03-05'],
    ['on March 5th,2023', '2023-03-05'],
    ['the 5th of March 2023', '2023-03-05'],
    ['Friday, March 3rd, 2023', '2023-03-03'],
    ['on Aug 15', '2022-08-15'],
    ['on May 17', '2023-05-17'],
    ['on May 18', '2022-05-18'],
    ['on 29 February', '2020-02-29'],
    ['in March 2023', '2023-03-01..2023-03-31'],
    ['in march', '2023-03-01..2023-03-31'],
    ['my trip in May', '2023-05-01..2023-05-31'],
    ['the May trip', '2023-05-01..2023-05-31'],
    ['december plans', '2022-12-01..2022-12-31'],
    ['March last year', '2022-03-01..2022-03-31'],
    ['last March', '2023-03-01..2023-03-31'],
    ['last May', '2022-05-01..2022-05-31'],
    ['in 2021', '2021-01-01..2021-12-31'],
    ['last week', '2023-05-08..2023-05-14'],
    ['this week', '2023-05-15..2023-05-21'],
    ['next month', '2023-06-01..2023-06-30'],
    ['the week before last', '2023-05-01..2023-05-07'],
    ['last weekend', '2023-05-13..2023-05-14'],
    ['the past weekend', '2023-05-13..2023-05-14'],
    ['next year', '2024-01-01..2024-12-31'],
    ['last quarter', '2023-01-01..2023-03-31'],
    ['last Friday', '2023-05-12'],
    ['next Wednesday', '2023-05-24'],
    ['last Wednesday', '2023-05-10'],
    ['on Monday', '2023-05-15'],
    ['on Wed', '2023-05-17'],
    ['Friday last week', '2023-05-12'],
    ['yesterday', '2023-05-16'],
    ['the day before yesterday', '2023-05-15'],
    ['two days ago', '2023-05-15'],
    ['3 weeks ago', '2023-04-23..2023-04-29'],
    ['a year ago', '2021-11-16..2022-11-15'],
    ['a few weeks ago', '2023-04-05..2023-05-03'],
    ['the other day', '2023-05-11..2023-05-15'],
    ['in the past two months', '2023-03-17..2023-05-17'],
    ['in three days', '2023-05-20'],
    ['last summer', '2022-06-01..2022-08-31'],
    ['this spring', '2023-03-01..2023-05-31'],
    ['in the spring of 2022', '2022-03-01..2022-05-31'],
    ['over the summer', '2022-06-01..2022-08-31'],
    ['Q3 2022', '2022-07-01..2022-09-30'],
    ['the first quarter of 2022', '2022-01-01..2022-03-31'],
    ['before March 2023', '2022-03-01..2023-02-28'],
    ['since last summer', '2022-06-01..2023-05-17'],
    ['the week before August 3, 2022', '2022-07-13..2022-08-02'],
    ['from 3 to 7 May', '2023-05-03..2023-05-07'],
    ['from May 3rd to 7th', '2023-05-03..2023-05-07'],
    ['May 3-7', '2023-05-03..2023-05-07'],
    ['from Thursday to Tuesday', '2023-05-11..2023-05-16'],
    ['from Monday to Friday', '2023-05-08..2023-05-12'],
    ['from July to October', '2022-07-01..2022-10-31'],
    ['between August 11 and August 15 2021', '2021-08-11..2021-08-15'],
  ])('reads %j as %s', (phrase, days) => {
    expect(daysOf(`What did we say about it ${phrase}?`)).toEqual([days]);
  });

  it.each([
    'before the move',
    'after the wedding',
    'we may march on',
    'this may be it',
    'the sun and the moon',
    'a second opinion',
    'I met her on the marching ground',
    'it costs $2000 or 2000 €',
  ])('sees no span in %j', (phrase) => {
    expect(daysOf(phrase)).toEqual([]);
  });

  it('reads a winter with a year as beginning or ending in it', () => {
    expect(daysOf('in the winter of 2022')).toEqual(['2021-12-01..2022-02-28', '2022-12-01..2023-02-28']);
  });

  it('takes the winter that is running for this winter', () => {
    expect(daysOf('this winter', '2024-01-10T00:00:00Z')).toEqual(['2023-12-01..2024-02-29']);
  });

  it.each([
    'When did I move?',
    'when is the wedding',
    'Do you remember when we met?',
    'So, when was it?',
    'How long ago did I buy the bike?',
    'What date did we agree on?',
    'Which year was that?',
    'How many days passed between the two?',
  ])('hears that %j asks for a time', (question) => {
    expect(asks(question)).toBe(true);
  });

  it.each([
    'What did I eat when I was in Paris?',
    'When I was in Paris, what did I eat?',
    'Whenever it rains, what do I do?',
    'How long is the table?',
  ])('hears that %j does not', (question) => {
    expect(asks(question)).toBe(false);
  });

  it.each([
    ['I saw her yesterday', true],
    ['we leave next month', true],
    ['The flight is on Sat at nine', true],
    ['I started in may', true],
    ['our May holiday', true],
    ['it was 3 weeks ago', true],
    ['born in 1987', true],
    ['see you Tuesday', true],
    ['the deadline is 2023-06-01', true],
    ['you may second that, and march in the sun', false],
    ['May I ask you something, mon ami?', false],
    ['wait a second', false],
    ['one day a week of rest is all the weekend is for', false],
    ['it has 2000 parts', false],
  ])('knows whether %j names a time', (text, expected) => {
    expect(mentionsTime(text)).toBe(expected);
  });
});
