import { describe, expect, it } from 'vitest';
import { opencode } from '../../src/importers/formats/opencode.js';
import { createRest } from '../../src/importers/reading/follow.js';

const half = { messages: [{ role: 'assistant' as const, text: 'The leek' }] };
const whole = { messages: [{ role: 'assistant' as const, text: 'The leek is done.' }] };

describe('a conversation that its program rewrites', () => {
  it('is read once it is unchanged for a second', () => {
    let now = 0;
    const restOf = createRest(() => now);
    expect(restOf('a', half)).toEqual({ kind: 'changing', forMs: 1_000 });
    now = 300;
    expect(restOf('a', half)).toEqual({ kind: 'changing', forMs: 700 });
    now = 900;
    expect(restOf('a', whole)).toEqual({ kind: 'changing', forMs: 1_000 });
    now = 1_900;
    expect(restOf('b', whole)).toEqual({ kind: 'changing', forMs: 1_000 });
    expect(restOf('a', whole)).toEqual({ kind: 'new' });
    expect(restOf('a', whole)).toEqual({ kind: 'known' });
  });

  it('is read at once, and only once, when the program says that it is complete', () => {
    const restOf = createRest(() => 0);
    expect(restOf('a', whole, { isComplete: true })).toEqual({ kind: 'new' });
    expect(restOf('a', whole, { isComplete: true })).toEqual({ kind: 'known' });
    expect(restOf('a', whole)).toEqual({ kind: 'known' });
    expect(restOf('a', half)).toEqual({ kind: 'changing', forMs: 1_000 });
  });
});

describe('an opencode session', () => {
  const prompt = { info: { role: 'user', time: { created: 1 } }, parts: [{ type: 'text', text: 'Soup?' }] };
  const answer = (time: object) => ({
    info: { role: 'assistant', time },
    parts: [{ type: 'text', text: 'Leek.' }],
  });

  it.each([
    ['with the end of its last answer', [prompt, answer({ created: 2, completed: 3 })], true],
    ['whose answer streams in', [prompt, answer({ created: 2 })], false],
    ['that ends with a prompt', [answer({ created: 2, completed: 3 }), prompt], false],
  ])('%s', async (_, messages, isComplete) => {
    const content = Buffer.from(JSON.stringify({ info: { id: 'ses_1', title: 'Soup' }, messages }));
    const file = {
      path: 'session.json',
      async *read() {
        yield content;
      },
    };
    for await (const found of opencode.read(file)) expect(found).toMatchObject({ kind: 'conversation', isComplete });
    expect.assertions(1);
  });
});
