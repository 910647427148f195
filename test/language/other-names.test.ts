import { describe, expect, it } from 'vitest';
import { contentTerms, otherNames } from '../../src/language/query-terms.js';

const named = (query: string): string[] => otherNames(query, contentTerms(query));

describe('other names', () => {
  it.each([
    ['What frightens my mum at night?', 'mother'],
    ['¿Qué asusta a mi mamá?', '~madr'],
    ['Was muss ich für das Rad in der Bahn bezahlen?', 'fahrrad'],
    ["Qu'est-ce que maman a dit au téléphone ?", '~mere'],
    ['Що сказала мама про подорож?', 'мати'],
  ])('of what is asked for are looked for too: %s', (query, other) => {
    expect(named(query)).toContain(other);
  });

  it('of a word that begins others are found in those as well', () => {
    // Fahrrad is in Fahrradkarte by its head.
    expect(named('Was muss ich für das Rad in der Bahn bezahlen?')).toContain('~fahrr');
  });

  it('exclude words of the query, and are empty when there are none', () => {
    expect(named('mother and mom')).not.toContain('mom');
    expect(named('the greenhouse in spring')).toEqual([]);
  });

  it('belong to the language of the query', () => {
    // In English a papa is no padre.
    expect(named('Where does the papa bear live in this story?')).toEqual([]);
  });
});
