import { describe, expect, it } from 'vitest';
import { isInnerDot } from '../../src/language/inner-dot.js';

/** The dot is the first one with a blank after it. */
function isInner(text: string): boolean {
  const dot = text.indexOf('. ');
  return isInnerDot(text, { from: 0, dot, next: dot + 2 });
}

describe('a dot', () => {
  it.each([
    'Am 22. Juli um 14:30 habe ich einen Termin.',
    'Wir wohnen im 3. Stock.',
    'The exam was on Feb. 12 at noon.',
    'My knee is fine again; Mag. Lechner says so.',
    'Die Praxis ist in der Hauptstr. 12 im Hof.',
    'Bitte Nr. 5 nehmen.',
    'It costs approx. 30 euros.',
    'Ursula K. Le Guin wrote it.',
    'Wir nehmen z. B. den Zug.',
    'Sie kommt am 3. und am 4. wieder.',
    '1. Pull the image',
  ])('is inside: %s', (text) => {
    expect(isInner(text)).toBe(true);
  });

  it.each([
    'I have 3. Then I left.',
    'No. I live in Rome.',
    'It was I. Nobody else.',
    'I like modern art. We went there.',
    'In July I met Jan. He is fine.',
    'i went home. then i slept.',
    'That was in 2025. July was hot.',
  ])('ends a sentence: %s', (text) => {
    expect(isInner(text)).toBe(false);
  });
});
