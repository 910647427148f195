import { describe, expect, it } from 'vitest';
import type { AskOutput } from '../../../src/operations/ask/shapes.js';
import { aNote } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

/** What was said, by the day it was said on. */
type Said = readonly (readonly [day: string, text: string])[];

async function asked(said: Said, question: string, reference_date = '2026-11-16'): Promise<AskOutput> {
  const service = await aService();
  for (const [day, text] of said) await service.insert(aNote(text, { timestamp: `${day}T10:00:00Z` }));
  return service.ask({ question, reference_date });
}

describe('when something is', () => {
  it.each([
    ['2026-02-20', 'My flight to Oslo leaves on March 3.', 'When does my flight to Oslo leave?', '3 March 2026. '],
    ['2026-11-11', 'The concert of Björk is on Saturday.', 'When is the Björk concert?', '14 November 2026. '],
    ['2026-11-12', 'I saw the dentist on Monday.', 'When did I see the dentist?', '9 November 2026. '],
    ['2026-11-14', 'Next release is 8 December.', 'When is the next release?', '8 December 2026. '],
    // No one date; and the day it was said would pass for it.
    ['2026-11-05', 'Choir practice is every Tuesday.', 'When is choir practice?', ''],
    ['2026-11-05', 'The office is closed until March.', 'When is the office closed?', ''],
    ['2026-11-05', 'The cat ran away.', 'When did the cat run away?', 'Said on 5 November 2026. '],
  ])('said on %s, %s: %s', async (day, text, question, date) => {
    expect((await asked([[day, text]], question)).answer).toBe(`${date}${text}`);
  });
});

describe('what was true at a time', () => {
  const moved = [
    ['2026-05-03', 'I live in Bratislava.'],
    ['2026-08-20', 'I live in Vienna now.'],
  ] as const;

  it('is the fact of that time', async () => {
    expect(await asked(moved, 'Where did I live in July?')).toMatchObject({
      answer: 'Then: Bratislava (said on 3 May 2026). Now: Vienna.',
      answer_basis: 'fact_layer',
      confidence: 'medium',
    });
    expect(await asked(moved, 'Where was I living in October?')).toMatchObject({
      answer: 'Then and now: Vienna (said on 20 August 2026).',
    });
  });

  it('is never the current value if no earlier one was stated', async () => {
    const { answer_basis, facts } = await asked([['2026-05-03', 'I work at Tatra Bank.']], 'Where did I work before?');
    expect({ answer_basis, facts }).toEqual({ answer_basis: expect.not.stringMatching('fact_layer'), facts: [] });
  });
});

describe('a time in a question', () => {
  const days = [
    ['2026-06-07', 'We visited the zoo yesterday.'],
    ['2026-09-07', 'Our dog Bello died last week.'],
    ['2026-09-08', 'Here is a plan: long runs on Sunday, intervals on Wednesday.'],
    ['2026-11-10', 'The kitchen tap drips again.'],
    ['2026-11-11', 'I bought new running shoes.'],
    ['2026-11-15', 'I repaired the tap at last.'],
  ] as const;

  it.each([
    ['What did I say last week?', ['I repaired the tap at last.', 'I bought new', 'The kitchen tap']],
    ['What did I do yesterday?', ['I repaired the tap at last.']],
    ['What did I say last Wednesday?', ['I bought new running shoes.']],
    ['Was habe ich gestern gesagt?', ['I repaired the tap at last.']],
    ['¿Qué dije ayer?', ['I repaired the tap at last.']],
  ])('alone is answered with what was said then, newest first: %s', async (question, said) => {
    const { answer } = await asked(days, question);
    expect(answer.split('\n').map((line, at) => line.startsWith(said[at] ?? '?'))).toEqual(said.map(() => true));
  });

  it('alone finds nothing where nothing was said then', async () => {
    for (const question of ['What happened in August?', 'What did I do the day before yesterday?']) {
      expect(await asked(days, question)).toMatchObject({ answer_basis: 'not_found', results: [] });
    }
  });

  it('may be any of them if the question asks about the present', async () => {
    const { answer, confidence } = await asked(days, 'What is the plan for Wednesday?');
    expect(answer).toContain('intervals on Wednesday');
    expect(['high', 'medium']).toContain(confidence);
  });
});
