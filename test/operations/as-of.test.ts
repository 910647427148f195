import { describe, expect, test } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { operations } from '../../src/operations/table.js';
import { aConversation, aNote } from '../support/conversation.js';
import { refusalOf } from '../support/failure.js';
import { aService, type TestService } from '../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };

async function facts(started: TestService, input: object) {
  return (await operations.facts_search.execute(started.service, call, input)).results;
}

async function homes(started: TestService, input: object): Promise<string[]> {
  const found = await facts(started, { predicate: 'profile_location', ...input });
  return found.map(({ object_normalized, status }) => `${object_normalized} ${status}`);
}

/** One thread that goes on for a year, and a conversation of a year later. */
async function aYear(): Promise<TestService> {
  const started = await aService();
  await started.insert(
    aConversation({
      title: 'Moving',
      timestamp: '2024-01-10',
      messages: [
        { role: 'user', text: 'I live in Oslo. My bicycle is blue.', timestamp: '2024-01-10' },
        { role: 'assistant', text: 'Oslo is cold in winter.', timestamp: '2024-01-10' },
        { role: 'user', text: 'I live in Rome now. My bicycle was stolen by Zebulon.', timestamp: '2024-07-01' },
        { role: 'assistant', text: 'Zebulon should be ashamed.', timestamp: '2024-07-01' },
      ],
    }),
  );
  await started.insert(aNote('I live in Bern. Zebulon brought my bicycle back.', { timestamp: '2025-03-01' }));
  return started;
}

describe('facts as of a date', () => {
  test('are those stated by that time, judged by what had been said', async () => {
    const started = await aYear();
    expect(await homes(started, { as_of: '2023-12-31', status: 'all' })).toEqual([]);
    expect(await homes(started, { as_of: '2024-01-10', status: 'all' })).toEqual(['Oslo active']);
    expect(await homes(started, { as_of: '2024-12-31', status: 'all' })).toEqual(['Rome active', 'Oslo superseded']);
    expect(await homes(started, { as_of: '2024-12-31' })).toEqual(['Rome active']);
    expect(await homes(started, {})).toEqual(['Bern active']);
    expect(await homes(started, { as_of: '2999-01-01' })).toEqual(['Bern active']);
  });

  test('contain nothing later', async () => {
    const started = await aYear();
    const [oslo] = await facts(started, { as_of: '2024-06-30', predicate: 'profile_location' });
    expect(oslo).toMatchObject({ stated_at: '2024-01-10T00:00:00.000Z', updated_at: '2024-01-10T00:00:00.000Z' });
    expect(oslo).not.toHaveProperty('superseded_by');
    await started.insert(aNote('I live in Oslo again, by the way.', { timestamp: '2025-05-01' }));
    expect(await facts(started, { as_of: '2024-06-30', predicate: 'profile_location' })).toEqual([oslo]);
  });

  test('know a change by hand from its time on', async () => {
    const started = await aYear();
    const [bern] = await facts(started, { predicate: 'profile_location' });
    await operations.facts_retract.execute(started.service, call, { fact_id: bern?.id });
    expect(await homes(started, {})).toEqual([]);
    expect(await homes(started, { as_of: '2025-12-31' })).toEqual(['Bern active']);
    const [then] = await facts(started, { as_of: '2025-12-31', predicate: 'profile_location' });
    expect(then).toEqual(bern);
  });

  test('are found by words and page by page', async () => {
    const started = await aService();
    const values = ['tea', 'chess', 'rain', 'jazz', 'figs'];
    for (const [month, value] of values.entries()) {
      await started.insert(aNote(`I like ${value}.`, { timestamp: `2024-0${month + 1}-01` }));
    }
    expect((await facts(started, { query: 'chess figs', as_of: '2024-04-15' })).map((each) => each.object_raw)).toEqual(
      ['chess'],
    );
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const input: object = { limit: 3, as_of: '2024-04-15', ...(cursor === null ? {} : { cursor }) };
      const page = await operations.facts_search.execute(started.service, call, input);
      listed.push(...page.results.map(({ object_raw }) => object_raw));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(listed).toEqual(['jazz', 'rain', 'chess', 'tea']);
  });

  test('refuse what is no date', async () => {
    const started = await aService();
    expect(await refusalOf(facts(started, { as_of: 'then' }))).toMatchObject({ code: 'invalid_input' });
  });
});

describe('a profile as of a date', () => {
  test('is made from the facts of then', async () => {
    const started = await aYear();
    const input = { as_of: '2024-06-30', predicate: 'profile_location' };
    const profile = await operations.profile_get.execute(started.service, call, input);
    expect(profile.facts).toMatchObject([{ object_normalized: 'Oslo' }]);
    expect(profile.summary).toMatchObject({ text: 'profile_location: Oslo.', filters: { as_of: '2024-06-30' } });
    expect(JSON.stringify(profile)).not.toMatch(/Rome|Bern/);
  });
});

describe('a question as of a date', () => {
  const questions = [
    'Where do I live?',
    'Where did I live before?',
    'What colour is my bicycle?',
    'Who is Zebulon?',
    'Who stole my bicycle?',
    'What happened in 2025?',
  ];

  test('gets the answer of then', async () => {
    const started = await aYear();
    const then = await started.ask({ question: 'Where do I live?', as_of: '2024-06-30' });
    expect(then.answer).toContain('Oslo');
    const later = await started.ask({ question: 'Where do I live?', as_of: '2024-12-31' });
    expect(later.answer).toContain('Rome');
    expect((await started.ask({ question: 'Where do I live?' })).answer).toContain('Bern');
  });

  test.each(['chunks', 'compact', 'conversations', 'threads'])('holds nothing of later, as %s', async (result_mode) => {
    const started = await aYear();
    for (const question of questions) {
      const answer = await started.ask({ question, result_mode, as_of: '2024-06-30', top_k: 20 });
      // Whatever it is called: the answer, evidence, citations, facts, provenance and whole conversations.
      const { explanation: _, ...shown } = answer;
      const text = JSON.stringify(shown).replaceAll(question, '');
      expect({ question, leaks: /Rome|Bern|stolen|ashamed|brought|2024-07|2025-03/.test(text) }).toEqual({
        question,
        leaks: false,
      });
    }
  });

  test('reads nothing of later with the reading model', async () => {
    const started = await aService({ models: { reader: true } });
    await started.insert(
      aConversation({
        timestamp: '2024-01-10',
        messages: [
          { role: 'user', text: 'My bicycle is blue.', timestamp: '2024-01-10' },
          { role: 'user', text: 'I painted my bicycle crimson.', timestamp: '2024-07-01' },
        ],
      }),
    );
    const answer = await started.ask({ question: 'What colour is my bicycle?', as_of: '2024-06-30' });
    expect(answer.answer).toContain('blue');
    expect(JSON.stringify(answer)).not.toContain('crimson');
    expect((await started.ask({ question: 'What colour is my bicycle?' })).results).not.toEqual(answer.results);
  });

  test('counts "last month" from then', async () => {
    const started = await aYear();
    const question = 'What did I say last month?';
    expect((await started.ask({ question, as_of: '2024-02-15' })).answer).toMatch(/Oslo|blue/);
    expect(await started.ask({ question, as_of: '2024-04-15' })).toMatchObject({ answer_basis: 'not_found' });
  });

  test('leaves a narrower date_to alone', async () => {
    const started = await aYear();
    const input = { question: 'Where do I live?', as_of: '2025-12-31', date_to: '2024-06-30' };
    expect(JSON.stringify((await started.ask(input)).results)).not.toContain('Bern');
  });
});

/** A syllable for every digit, so that each number is a word of letters. */
const word = (number: number): string =>
  [...String(number)].map((digit) => 'bafedogukilomunapesi'.slice(Number(digit) * 2, Number(digit) * 2 + 2)).join('');

describe('more facts than are read at once', () => {
  test('are complete as of a date, each in its state then, page by page', async () => {
    const started = await aService();
    const told = (from: number, place: string): object[] =>
      Array.from({ length: 30 }, (_, index) => ({
        role: 'user',
        text: `My favourite ${word(1_000 + from + index)} is ${place}.`,
      }));
    for (let from = 0; from < 1_260; from += 30) {
      await started.insert({ timestamp: '2024-01-10', messages: told(from, 'Alpha') });
    }
    // Every third of them changes later.
    for (let from = 0; from < 1_260; from += 90) {
      await started.insert({ timestamp: '2025-01-10', messages: told(from, 'Omega') });
    }
    const asOf = async (as_of: string): Promise<Map<string, number>> => {
      const counts = new Map<string, number>();
      let cursor: string | undefined;
      const seen = new Set<string>();
      do {
        const page = await operations.facts_search.execute(started.service, call, {
          as_of,
          limit: 100,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const { id, object_normalized } of page.results) {
          if (seen.has(id)) throw new Error('a fact is on two pages');
          seen.add(id);
          counts.set(object_normalized, (counts.get(object_normalized) ?? 0) + 1);
        }
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
      return counts;
    };
    expect(await asOf('2023-12-31')).toEqual(new Map());
    expect(await asOf('2024-06-01')).toEqual(new Map([['Alpha', 1_260]]));
    expect(await asOf('2025-06-01')).toEqual(
      new Map([
        ['Omega', 420],
        ['Alpha', 840],
      ]),
    );
  });
});
