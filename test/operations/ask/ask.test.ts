import { describe, expect, it } from 'vitest';
import { aConversation, aNote, turns } from '../../support/conversation.js';
import { refusalOf } from '../../support/failure.js';
import { aService, memberOf } from '../../support/service.js';

const trip = aConversation({
  title: 'Trip to Lisbon',
  timestamp: '2026-05-02T18:30:00Z',
  messages: turns('Nora booked a table at Cervejaria Ramiro in Lisbon.', 'Good choice. Shall I note it?'),
  metadata: { upstream_thread_id: 'lisbon', tags: ['travel'] },
});

describe('an answer from what was said', () => {
  it('carries every field of the interface', async () => {
    const service = await aService();
    const { id } = await service.insert(trip);
    const answer = await service.ask({ question: 'Which restaurant did Nora book in Lisbon?', top_k: 1 });
    const chunk = {
      chunk_index: 0,
      message_index: 0,
      role: 'user',
      text: 'Nora booked a table at Cervejaria Ramiro in Lisbon.',
    };
    expect(answer).toEqual({
      status: 'ok',
      answer: 'Nora booked a table at Cervejaria Ramiro in Lisbon.',
      answer_basis: 'direct_memory',
      confidence: expect.stringMatching(/^(?:high|medium)$/),
      confidence_reason: expect.stringContaining('A direct statement by the user'),
      citations: [
        {
          type: 'chunk',
          id,
          ...chunk,
          score: expect.any(Number),
          title: 'Trip to Lisbon',
          source: 'chatgpt',
          timestamp: '2026-05-02T18:30:00Z',
        },
      ],
      provenance: {
        conversations: [
          {
            id,
            source: 'chatgpt',
            title: 'Trip to Lisbon',
            timestamp: '2026-05-02T18:30:00Z',
            thread_id: 'chatgpt:lisbon',
            chunk_indexes: [0],
            fact_ids: [],
          },
        ],
      },
      evidence: [{ type: 'chunk', conversation_id: id, ...chunk, score: expect.any(Number), used_in_answer: true }],
      structured_evidence: { facts: [], results: answer.results },
      facts: [],
      results: [expect.objectContaining({ id, ...chunk, conversation: expect.objectContaining({ id }) })],
    });
    expect(JSON.stringify(answer)).not.toContain('sha256');
  });

  it('says which fields the confidence is made of when asked to explain', async () => {
    const service = await aService();
    await service.insert(trip);
    const { explanation } = await service.ask({ question: 'Who booked a table in Lisbon?', explain: true });
    expect(Object.keys(explanation ?? {}).sort()).toEqual(['closeness', 'coverage', 'support']);
  });

  it.each([
    ['What did I buy?', 'I bought a ThinkPad with 32 GB of memory.'],
    ['What did I buy in July?', 'I bought a ThinkPad with 32 GB of memory.'],
    ['Which laptop did I choose?', 'From all of them I have chosen the laptop with the matte screen.'],
  ])('is found by a verb in another form: %s', async (question, text) => {
    const service = await aService();
    await service.insert(aNote('The weather in the hills was fine all week.'));
    await service.insert(aNote(text, { timestamp: '2026-07-03T10:00:00Z' }));
    const answer = await service.ask({ question, reference_date: '2026-11-15' });
    expect(answer).toMatchObject({ answer: text, confidence: expect.stringMatching(/^(?:high|medium)$/) });
  });

  it.each(['chunks', 'compact', 'conversations', 'threads'])(
    'is the same in the result mode %s',
    async (result_mode) => {
      const service = await aService();
      await service.insert(trip);
      const answer = await service.ask({ question: 'Which restaurant did Nora book in Lisbon?', result_mode });
      expect(answer.answer).toBe('Nora booked a table at Cervejaria Ramiro in Lisbon.');
      expect(answer.results.length).toBeGreaterThan(0);
      const shape = { chunk_index: expect.any(Number), role: 'user', text: expect.any(String) };
      expect(answer.structured_evidence.results[0]).toMatchObject({ ...shape, conversation: { title: trip.title } });
      expect(answer.structured_evidence.results[0]).not.toHaveProperty('conversations');
      expect(answer.structured_evidence.results[0]).not.toHaveProperty('chunks');
    },
  );

  it('never holds what another project said', async () => {
    const service = await aService();
    await service.insert(aNote('The door code of the cellar is 4711.'), memberOf('theirs'));
    await service.insert(aNote('The weather in the hills was fine.'));
    const answer = await service.ask({ question: 'What is the door code of the cellar?' });
    expect(answer.answer_basis).toBe('not_found');
    expect(JSON.stringify(answer)).not.toContain('cellar is 4711');
    expect(await refusalOf(service.ask({ question: 'code?', project_id: 'theirs' }))).toMatchObject({
      code: 'permission_denied',
    });
  });

  it('leaves out what waits for review unless that is asked for', async () => {
    const service = await aService({ memory: { insert_policy: 'review_pending' } });
    await service.insert(aNote('The door code of the cellar is 4711.'));
    const question = 'What is the door code of the cellar?';
    expect(await service.ask({ question })).toMatchObject({ answer_basis: 'not_found', results: [] });
    const pending = await service.ask({ question, memory_status: 'pending_review' });
    expect(pending.answer).toBe('The door code of the cellar is 4711.');
  });

  it('honours every filter', async () => {
    const service = await aService();
    const question = 'What is the door code?';
    for (const [code, parts] of Object.entries({
      1111: { source: 'claude', timestamp: '2026-01-01T00:00:00Z' },
      2222: { source: 'gemini', timestamp: '2026-02-01T00:00:00Z', tags: ['office'] },
      3333: { source: 'gemini', timestamp: '2026-03-01T00:00:00Z', metadata: { thread_id: 'doors' } },
    })) {
      await service.insert(aNote(`The door code is ${code}.`, parts));
    }
    const answered = async (filter: object): Promise<string> =>
      (await service.ask({ question, top_k: 1, ...filter })).answer;
    expect(await answered({ source: 'claude' })).toBe('The door code is 1111.');
    expect(await answered({ tags: ['office'] })).toBe('The door code is 2222.');
    expect(await answered({ thread_id: 'doors' })).toBe('The door code is 3333.');
    expect(await answered({ date_from: '2026-02-01', date_to: '2026-02-01' })).toBe('The door code is 2222.');
    expect(await answered({ source: 'nobody' })).toBe('The memory does not hold an answer to that.');
  });

  it.each([
    [{}, 'question'],
    [{ question: '  ' }, 'question'],
    [{ question: 'x', top_k: 0 }, 'top_k'],
    [{ question: 'x', top_k: 101 }, 'top_k'],
    [{ question: 'x', max_context_tokens: 0 }, 'max_context_tokens'],
    [{ question: 'x', source: null }, 'source'],
    [{ question: 'x', result_mode: 'all' }, 'result_mode'],
    [{ question: 'x', date_from: 'soon' }, 'date_from'],
    [{ question: 'x', topk: 3 }, 'topk'],
  ])('refuses %j, naming %s', async (input, field) => {
    const service = await aService();
    const { code, issues } = await refusalOf(service.ask(input));
    expect({ code, paths: issues?.map(({ path }) => path) }).toEqual({ code: 'invalid_input', paths: [field] });
  });
});

describe('an empty memory', () => {
  it('says that it does not know', async () => {
    const service = await aService();
    expect(await service.ask({ question: 'Where do I live?' })).toEqual({
      status: 'ok',
      answer: 'The memory does not hold an answer to that.',
      answer_basis: 'not_found',
      confidence: 'none',
      confidence_reason: 'Nothing in memory matches the question.',
      citations: [],
      provenance: { conversations: [] },
      evidence: [],
      structured_evidence: { facts: [], results: [] },
      facts: [],
      results: [],
    });
  });
});

describe('an answer from facts', () => {
  it('cites them with their sentence and shows where they come from', async () => {
    const service = await aService();
    const { id } = await service.insert(aNote('I live in Rome. It rains.', { timestamp: '2026-05-02T18:30:00Z' }));
    const answer = await service.ask({ question: 'Where do I live?' });
    const [fact] = answer.facts;
    expect(answer).toMatchObject({
      answer: 'You live in Rome.',
      answer_basis: 'fact_layer',
      confidence: 'high',
      results: [{ id, text: 'I live in Rome. It rains.' }],
      facts: [{ predicate: 'profile_location', object_normalized: 'Rome', status: 'active' }],
      citations: [{ type: 'fact', id, fact_id: fact?.id, text: 'Rome', quote: 'I live in Rome.' }],
      provenance: { conversations: [{ id, chunk_indexes: [], fact_ids: [fact?.id] }] },
      // The message it came from is shown beside it, as evidence that was not needed.
      evidence: [
        { type: 'fact', fact_id: fact?.id, used_in_answer: true },
        { type: 'chunk', conversation_id: id, used_in_answer: false },
      ],
      structured_evidence: { facts: [{ fact_id: fact?.id }], results: [{ id }] },
    });
  });

  it('comes with what was said when the question asks for that too', async () => {
    const service = await aService();
    await service.insert(aNote('I live in Rome because of the light.'));
    const answer = await service.ask({ question: 'Where do I live, and how do you know?' });
    expect(answer.answer_basis).toBe('mixed');
    expect(answer.answer).toContain('Rome');
    expect(answer.citations.map(({ type }) => type)).toEqual(['fact', 'chunk']);
  });

  it('is left to what was said where a town is all they know of an address', async () => {
    const service = await aService();
    await service.insert(aNote('I live in Vienna.'));
    await service.insert(aNote('The new address is Neubaugasse 38, 1070 Wien.'));
    const answer = await service.ask({ question: 'What is my address?' });
    expect(answer.answer).toContain('Neubaugasse 38');
  });

  it('respects the filters', async () => {
    const service = await aService();
    await service.insert(aNote('I live in Rome.', { source: 'claude' }));
    const elsewhere = await service.ask({ question: 'Where do I live?', source: 'gemini' });
    expect(elsewhere.answer_basis).toBe('not_found');
  });
});
