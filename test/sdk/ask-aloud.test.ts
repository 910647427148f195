import { describe, expect, it, onTestFinished } from 'vitest';
import type { AnswerSentence } from '../../src/sdk/index.js';
import { aChatServer, hangs, says } from '../fakes/chat-server.js';
import { soon } from '../support/patience.js';
import { kinds } from './both.js';

const question = 'Where is my next check-up?';
const text = 'The dentist said my next check-up is in Leeds at the clinic on Park Row.';

describe.each(Object.entries(kinds))('ask with onSentence, %s', (_, open) => {
  async function aMemory(...replies: Parameters<typeof aChatServer>) {
    const model = await aChatServer(...replies);
    const { memory, remove } = await open({ ask: { model: model.settings } });
    onTestFinished(remove);
    await memory.insert([{ role: 'user', text }]);
    return { model, memory };
  }

  it('receives the sentences as they come, and returns the answer', async () => {
    const { memory } = await aMemory(says('Your next check-up is in Leeds [1].\nIt costs 80 euros [1].'));
    const told: AnswerSentence[] = [];
    const answer = await memory.ask(question, { onSentence: (sentence) => told.push(sentence) });
    expect(told.map((sentence) => sentence.text)).toEqual(['Your next check-up is in Leeds [1].']);
    expect(answer.composition).toMatchObject({ by: 'model', sentences: told, sentences_dropped: 1 });
    expect(answer).toEqual(await memory.ask(question));
  });

  it('rejects bad input as without it', async () => {
    const { memory } = await aMemory(hangs);
    const asked = memory.ask({ question, top_k: 0 }, { onSentence: () => {} });
    await expect(asked).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('gives the model up when it is aborted', async () => {
    const { model, memory } = await aMemory(hangs);
    const client = new AbortController();
    const asked = expect(memory.ask(question, { signal: client.signal, onSentence: () => {} })).rejects.toThrow(
      'enough',
    );
    await expect.poll(() => model.requests.length, soon).toBe(1);
    client.abort(new Error('enough'));
    await asked;
    await expect.poll(() => model.abandoned, soon).toBe(1);
  });
});
