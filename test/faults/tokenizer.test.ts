import { expect, it } from 'vitest';
import { aNote } from '../support/conversation.js';
import { createFaults } from '../support/faults/faults.mjs';
import { aService } from '../support/service.js';

it('a tokenizer that fails is an error that tells nothing, stores nothing, and is over when it works again', async () => {
  const faults = createFaults();
  const service = await aService({ chunking: { strategy: 'token' } }, { around: faults.around });
  const note = aNote('the lighthouse key hangs behind the stove');
  await service.insert(aNote('the ferry leaves at noon'));
  faults.set({ on: 'tokenizer.*', fault: 'error' });
  const inserted = await service.request('/memory/insert', note);
  expect(inserted).toMatchObject({ status: 500, body: { error_code: 'internal_error' } });
  const budgeted = { question: 'When does the ferry leave?', max_context_tokens: 200 };
  expect(await service.request('/memory/ask', budgeted)).toMatchObject({ status: 500 });
  expect(JSON.stringify(inserted.body)).not.toContain('lighthouse');
  expect(service.logLines.join('\n')).not.toContain('lighthouse');
  faults.clear();
  // Stored now, not found to be there already.
  expect((await service.request('/memory/insert', note)).body).toMatchObject({ status: 'ok' });
  expect((await service.request('/memory/ask', budgeted)).body).toMatchObject({ answer_basis: 'direct_memory' });
});
