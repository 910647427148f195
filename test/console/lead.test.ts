import { describe, expect, it } from 'vitest';
import { leadOf, shortAnswer, unclearLead } from '../../console/src/views/ask/lead.js';

const said = (text: string) => ({
  type: 'chunk' as const,
  id: 'c1',
  chunk_index: 0,
  message_index: 0,
  text,
  role: 'user' as const,
  source: 'notes',
  timestamp: '2025-03-04T00:00:00Z',
});

describe('the short answer', () => {
  it('is what comes before the quotes', () => {
    const answer = 'Leeds.\n4 Mar 2025, you: finally moved to Leeds last weekend';
    expect(leadOf({ answer, citations: [said('finally moved to Leeds last weekend.')] })).toBe('Leeds.');
  });

  it('is the whole answer where nothing is quoted word for word', () => {
    const answer = 'You live in Rome. Before: Paris (said on 1 March 2024).';
    expect(leadOf({ answer, citations: [] })).toBe(answer);
  });

  it('exists in every language', () => {
    const answer = 'Keine klare Antwort. Am nächsten kommt:\n4. März 2025, du: Ich bin nach Köln gezogen';
    const citations = [said('Ich bin nach Köln gezogen')];
    expect(leadOf({ answer, citations })).toBe('Keine klare Antwort. Am nächsten kommt:');
  });

  it('is absent where the answer is nothing but quotes', () => {
    const answer = '4 Mar 2025, you: finally moved to Leeds last weekend';
    expect(leadOf({ answer, citations: [said('finally moved to Leeds last weekend')] })).toBeUndefined();
  });

  it('keeps a quoted sentence that is the answer itself', () => {
    const answer = 'The deposit was 300 euros.';
    expect(leadOf({ answer, citations: [said('The deposit was 300 euros.')] })).toBe(answer);
  });
});

describe('the answer that is none', () => {
  it('leaves the announcement of the quotes to their heading, in every language', () => {
    expect(unclearLead('No clear answer. The nearest mentions:')).toBe('No clear answer.');
    expect(unclearLead('Keine klare Antwort. Am nächsten kommt:')).toBe('Keine klare Antwort.');
    expect(unclearLead('明確な答えはありません。近い内容：')).toBe('明確な答えはありません。');
  });

  it('is no guess, and no answer', () => {
    expect(unclearLead('Perhaps: January 2026.')).toBeUndefined();
    expect(unclearLead('You live in Rome. Before: Paris (said on 1 March 2024).')).toBeUndefined();
  });
});

describe('the answer in a line', () => {
  const citations = [said('I moved to Lisbon.')];

  it('has no quotes in it', () => {
    const answer = 'You live in Lisbon.\n4 Jul 2026, you: I moved to Lisbon.';
    expect(shortAnswer({ answer, citations, answer_basis: 'fact_layer' })).toBe('You live in Lisbon.');
  });

  it('has one for each part with an answer', () => {
    const parts = [
      { question: 'Where?', answer: 'You live in Lisbon.', answer_basis: 'fact_layer', confidence: 'high' },
      { question: 'Why?', answer: 'Nothing was found.', answer_basis: 'not_found', confidence: 'none' },
      { question: 'Really?', answer: 'Yes.', answer_basis: 'direct_memory', confidence: 'high' },
    ] as const;
    const answer = parts.map((part) => part.answer).join('\n');
    expect(shortAnswer({ answer, citations, answer_basis: 'mixed', parts: [...parts] })).toBe(
      'You live in Lisbon. · Yes.',
    );
    expect(shortAnswer({ answer, citations, answer_basis: 'not_found' })).toBeUndefined();
  });
});
