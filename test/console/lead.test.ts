import { describe, expect, it } from 'vitest';
import { leadOf } from '../../console/src/views/ask/lead.js';

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

  it('is there in any language', () => {
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
