import { describe, expect, it } from 'vitest';
import { aService } from '../../support/service.js';

const on = { models: { reader: true, tagger: true } };
const said = (timestamp: string, text: string) => ({ timestamp, messages: [{ role: 'user', text }] });
const isSure = ({ answer_basis, confidence }: { answer_basis: string; confidence: string }): boolean =>
  answer_basis !== 'not_found' && (confidence === 'high' || confidence === 'medium');

describe('an answer by reading', () => {
  it('states a fact that was plainly said, with the words that say it', async () => {
    const service = await aService(on);
    await service.insert(said('2025-05-01', 'I live in Rome.'));
    const answer = await service.ask({ question: 'Where do I live?' });
    expect(answer.answer_basis).toBe('fact_layer');
    expect(answer.answer).toBe('You live in Rome.\n1 May 2025, you: I live in Rome.');
    expect(isSure(answer)).toBe(true);
    expect(answer.confidence_score).toBeGreaterThan(0);
    expect(answer.confidence_score).toBeLessThan(1);
  });

  it('states the current value and the earlier one', async () => {
    const service = await aService(on);
    await service.insert(said('2024-05-01', 'we live in Manchester, any good curry places?'));
    await service.insert(said('2025-03-04', 'finally moved to Leeds last weekend, knackered'));
    const answer = await service.ask({ question: 'Where do I live now?' });
    expect(answer.answer).toMatch(/^You live in Leeds\. Before: Manchester/);
    expect(answer.confidence).toBe('high');
  });

  it('is never sure of what something newer may contradict', async () => {
    const service = await aService(on);
    await service.insert(said('2024-05-01', 'we live in Manchester, any good curry places?'));
    await service.insert(said('2025-03-04', 'so Leeds is home now, boxes everywhere'));
    const answer = await service.ask({ question: 'Where do I live now?' });
    expect(answer.answer).toContain('Leeds');
    expect(isSure(answer) && !answer.answer.startsWith('Leeds')).toBe(false);
  });

  it('never says "not found" if every word of the question was said', async () => {
    const service = await aService(on);
    await service.insert(
      said('2025-05-02', 'Nora booked a table at Cervejaria Ramiro for our last evening in Lisbon.'),
    );
    const answer = await service.ask({ question: 'What did Nora book?' });
    expect(answer.answer_basis).not.toBe('not_found');
    expect(answer.answer).toContain('Cervejaria Ramiro');
  });

  it('is never sure of one person by what was said of another', async () => {
    const service = await aService(on);
    await service.insert(said('2025-04-04', 'my daughter Mia is allergic to eggs, cake ideas?'));
    expect(isSure(await service.ask({ question: 'What am I allergic to?' }))).toBe(false);
  });

  it('is at most low when the reading model fails, and says why', async () => {
    const service = await aService(on);
    await service.insert(
      said('2025-05-02', 'Nora booked a table at Cervejaria Ramiro for our last evening in Lisbon.'),
    );
    await service.service.reading?.reader.close();
    const answer = await service.ask({ question: 'Which table did Nora book for our last evening in Lisbon?' });
    expect(answer.answer).toContain('Cervejaria Ramiro');
    expect(answer.confidence).toBe('low');
    expect(answer.confidence_reason).toContain('The reading model failed or took too long');
    expect(service.logLines.filter((line) => line.includes('ask_without_reading'))).toHaveLength(1);
  });

  it('says so in the language of the question, and shows the nearest mentions as no answer', async () => {
    const service = await aService(on);
    await service.insert(said('2025-04-04', 'der hund heißt Kalle, dackel, 9 kilo'));
    const answer = await service.ask({ question: 'Wie heißt mein Zahnarzt?' });
    expect(isSure(answer)).toBe(false);
    expect(answer.answer).toMatch(/^(?:Darauf gibt das Gedächtnis keine Antwort|Keine klare Antwort)\./);
  });

  it('cites what it quotes, within the token budget', async () => {
    const service = await aService(on);
    await service.insert(said('2025-03-04', 'finally moved to Leeds last weekend, knackered'));
    const answer = await service.ask({ question: 'When did I move to Leeds?', max_context_tokens: 40 });
    expect(answer.context_tokens_used).toBeLessThanOrEqual(40);
    for (const citation of answer.citations)
      if (citation.type === 'chunk') expect(answer.answer).toContain(citation.text);
  });
});
