import { describe, expect, it } from 'vitest';
import { answerFromFacts, type FactAnswer } from '../../src/answers/fact-answer.js';
import { readingQuestion } from '../../src/answers/question.js';
import { kindOf, predicateKinds } from '../../src/facts/predicates.js';
import { languages } from '../../src/language/languages.js';
import type { Fact } from '../../src/model/fact.js';
import { finished } from '../../src/model/steps.js';
import { aFact } from '../support/fact.js';

const early = '2024-03-01T00:00:00.000Z';
const late = '2025-06-10T00:00:00.000Z';

function answer(question: string, facts: readonly Fact[]): FactAnswer | undefined {
  const isSingle = (predicate: string): boolean => kindOf(predicate)?.values === 'one';
  return answerFromFacts(facts, { question: finished(readingQuestion(question, late)), isSingle, placeOf: () => 0 });
}

const paris = aFact({ predicate: 'profile_location', object_normalized: 'Paris', stated_at: early });
const rome = aFact({ predicate: 'profile_location', object_normalized: 'Rome', stated_at: late });

describe('an answer from facts', () => {
  it('is the newest statement, with the older ones as history', () => {
    expect(answer('Where do I live?', [{ ...paris, status: 'superseded' }, rome])).toMatchObject({
      basis: 'fact_layer',
      text: 'You live in Rome. Before: Paris (said on 1 March 2024).',
      confidence: 'high',
      facts: [{ object_normalized: 'Rome' }],
      history: [{ object_normalized: 'Paris' }],
    });
  });

  it('can be told as what was said before, if there is one value at a time', () => {
    expect(answer('Where do I live?', [rome])?.formerly).toBe('Before: Rome (said on 10 June 2025).');
    const violin = aFact({ predicate: 'plays', object_normalized: 'violin', stated_at: late });
    const played = answer('Which instrument do I play?', [violin]);
    expect(played?.facts).toHaveLength(1);
    expect(played?.formerly).toBeUndefined();
  });

  it('dates a former value by when it was last said before it was replaced', () => {
    const place = { conversation_id: 'c', message_index: 0, chunk_index: 0, start: 0, end: 5 };
    const said = (at: string) => ({
      ...place,
      object_raw: 'Oslo',
      source: 'notes',
      role: 'user' as const,
      stated_at: at,
    });
    const oslo = aFact({
      predicate: 'profile_location',
      object_normalized: 'Oslo',
      stated_at: '2025-10-17T00:00:00.000Z',
      status: 'superseded',
      superseded_at: early,
      sources: [said('2023-11-06T00:00:00.000Z'), said('2025-10-17T00:00:00.000Z')],
    });
    expect(
      answer('Where do I live?', [oslo, { ...paris, status: 'superseded', superseded_at: late }, rome])?.text,
    ).toBe('You live in Rome. Before: Paris (said on 1 March 2024); Oslo (said on 6 November 2023).');
  });

  it('is the newest one also when nothing was superseded', () => {
    expect(answer('Where do I live?', [paris, rome])?.text).toBe(
      'You live in Rome. Before: Paris (said on 1 March 2024).',
    );
  });

  it('is the former value if the question asks for it', () => {
    expect(answer('Where did I live before?', [{ ...paris, status: 'superseded' }, rome])?.text).toBe(
      'Before: Paris (said on 1 March 2024). Now: Rome.',
    );
  });

  it('does not give the current value when the question asks for an earlier one that was never stated', () => {
    expect(answer('Where did I live before?', [rome])).toBeUndefined();
    expect(answer('What was my previous address?', [rome])).toBeUndefined();
  });

  it.each(['What is my last name?', 'What is my first name?'])('gives the current value: %s', (question) => {
    const name = aFact({ predicate: 'profile_surname', object_normalized: 'Novak' });
    expect(answer(question, [name])?.text).toBe('Your family name is Novak.');
  });

  describe('about a time that is over', () => {
    const paris = aFact({
      predicate: 'profile_location',
      object_normalized: 'Paris',
      stated_at: '2024-03-01T00:00:00.000Z',
      status: 'superseded',
      superseded_at: '2024-08-10T00:00:00.000Z',
    });
    const rome = aFact({
      predicate: 'profile_location',
      object_normalized: 'Rome',
      stated_at: '2024-08-10T00:00:00.000Z',
    });

    it.each([
      ['Where did I live in July 2024?', 'Then: Paris (said on 1 March 2024). Now: Rome.', 'medium'],
      ['Where did I live in March 2024?', 'Then: Paris (said on 1 March 2024). Now: Rome.', 'high'],
      ['Where was I living in October?', 'Then and now: Rome (said on 10 August 2024).', 'medium'],
      ['Wo habe ich im Juli 2024 gewohnt?', 'Damals: Paris (gesagt am 1. März 2024). Jetzt: Rome.', 'medium'],
      ['Dónde vivía en julio de 2024?', 'Entonces: Paris (dicho el 1 de marzo de 2024). Ahora: Rome.', 'medium'],
      [
        'Where did I live in August 2024?',
        'Then: Paris (said on 1 March 2024); Rome (said on 10 August 2024). Now: Rome.',
        'high',
      ],
    ])('%s is answered with what was so then', (question, text, confidence) => {
      expect(answer(question, [paris, rome])).toMatchObject({ basis: 'fact_layer', text, confidence });
    });

    it('knows nothing of a time before anything was said', () => {
      expect(answer('Where did I live in 2022?', [paris, rome])).toBeUndefined();
    });

    it('counts every time it was said, and not what had ended', () => {
      const ended = { ...rome, status: 'superseded', superseded_at: '2024-10-01T00:00:00.000Z' } as const;
      expect(answer('Where did I live in September 2024?', [paris, ended])?.text).toBe(
        'Then: Rome (said on 10 August 2024).',
      );
      expect(answer('Where did I live in November 2024?', [paris, ended])).toBeUndefined();
    });

    it('gives the current value when the question is not about the past', () => {
      expect(answer('Where do I live in summer?', [rome])?.text).toBe('You live in Rome.');
    });

    it('lists what was said at the time of things that have many values', () => {
      const [tea, chess] = [
        aFact({ predicate: 'likes', object_normalized: 'tea', stated_at: '2024-03-01T00:00:00.000Z' }),
        aFact({ predicate: 'likes', object_normalized: 'chess', stated_at: '2024-08-10T00:00:00.000Z' }),
      ];
      expect(answer('What did I like in August 2024?', [tea, chess])?.text).toBe(
        'Then: chess (said on 10 August 2024).',
      );
    });
  });

  it('is a conflict only when statements of the same time disagree about something that has one value', () => {
    const both = answer('Where do I live?', [{ ...paris, stated_at: late }, rome]);
    expect(both).toMatchObject({ basis: 'conflict', confidence: 'low' });
    expect(both?.text).toContain('Paris');
    expect(both?.text).toContain('Rome');
    const guitars = ['a Gibson', 'a Fender'].map((object_normalized) =>
      aFact({ predicate: 'owns_guitar', object_normalized, stated_at: late }),
    );
    const owned = answer('What guitars do I own?', guitars);
    expect(owned).toMatchObject({ basis: 'fact_layer', confidence: 'high' });
    expect(owned?.text).toMatch(/^You own a (?:Gibson and a Fender|Fender and a Gibson)\.$/);
  });

  it('takes the word of the user over that of the assistant', () => {
    const guess = aFact({
      predicate: 'profile_location',
      object_normalized: 'Oslo',
      stated_at: late,
      source_quality: 'assistant_statement',
      confidence: 'medium',
    });
    expect(answer('Where do I live?', [guess, paris])?.text).toBe('You live in Paris.');
    expect(answer('Where do I live?', [guess])).toMatchObject({ text: 'You live in Oslo.', confidence: 'medium' });
  });

  it('says when an age was true', () => {
    const age = aFact({ predicate: 'profile_age', object_normalized: '34', stated_at: early });
    expect(answer('How old am I?', [age])?.text).toBe('Your age: 34 (on 1 March 2024).');
  });

  it('is none when every statement is over and the present was asked', () => {
    expect(answer('Where do I live?', [{ ...paris, status: 'superseded' }])).toBeUndefined();
  });

  it('wants the context when the question does', () => {
    expect(answer('How do you know where I live?', [rome])?.wantsContext).toBe(true);
    expect(answer('Where do I live?', [rome])?.wantsContext).toBe(false);
  });
});

describe('an answer from facts in the language of the question', () => {
  it.each([
    ['Wo wohne ich?', 'Du wohnst in Rome. Vorher: Paris (gesagt am 1. März 2024).'],
    ["Où est-ce que j'habite ?", 'Votre domicile : Rome. Avant : Paris (dit le 1 mars 2024).'],
    ['¿Dónde vivo?', 'Vives en Rome. Antes: Paris (dicho el 1 de marzo de 2024).'],
    ['Де я зараз живу?', 'Місце проживання: Rome. Раніше: Paris (сказано 1 березня 2024 р.).'],
    ['我住在哪里？', '你住在Rome。 以前：Paris（2024年3月1日说的）。'],
    ['今どこに住んでいますか？', 'お住まい：Rome。 以前：Paris（2024年3月1日の発言）。'],
    ['أين أسكن الآن؟', 'مكان سكنك: Rome. سابقًا: Paris (قيل في 1 مارس 2024).'],
  ])('%s', (question, text) => {
    expect(answer(question, [paris, rome])?.text).toBe(text);
  });

  it('names predicates without a template, and writes days as the language does', () => {
    const sister = aFact({ predicate: 'relation_sister', object_normalized: 'Eva' });
    expect(answer('Wie heißt meine Schwester?', [sister])?.text).toBe('Schwester: Eva.');
    const birthday = aFact({ predicate: 'profile_birthday', object_normalized: 'March 5, 1990' });
    expect(answer('Wann habe ich Geburtstag?', [birthday])?.text).toBe('Dein Geburtstag: 5. März 1990.');
    const eggs = aFact({ predicate: 'allergic_to', object_normalized: 'huevos', subject: 'Fiona' });
    expect(answer('¿A qué tiene alergia Fiona?', [eggs])?.text).toBe('Fiona, alergias: huevos.');
    const rock = aFact({ predicate: 'relation_bandmate', object_normalized: 'Eva' });
    expect(answer('Wer ist das nochmal?', [rock])?.text).toBe('bandmate: Eva.');
  });

  it.each(languages().filter(({ code, answers }) => code !== 'en' && answers?.facts !== undefined))(
    'has words for every predicate in $code',
    ({ answers }) => {
      const { sentences = {}, nouns = '' } = answers?.facts ?? {};
      const named = new Set(nouns.split('|').map((pair) => pair.slice(0, pair.indexOf('='))));
      const closed = predicateKinds.filter(({ open }) => open === undefined).map(({ predicate }) => predicate);
      const words = closed.map((predicate) => predicate.replace(/^(?:profile|relation)_/, '').replaceAll('_', ' '));
      expect(words.filter((each) => !named.has(each))).toEqual([]);
      const english = languages().find(({ code }) => code === 'en')?.answers?.facts?.sentences ?? {};
      expect(Object.keys(sentences)).toEqual(Object.keys(english));
    },
  );

  it('exists for every language that has phrases', () => {
    const without = languages().filter(({ answers }) => answers?.phrases !== undefined && answers.facts === undefined);
    expect(without.map(({ code }) => code)).toEqual([]);
  });
});
