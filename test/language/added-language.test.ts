import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeRead } from '../../src/answers/compose-read.js';
import { answerFromFacts } from '../../src/answers/fact-answer.js';
import { factQueryOf, isWanted } from '../../src/answers/fact-match.js';
import { readingQuestion } from '../../src/answers/question.js';
import { extracting } from '../../src/facts/extract.js';
import { entitiesOf } from '../../src/ingestion/entities.js';
import { findTopics } from '../../src/ingestion/summarise.js';
import { parseTranscript } from '../../src/ingestion/transcript.js';
import type { Language } from '../../src/language/language.js';
import { addLanguage, languageOf } from '../../src/language/languages.js';
import { contentTerms } from '../../src/language/query-terms.js';
import { indexTerms, queryTerms } from '../../src/language/terms.js';
import { mentionsTime, timeIntent } from '../../src/language/time/time-intent.js';
import { finished } from '../../src/model/steps.js';
import { aFact } from '../support/fact.js';

/** A language that nobody speaks: every word is invented. */
const toy: Language = {
  code: 'qq',
  script: 'latin',
  words: {
    functionWords: 'zo zi zu kel vor nam',
    // Words inflect with -ix and -ux.
    stem: (word) => word.replace(/(?:ix|ux)$/, ''),
    otherNames: ['brillo vonto'],
    names: { links: { dix: '' }, ordinary: 'forsa' },
  },
  topics: { pets: 'gattix, zu hundux' },
  transcripts: { user: 'zu', assistant: 'robo' },
  time: {
    months: ['unamon', 'dumon', 'trimon'],
    units: { day: 'tagix' },
    numbers: ['unz', 'duz', 'triz'],
    dayWords: { '-1': 'yestag' },
    phrases: { day: ['{dayWord}'], ago: ['{count} {unit} bakka'], date: ['{day} {month} {year}'] },
  },
  questions: { where: /(?<!\p{L})kel(?!\p{L})/u },
  answers: {
    asks: { location: ['kel zo habba'] },
    phrases: {
      you: 'zu',
      assistant: 'robo',
      perhaps: (answer) => `Forsa: ${answer}`,
      yes: 'Ya',
      no: 'Nei',
      unclear: 'Nul klara.',
      nearest: 'Prossa:',
      notFound: 'Nul memora.',
      before: 'Fru',
      saidOn: (day) => `dixa ${day}`,
    },
    facts: {
      sentences: { profile_location: 'Zu habba vor {}.' },
      is: 'Zu {what} es {}.',
      list: 'Zu {what}: {}.',
      of: '{who}, {what}: {}.',
      and: ' ko ',
      on: '{} ({day})',
      saidOn: '{} (dixa {day})',
      before: 'Fru: {}.',
      atThatTime: 'Tam: {}.',
      thenAndNow: 'Tam ko nu: {}.',
      now: 'Nu: {}.',
      disagree: 'Dispa: {}.',
    },
  },
  facts: {
    rules: [
      ['zo', 'zo habba vor {}', 'profile_location', 'place'],
      ['zo', 'zo lika {}', 'likes', 'topics'],
    ],
    clauses: { self: 'zo', joint: 'ko' },
    values: { kinds: { topics: { split: 'ko' } } },
  },
};

const question = 'Kel zo habba?';
const today = '2026-05-20T10:00:00Z';

function statementsOf(text: string): string[] {
  const steps = extracting({ messages: [{ role: 'user', text }] });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value.map(({ predicate, object_raw }) => `${predicate}=${object_raw}`);
}

describe('a language that is added at run time', () => {
  let remove = (): void => undefined;
  beforeAll(() => {
    // What was made before must not stay as it was.
    expect(languageOf(question)).toBe('en');
    expect(statementsOf('Zo habba vor Larnia.')).toEqual([]);
    expect(mentionsTime('yestag')).toBe(false);
    remove = addLanguage(toy);
  });
  afterAll(() => {
    remove();
    expect(languageOf(question)).toBe('en');
    expect(statementsOf('Zo habba vor Larnia.')).toEqual([]);
  });

  it('is recognised, and its function words leave a query', () => {
    expect(languageOf(question)).toBe('qq');
    expect(contentTerms('kel zo brillo')).toEqual(['brillo', '~brillo']);
  });

  it('has the forms of its words meet in search', () => {
    expect(queryTerms('zo nam brandix')).toContain('~brand');
    expect(indexTerms('zo nam brandux')).toContain('~brand');
  });

  it('has its times read', () => {
    const daysOf = (query: string): string[] =>
      timeIntent(query, today).spans.map(({ from, to }) => `${from.slice(0, 10)} ${to.slice(0, 10)}`);
    expect(daysOf('kel zo yestag')).toEqual(['2026-05-19 2026-05-19']);
    expect(daysOf('duz tagix bakka')).toEqual(['2026-05-18 2026-05-18']);
    expect(daysOf('3 trimon 2025')).toEqual(['2025-03-03 2025-03-03']);
    expect(mentionsTime('yestag')).toBe(true);
  });

  it('has its facts read, several of a sentence and of a list', () => {
    expect(statementsOf('Zo habba vor Larnia.')).toEqual(['profile_location=Larnia']);
    expect(statementsOf('Zo habba vor Larnia, ko zo lika brillo ko vonto.')).toEqual([
      'profile_location=Larnia',
      'likes=brillo',
      'likes=vonto',
    ]);
  });

  it('has its topics, names and transcripts recognised', () => {
    expect(finished(findTopics(['Zo lika zu hundux.']))).toEqual(['pets']);
    expect([...entitiesOf('zo habba vor Larnia dix Ostrova.\nForsa Mirel Danto lika brillo.')].filter(Boolean)).toEqual(
      ['Larnia dix Ostrova', 'Mirel Danto'],
    );
    expect(parseTranscript('Zu: kel\nRobo: vor', 'common')).toEqual([
      { role: 'user', text: 'kel' },
      { role: 'assistant', text: 'vor' },
    ]);
  });

  it('is answered in its own words', () => {
    const read = finished(readingQuestion(question, today));
    expect(read.kind).toBe('where');
    const fact = aFact({ predicate: 'profile_location', object_normalized: 'Larnia', subject: 'user' });
    const query = factQueryOf(read);
    expect(query === undefined ? false : isWanted(fact, query)).toBe(true);
    const answer = answerFromFacts([fact], { question: read, isSingle: () => true, placeOf: () => 0 });
    expect(answer?.text).toBe('Zu habba vor Larnia.');
    expect(composeRead({ question: read, lines: [], confidence: 'none' })).toBe('Nul memora.');
  });
});
