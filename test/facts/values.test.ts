import { describe, expect, test } from 'vitest';
import { casedName, keyOf, readDate, readNumber, readValue } from '../../src/facts/values.js';

describe('values', () => {
  test.each([
    ['May 5th', 'May 5', '--05-05'],
    ['the 9th of November', 'November 9', '--11-09'],
    ['12 October 2015', 'October 12, 2015', '2015-10-12'],
    ['1988-07-21', 'July 21, 1988', '1988-07-21'],
    ['3. März', 'March 3', '--03-03'],
    ['12 juin 1990', 'June 12, 1990', '1990-06-12'],
    ['4 de julio', 'July 4', '--07-04'],
    ['5 травня', 'May 5', '--05-05'],
    ['1990年5月3日', 'May 3, 1990', '1990-05-03'],
    ['24.12.1985', 'December 24, 1985', '1985-12-24'],
  ])('read %s as a day', (text, long, iso) => {
    expect(readDate(text)).toEqual({ long, iso });
  });

  test.each(['next week', 'great', 'May', '31 February', '0 May', '2026-13-01'])('do not read %s as a day', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  test.each([
    ['alex prism', 'Alex Prism'],
    ['Ronald McDonald', 'Ronald McDonald'],
    ['jean-luc', 'Jean-Luc'],
    ["o'neill", "O'Neill"],
    ['ludwig van buren', 'Ludwig van Buren'],
    ['李明', '李明'],
  ])('write the name %s as %s', (raw, cased) => {
    expect(casedName(raw)).toBe(cased);
  });

  test.each([
    ['thirty-four', '34'],
    ['40', '40'],
    ['seven', '7'],
    ['soon', undefined],
  ])('read %s as the number %s', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });

  test('are equal whatever their case, accents, article and number word', () => {
    expect(keyOf('The Café')).toBe(keyOf('cafe'));
    expect(keyOf('two cats')).toBe(keyOf('2 Cats'));
    expect(keyOf('C++')).not.toBe(keyOf('C'));
  });

  test('say what was changed for display', () => {
    expect(readValue('profile_name', 'alex prism')).toEqual({
      normalized: 'Alex Prism',
      key: 'alex prism',
      normalization: { casing: { raw: 'alex prism', normalized: 'Alex Prism' } },
    });
    expect(readValue('profile_birthday', 'May 5th')).toEqual({
      normalized: 'May 5',
      key: '--05-05',
      normalization: { date: { raw: 'May 5th', normalized: 'May 5', iso: '--05-05', precision: 'day' } },
    });
  });
});
