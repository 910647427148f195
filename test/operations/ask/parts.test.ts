import { describe, expect, it } from 'vitest';
import { aConversation, turns } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

const school = aConversation({ messages: turns('The kids start at Saint Benedict school in April.', 'Noted.') });
const club = aConversation({ messages: turns('Alfie joined the football club Garforth Juniors.', 'Well done!') });
const question = 'Which school do the kids start at in April, and which football club did Alfie join?';

describe('a question with two parts', () => {
  it('is answered in both, each part with its own evidence', async () => {
    const service = await aService();
    const one = await service.insert(school);
    const other = await service.insert(club);
    const answer = await service.ask({ question });
    expect(answer.parts?.map((part) => part.question)).toEqual([
      'Which school do the kids start at in April?',
      'Which football club did Alfie join?',
    ]);
    expect(answer.parts?.[0]?.answer).toContain('Saint Benedict');
    expect(answer.parts?.[1]?.answer).toContain('Garforth Juniors');
    expect(answer.answer).toContain('Saint Benedict');
    expect(answer.answer).toContain('Garforth Juniors');
    const cited = answer.provenance.conversations.map(({ id }) => id);
    expect(cited).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(new Set(answer.results.map(({ id }) => id)).size).toBe(2);
  });

  it('cites what both parts rest on once', async () => {
    const service = await aService();
    await service.insert(aConversation({ messages: turns('Alfie joined Garforth Juniors in May.', 'Well done!') }));
    const { citations } = await service.ask({
      question: 'Which club did Alfie join, and when did Alfie join Garforth Juniors?',
    });
    const cited = citations.map((each) => `${each.id} ${each.text}`);
    expect(cited).toEqual([...new Set(cited)]);
  });

  it('says which part is not known', async () => {
    const service = await aService();
    await service.insert(school);
    const answer = await service.ask({
      question: 'Which school do the kids start at in April, and who repaired the submarine?',
    });
    expect(answer.parts?.map(({ answer_basis }) => answer_basis)).toEqual(['direct_memory', 'not_found']);
    expect(answer.answer_basis).toBe('mixed');
    expect(answer.confidence).toBe('low');
  });

  it('is one question where the caller counts tokens', async () => {
    const service = await aService();
    await service.insert(school);
    const answer = await service.ask({ question, max_context_tokens: 50 });
    expect(answer.parts).toBeUndefined();
    expect(answer.context_tokens_used).toBeLessThanOrEqual(50);
  });
});
