import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { operations } from '../../src/operations/table.js';
import { aNote } from '../support/conversation.js';
import { refusalOf } from '../support/failure.js';
import { aService } from '../support/service.js';

describe('work for a client that is gone', () => {
  it.each([
    ['search', { query: 'bicycle' }],
    ['ask', { question: 'What colour is my bicycle?' }],
    ['insert', aNote('My bicycle is red.')],
  ] as const)('ends before %s has an answer', async (name, input) => {
    const { service, insert, search } = await aService();
    await insert(aNote('My bicycle is blue.'));
    const client = new AbortController();
    const call = { principal: localPrincipal, defaultSource: 'test', signal: client.signal };
    const working: Promise<object> = operations[name].execute(service, call, input);
    client.abort();
    if (name === 'insert') {
      // So short that it is prepared in one go, unless the machine is busy; what is being stored is stored whole.
      const kept = await working.then(
        () => 2,
        () => 1,
      );
      expect((await search({ query: 'bicycle' })).results).toHaveLength(kept);
      return;
    }
    expect(await refusalOf(working)).toMatchObject({ code: 'invalid_input' });
  });
});
