import { describe, expect, it } from 'vitest';
import { aConversation } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

const chat = aConversation({
  title: 'Weekend',
  messages: [
    { role: 'user', text: 'My swimming goggles fog up all the time. Is there a cheap remedy?' },
    { role: 'assistant', text: 'Rub in a drop of baby shampoo and rinse with clear water.' },
    { role: 'user', text: 'Works! The order of the wetsuit is blocked, by the way.' },
    { role: 'assistant', text: 'What do they still need?' },
    { role: 'user', text: 'A third offer, and the signature of Ms Albrecht.' },
    { role: 'assistant', text: 'Ask her on Monday.' },
  ],
});

async function texts(query: string): Promise<string[]> {
  const service = await aService();
  await service.insert(chat);
  const found = await service.search({ query, top_k: 3 });
  return found.results.map((result) => ('text' in result ? result.text : ''));
}

describe('a conversation with an assistant', () => {
  it('gives the answer beside the question whose words were asked for', async () => {
    expect((await texts('remedy against fogged goggles')).slice(0, 2)).toContain(
      'Rub in a drop of baby shampoo and rinse with clear water.',
    );
  });

  it('gives the answer to a counter-question', async () => {
    expect(await texts('why is the wetsuit order blocked')).toContain(
      'A third offer, and the signature of Ms Albrecht.',
    );
  });
});
