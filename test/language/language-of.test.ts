import { describe, expect, it } from 'vitest';
import { languageOf } from '../../src/language/languages.js';

describe('languageOf', () => {
  it('knows a language by its script', () => {
    expect(languageOf('租车多少钱？')).toBe('zh');
    expect(languageOf('車はいくらですか。')).toBe('ja');
    expect(languageOf('كم ثمن السيارة؟')).toBe('ar');
    expect(languageOf('Скільки коштує авто?')).toBe('uk');
  });

  it('knows a language in Latin letters by its small words', () => {
    expect(languageOf('Wie lange muss der Teig ruhen?')).toBe('de');
    expect(languageOf('Combien de temps la pâte doit-elle reposer ?')).toBe('fr');
    expect(languageOf('¿Cuánto tiempo debe reposar la masa?')).toBe('es');
    expect(languageOf('How long must the dough rest?')).toBe('en');
  });

  it('takes a text without small words, and one with single letters, for English', () => {
    expect(languageOf('Kubernetes')).toBe('en');
    expect(languageOf('c d l B-52')).toBe('en');
    expect(languageOf('')).toBe('en');
  });
});
