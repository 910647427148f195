import { describe, expect, it } from 'vitest';
import { aConversation } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

const chat = aConversation({
  title: 'Between friends',
  messages: [
    { role: 'user', text: 'Mark: Did you find a place for the party?' },
    { role: 'assistant', text: 'Nora: Yes, the old boathouse by the lake.' },
    { role: 'user', text: 'Mark: Great! I bring the music.' },
    { role: 'assistant', text: 'Nora: And I bring the cake, Mark.' },
    { role: 'user', text: 'Mark: Please mark the way with lanterns.' },
    { role: 'assistant', text: 'Nora: I will, with the green ones.' },
  ],
});

async function texts(query: string): Promise<string[]> {
  const service = await aService();
  await service.insert(chat);
  const found = await service.search({ query, top_k: 3 });
  return found.results.map((result) => ('text' in result ? result.text : ''));
}

describe('a conversation between people', () => {
  it('gives the turns of the person the query names', async () => {
    expect((await texts('What does Nora bring?'))[0]).toBe('Nora: And I bring the cake, Mark.');
    expect((await texts('What does Mark bring?'))[0]).toBe('Mark: Great! I bring the music.');
  });

  it('finds the answer in the turn after the question', async () => {
    expect((await texts('Which place did Nora find for the party?')).slice(0, 2)).toContain(
      'Nora: Yes, the old boathouse by the lake.',
    );
  });

  it('takes a word in small letters for a word', async () => {
    expect((await texts('What should be used to mark the way?'))[0]).toBe('Mark: Please mark the way with lanterns.');
  });

  it('tells what each relevance is made of', async () => {
    const service = await aService();
    await service.insert(chat);
    const { results } = await service.search({ query: 'What does Nora bring?', top_k: 1, explain: true });
    const [best] = results;
    const { relevance, explanation = {} } = best ?? { relevance: 0 };
    expect(Object.keys(explanation)).toEqual(expect.arrayContaining(['semantic', 'keyword', 'speaker']));
    expect(Object.values(explanation).reduce((sum, share) => sum + share, 0)).toBeCloseTo(relevance, 4);
    expect((await service.search({ query: 'cake', top_k: 1 })).results[0]).not.toHaveProperty('explanation');
  });
});
