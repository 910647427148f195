import { describe, expect, it } from 'vitest';
import { aNote } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

const code = aNote('The door code of the cellar is 4711, and the cellar is cold.');
const question = 'What is the door code of the cellar?';

describe('a token budget', () => {
  it('is off unless it is asked for, configured, or the exact tokenizer is on', async () => {
    const service = await aService();
    await service.insert(code);
    expect(await service.ask({ question })).not.toHaveProperty('tokenizer_used');
    expect(await service.ask({ question, max_context_tokens: 50 })).toMatchObject({
      tokenizer_used: 'heuristic',
      chunks_selected: 1,
      chunks_dropped: 0,
      context_tokens_used: 27,
    });
  });

  it('is on when the configuration names one of its own', async () => {
    const service = await aService({ ask: { max_context_tokens: 20 } });
    await service.insert(code);
    const answer = await service.ask({ question });
    expect(answer).toMatchObject({ tokenizer_used: 'heuristic' });
    expect(answer.context_tokens_used).toBeLessThanOrEqual(20);
  });

  it.each(['cl100k_base', 'o200k_base', 'p50k_base', 'r50k_base'])(
    'counts with %s when that is enabled',
    async (encoding) => {
      const service = await aService({ tokenizer: { enabled: true, encoding }, ask: { max_context_tokens: 40 } });
      await service.insert(code);
      await service.insert(
        aNote('Nothing about doors or cellars here, only a long walk in the hills with the old dog.'),
      );
      const answer = await service.ask({ question });
      expect(answer).toMatchObject({ tokenizer_used: encoding, answer: code.messages[0]?.text });
      expect(answer.context_tokens_used).toBeLessThanOrEqual(40);
      expect(answer.context_tokens_used).toBeGreaterThan(0);
    },
  );

  it('counts facts too', async () => {
    const service = await aService();
    await service.insert(aNote('I live in Rome.'));
    const asked = { question: 'Where do I live?' };
    expect(await service.ask({ ...asked, max_context_tokens: 50 })).toMatchObject({
      answer_basis: 'fact_layer',
      context_tokens_used: 16,
      chunks_selected: 1,
      chunks_dropped: 0,
    });
    expect(await service.ask({ ...asked, max_context_tokens: 8 })).toMatchObject({
      answer_basis: 'fact_layer',
      context_tokens_used: 8,
      chunks_selected: 0,
      chunks_dropped: 1,
    });
  });

  it.each([8, 10, 15, 20, 30, 40, 80])('of %i tokens never presents an older statement as current', async (most) => {
    const service = await aService();
    const said = ['I live in Berlin, in a teal house by the canal.', 'I live in Rome.', 'I live in Madrid.'];
    for (const [month, text] of said.entries()) {
      await service.insert({ ...aNote(text), timestamp: `2026-0${month + 1}-10T09:00:00Z` });
    }
    const answer = await service.ask({ question: 'Where do I live?', max_context_tokens: most });
    expect(answer).toMatchObject({ answer_basis: 'fact_layer', confidence: 'high' });
    expect(answer.answer).toMatch(/^You live in Madrid\./);
  });

  it('says that it has no room for what is known', async () => {
    const service = await aService();
    await service.insert(aNote('I live in Berlin.'));
    await service.insert(aNote('Hm.'));
    const answer = await service.ask({ question: 'Where do I live?', max_context_tokens: 2 });
    expect(answer).toMatchObject({
      answer_basis: 'not_found',
      confidence_reason: 'Nothing that was found fits into the token budget.',
    });
  });

  it('leaves whole conversations out of the results', async () => {
    const service = await aService();
    await service.insert(code);
    const { results } = await service.ask({ question, max_context_tokens: 50 });
    expect(results[0]).toHaveProperty('conversation.metadata');
    expect(results[0]).not.toHaveProperty('conversation.messages');
  });

  it('that is too small makes the answer less sure, or none at all', async () => {
    const service = await aService();
    await service.insert(code);
    const whole = await service.ask({ question });
    expect(whole.confidence).toBe('high');
    const cut = await service.ask({ question, max_context_tokens: 10 });
    expect(cut.answer).toMatch(/^The door code of the…?/);
    expect(['low', 'none', 'medium']).toContain(cut.confidence);
    const nothing = await service.ask({ question, max_context_tokens: 1 });
    expect(nothing.confidence === 'none' || nothing.confidence === 'low').toBe(true);
    expect(nothing.context_tokens_used).toBeLessThanOrEqual(1);
  });
});
