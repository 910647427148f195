import { describe, expect, it } from 'vitest';
import { stemEnglish } from '../../src/language/locales/en/language.js';
import { contentTerms } from '../../src/language/query-terms.js';

describe('stemEnglish', () => {
  it.each([
    ['cat', 'cats'],
    ['bake', 'baked', 'baking', 'bakes'],
    ['stop', 'stopped', 'stopping', 'stops'],
    ['city', 'cities'],
    ['study', 'studied', 'studies', 'studying'],
    ['box', 'boxes'],
    ['watch', 'watches', 'watched'],
    ['quick', 'quickly'],
    ['call', 'called', 'calling'],
  ])('lets the forms of %s meet', (word, ...forms) => {
    expect(forms.map(stemEnglish)).toEqual(forms.map(() => stemEnglish(word)));
  });

  it.each(['bus', 'this', 'analysis', 'glass', 'sing', 'red', 'need'])('does not cut into %s', (word) => {
    expect(word.startsWith(stemEnglish(word))).toBe(true);
    expect(stemEnglish(word).length).toBeGreaterThanOrEqual(Math.min(word.length, 3));
  });

  it.each(['привет', 'b52', 'straße', 'as'])('leaves %s as it is', (word) => {
    expect(stemEnglish(word)).toBe(word);
  });
});

describe('contentTerms', () => {
  it('drops the words that only say how something is asked', () => {
    expect(contentTerms('What did I tell you about the marathon?')).toEqual(['marathon']);
    expect(contentTerms('Wann war der Zahnarzt?')).toEqual(['zahnarzt', '~zahna']);
    expect(contentTerms('Combien coûtent les fenêtres ?')).toEqual(['coutent', 'fenetr', '~cout', '~fenetr']);
    expect(contentTerms('¿Cuánto cuestan las ventanas?')).toEqual(['cuestan', 'ventana', '~cost', '~ventan']);
    expect(contentTerms('Скільки коштують квитки?')).toHaveLength(2);
    expect(contentTerms('كم ثمن السيارة؟')).toHaveLength(2);
    expect(contentTerms('门票是多少')).toEqual(['门票']);
  });

  it('keeps what is a function word in another language only', () => {
    expect(contentTerms('Where did I buy the hat for the man?')).toEqual(['buy', 'hat', 'man']);
  });

  it('keeps them when there is nothing else', () => {
    expect(contentTerms('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
  });

  it('is empty for a query without words', () => {
    expect(contentTerms('???')).toEqual([]);
  });
});
