import { describe, expect, it } from 'vitest';
import { asksNumber, holdsNumber } from '../../src/language/query-terms.js';

describe('asksNumber', () => {
  it.each([
    'How much was the boat?',
    'Wie viele Gäste kommen?',
    'Wie hoch ist die Miete?',
    'Combien de temps faut-il ?',
    '¿Cuántas sillas faltan?',
    'Скільки днів ми там були?',
    '门票多少钱？',
    '部屋は何人用ですか。',
    'كم طول الطاولة؟',
  ])('hears it in "%s"', (question) => {
    expect(asksNumber(question)).toBe(true);
  });

  it.each(['Who was on the boat?', 'Wie heißt die Straße?', '¿Quién viene?', '誰が来ますか。'])(
    'does not hear it in "%s"',
    (question) => {
      expect(asksNumber(question)).toBe(false);
    },
  );
});

describe('holdsNumber', () => {
  it.each([
    'It was 40 euros.',
    'twelve chairs',
    'anderthalb oder zwei Stunden',
    'une vingtaine, disons vingt',
    'quinientos gramos',
    "п'ять днів",
    '三百八十块',
    'خمسة أيام',
    '٣ أيام',
  ])('finds one in "%s"', (text) => {
    expect(holdsNumber(text)).toBe(true);
  });

  it.each(['The boat is blue.', 'Das Boot ist blau.', 'Човен синій.', '船是蓝色的'])('finds none in "%s"', (text) => {
    expect(holdsNumber(text)).toBe(false);
  });
});
