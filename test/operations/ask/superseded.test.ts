import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../../src/auth/access.js';
import { operations } from '../../../src/operations/table.js';
import { aNote } from '../../support/conversation.js';
import { aService, type TestService } from '../../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'unknown' };

async function telling(...said: readonly [at: string, text: string][]): Promise<TestService> {
  const started = await aService();
  for (const [timestamp, text] of said) await started.insert(aNote(text, { timestamp }));
  return started;
}

async function supersede(started: TestService, old: string, next: string): Promise<void> {
  const { results } = await operations.facts_search.execute(started.service, call, { status: 'all' });
  const idOf = (value: string) => results.find(({ object_normalized }) => object_normalized === value)?.id;
  const input = { fact_id: idOf(old), superseded_by: idOf(next) };
  await operations.facts_supersede.execute(started.service, call, input);
}

describe('a question about what is no longer so', () => {
  const moved = () =>
    telling(['2026-03-01', 'I live in Kyiv and my bicycle is blue.'], ['2026-04-03', 'I live in Lviv now.']);

  it('is confirmed where it holds, and left to the messages where no fact has the value', async () => {
    const started = await moved();
    const held = await started.ask({ question: 'Do I still live in Lviv?' });
    expect(held.answer).toBe('Yes. You live in Lviv. Before: Kyiv (said on 1 March 2026).');
    const unknown = await started.ask({ question: 'Do I live in Poland?' });
    expect(unknown.answer).not.toMatch(/^(?:Yes|No)\./);
  });

  it('is answered with what took its place, and the older statement is history', async () => {
    const started = await moved();
    const answer = await started.ask({ question: 'Do I live in Kyiv?' });
    expect(answer).toMatchObject({
      answer: 'No. You live in Lviv. Before: Kyiv (said on 1 March 2026).',
      answer_basis: 'fact_layer',
      facts: [{ object_normalized: 'Lviv', status: 'active' }],
    });
    expect(answer.citations).toMatchObject([
      { type: 'fact', text: 'Lviv', quote: 'I live in Lviv now.' },
      { type: 'fact', text: 'Kyiv', quote: 'I live in Kyiv and my bicycle is blue.' },
    ]);
    expect(answer.provenance.conversations).toHaveLength(2);
  });

  it.each(['Where do I live now?', 'Where do we live?'])(
    'hears of a change that leaves out who moved: %s',
    async (question) => {
      const started = await telling(
        ['2024-09-02', 'we live in Manchester'],
        ['2025-03-04', 'finally moved to Leeds last weekend'],
      );
      expect(await started.ask({ question })).toMatchObject({
        answer: 'You live in Leeds. Before: Manchester (said on 2 September 2024).',
        confidence: 'high',
      });
    },
  );

  it('is answered with the newest value after many changes', async () => {
    const cities = Array.from({ length: 25 }, (_, index) => `Town${String.fromCharCode(97 + index)}`);
    const started = await telling(
      ...cities.map((city, at): [string, string] => [`${2000 + at}-03-01`, `I live in ${city}.`]),
    );
    expect((await started.ask({ question: 'Do I live in Townb?' })).answer).toBe(
      'You live in Towny. Before: Townb (said on 1 March 2001).',
    );
  });

  it('leaves alone what the same sentence says besides', async () => {
    const started = await moved();
    expect(await started.ask({ question: 'Is my bicycle blue?' })).toMatchObject({
      answer: 'I live in Kyiv and my bicycle is blue.',
      answer_basis: 'direct_memory',
      confidence: 'high',
    });
  });

  it('is answered as usual if it asks for a former state or an event', async () => {
    const started = await telling(
      ['2026-03-01', 'I moved to Kyiv with three suitcases.'],
      ['2026-04-03', 'I live in Lviv now.'],
    );
    const answer = await started.ask({ question: 'With how many suitcases did I move to Kyiv?' });
    expect(answer).toMatchObject({
      answer: 'I moved to Kyiv with three suitcases.',
      answer_basis: 'direct_memory',
      confidence: 'high',
    });
  });

  it('knows what a person decided', async () => {
    const started = await telling(['2026-03-01', 'I like tea.'], ['2026-03-02', 'I like coffee.']);
    await supersede(started, 'tea', 'coffee');
    expect((await started.ask({ question: 'Do I like tea?' })).answer).toBe(
      'You like coffee. Before: tea (said on 1 March 2026).',
    );
    expect((await started.ask({ question: 'Do I like coffee?' })).answer).toBe('You like coffee.');
  });

  it('keeps the values of one sentence apart', async () => {
    const started = await telling(['2026-03-01', 'I enjoy chess and rowing.'], ['2026-03-02', 'I enjoy cycling.']);
    await supersede(started, 'chess', 'cycling');
    expect((await started.ask({ question: 'Is chess something to enjoy?' })).answer).toContain('Before: chess');
    expect((await started.ask({ question: 'Is rowing something to enjoy?' })).answer).toBe('I enjoy chess and rowing.');
  });

  it('follows decisions to the one that is current', async () => {
    const started = await telling(
      ['2026-03-01', 'I work as a nurse.'],
      ['2026-03-02', 'I enjoy painting.'],
      ['2026-03-03', 'I enjoy cycling.'],
    );
    await supersede(started, 'nurse', 'painting');
    await supersede(started, 'painting', 'cycling');
    expect((await started.ask({ question: 'What do I work as?' })).answer).toBe(
      'You like cycling. Before: nurse (said on 1 March 2026).',
    );
  });

  it('is never sure about a decision without a successor', async () => {
    const started = await telling(
      ['2026-03-01', 'I collect stamps and I like green tea.'],
      ['2026-04-01', 'I no longer like green tea.'],
    );
    const { answer, confidence } = await started.ask({ question: 'Is green tea what I like?' });
    expect(answer.split('\n')[0]).toBe('I no longer like green tea.');
    expect(confidence).not.toBe('none');
    const earlier = await started.ask({ question: 'Is green tea what I like?', date_to: '2026-03-15' });
    expect(earlier).toMatchObject({
      answer: 'Before (said on 1 March 2026): I collect stamps and I like green tea.',
      confidence: 'low',
    });
    expect(earlier.confidence_reason).toContain('no longer so');
  });
});
