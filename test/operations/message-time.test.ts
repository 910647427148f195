import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { threadkeep } from '../../src/importers/formats/threadkeep.js';
import { importConversations } from '../../src/operations/import-conversations.js';
import { operations } from '../../src/operations/table.js';
import { aConversation, aNote, type SentMessage, turns } from '../support/conversation.js';
import { aSession } from '../support/mcp.js';
import { aService, type TestService } from '../support/service.js';

const trusted = { storage: { allow_trusted_appends: true } } as const;
const start = '2025-01-10T09:00:00Z';
const inMay = '2026-05-03T18:00:00Z';

/** Texts as turns with a time each. */
function timed(...said: readonly [text: string, timestamp: string][]): SentMessage[] {
  const times = said.map(([, timestamp]) => timestamp);
  return turns(...said.map(([text]) => text)).map((turn, index) => ({ ...turn, timestamp: times[index] ?? '' }));
}

async function messagesOf(service: TestService, id: string): Promise<SentMessage[]> {
  const { body } = await service.request('/memory/retrieve', { id });
  return (body.memory as { messages: SentMessage[] }).messages;
}

async function homes(service: TestService): Promise<Record<string, unknown>> {
  const { body } = await service.request('/memory/facts/search', { include_superseded: true, subject: 'user' });
  const facts = body.results as { object_normalized: string; status: string; stated_at: string }[];
  return Object.fromEntries(facts.map((fact) => [fact.object_normalized, [fact.status, fact.stated_at]]));
}

describe('the time of a message', () => {
  it('is kept as it was sent, and is not made up where it is absent', async () => {
    const service = await aService();
    const messages = [
      { role: 'user', text: 'One', timestamp: ' 2026-05-03T20:00:00+02:00 ' },
      { role: 'assistant', text: 'Two', timestamp: '2026-05-04' },
      { role: 'user', text: 'Three' },
    ];
    const { id } = await service.insert(aConversation({ timestamp: start, messages }));
    expect(await messagesOf(service, id)).toEqual([
      { role: 'user', text: 'One', timestamp: '2026-05-03T20:00:00+02:00' },
      { role: 'assistant', text: 'Two', timestamp: '2026-05-04' },
      { role: 'user', text: 'Three' },
    ]);
  });

  it.each([
    ['no time', 'yesterday'],
    ['no day of the calendar', '2026-02-30'],
    ['a number', 1_767_225_600],
    ['null', null],
  ])('is refused with its place when it is %s', async (_, timestamp) => {
    const service = await aService();
    const messages = [...turns('One'), { role: 'assistant', text: 'Two', timestamp }];
    const { status, body } = await service.request('/memory/insert', { messages });
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 400,
      body: expect.stringContaining('messages[1].timestamp'),
    });
    const session = await aSession(service);
    for (const tool of ['memory_validate', 'memory_insert']) {
      const answer = await session.call(tool, { conversation_json: { messages } });
      expect(answer).toMatchObject({
        error_code: 'invalid_input',
        error_message: expect.stringContaining('messages[1].timestamp'),
      });
    }
    expect(await service.vectorRows()).toBe(0);
  });

  it('comes through MCP as well', async () => {
    const session = await aSession(await aService());
    const messages = timed(['The heron stood in the reeds.', inMay]);
    const conversation_json = { timestamp: start, messages };
    expect(await session.call('memory_validate', { conversation_json })).toMatchObject({ status: 'ok', valid: true });
    const { id } = await session.call('memory_insert', { conversation_json });
    expect(await session.call('memory_retrieve', { id })).toMatchObject({ memory: { timestamp: start, messages } });
    const found = await session.call('memory_search', { query: 'heron', date_from: '2026-05-01' });
    expect(found.results).toMatchObject([{ id, timestamp: inMay }]);
    const document = await session.call('fetch', { id });
    expect(document.text).toBe(`User (${inMay}): The heron stood in the reeds.`);
  });

  it('is part of no hash: the same words at other times are one conversation, with its first times', async () => {
    const service = await aService();
    const first = timed(['I live in Bergen.', '2025-10-04T12:00:00Z'], ['Noted.', '2025-10-04T12:00:05Z']);
    const { id } = await service.insert(aConversation({ timestamp: start, messages: first }));
    const other = first.map((message) => ({ ...message, timestamp: inMay }));
    expect(await service.insert(aConversation({ messages: other }))).toMatchObject({ id, deduplicated: true });
    expect(await service.insert(aConversation({ messages: turns('I live in Bergen.', 'Noted.') }))).toMatchObject({
      id,
      deduplicated: true,
    });
    expect(await messagesOf(service, id)).toEqual(first);
  });

  it('is no reason to refuse what continues a thread', async () => {
    const service = await aService(trusted);
    const metadata = { upstream_thread_id: 'thread' };
    const { id } = await service.insert(
      aConversation({ timestamp: start, messages: timed(['I live in Bergen.', start]), metadata }),
    );
    const sent = [
      ...turns('I live in Bergen.', 'Noted.'),
      { role: 'user', text: 'I live in Inverness now.', timestamp: inMay },
    ];
    expect(await service.insert(aConversation({ messages: sent, metadata }))).toMatchObject({
      id,
      appended_messages: 2,
    });
    expect((await messagesOf(service, id)).map(({ timestamp }) => timestamp)).toEqual([start, undefined, inMay]);
    expect(await homes(service)).toMatchObject({
      Bergen: ['superseded', '2025-01-10T09:00:00.000Z'],
      Inverness: ['active', '2026-05-03T18:00:00.000Z'],
    });
    const { results } = await service.search({ query: 'Inverness', date_from: '2026-05-01' });
    expect(results).toMatchObject([{ id, message_index: 2 }]);
  });
});

describe('a conversation that was stored without the times of its messages', () => {
  const texts = ['I live in Inverness now.', 'Noted.'] as const;
  const told = timed([texts[0], inMay], [texts[1], inMay]);

  it('learns them from a second capture, and its facts with them', async () => {
    const service = await aService();
    const { id } = await service.insert(aConversation({ timestamp: start, messages: turns(...texts) }));
    await service.insert(aNote('I live in Bergen.', { timestamp: '2025-10-04T12:00:00Z' }));
    expect(await homes(service)).toMatchObject({
      Inverness: ['superseded', expect.any(String)],
      Bergen: ['active', expect.any(String)],
    });
    const rows = await service.vectorRows();
    expect(await service.insert(aConversation({ messages: told }))).toMatchObject({
      id,
      deduplicated: true,
      embedded_chunks: 0,
    });
    expect(await messagesOf(service, id)).toEqual(told);
    expect(await homes(service)).toMatchObject({
      Inverness: ['active', '2026-05-03T18:00:00.000Z'],
      Bergen: ['superseded', '2025-10-04T12:00:00.000Z'],
    });
    expect(await service.vectorRows()).toBe(rows);
    const { body } = await service.request('/memory/facts/search', { query: 'Inverness' });
    expect(body.results).toMatchObject([{ sources: [{ conversation_id: id, stated_at: '2026-05-03T18:00:00.000Z' }] }]);
  });

  it('learns them from a capture that has grown', async () => {
    const service = await aService(trusted);
    const metadata = { upstream_thread_id: 'thread' };
    const { id } = await service.insert(aConversation({ timestamp: start, messages: turns(...texts), metadata }));
    const grown = [...told, { role: 'user', text: 'Thanks.', timestamp: inMay }];
    expect(await service.insert(aConversation({ messages: grown, metadata }))).toMatchObject({
      id,
      appended_messages: 1,
    });
    expect(await messagesOf(service, id)).toEqual(grown);
    expect(await homes(service)).toMatchObject({ Inverness: ['active', '2026-05-03T18:00:00.000Z'] });
  });
});

describe('what was said when', () => {
  async function aLongThread(): Promise<{ service: TestService; id: string }> {
    const service = await aService();
    const { id } = await service.insert(
      aConversation({
        timestamp: start,
        title: 'Camping',
        messages: timed(
          ['We pitched the tent by the loch.', start],
          ['How was it?', start],
          ['We pitched the tent in the dunes.', inMay],
          ['Sandy, I guess.', inMay],
        ),
      }),
    );
    return { service, id };
  }

  it('is found by date in every result mode, with its own time', async () => {
    const { service, id } = await aLongThread();
    const dunes = { id, message_index: 2, timestamp: inMay };
    for (const result_mode of ['chunks', 'compact', 'conversations'] as const) {
      const query = { query: 'pitched the tent', top_k: 1, result_mode, date_from: '2026-01-01' };
      expect((await service.search(query)).results).toMatchObject([dunes]);
    }
    const threads = await service.search({
      query: 'pitched the tent',
      result_mode: 'threads',
      date_from: '2026-01-01',
    });
    expect(threads.results).toMatchObject([{ timestamp: inMay, conversations: [dunes] }]);
    expect(
      (await service.search({ query: 'pitched the tent', date_from: '2025-06-01', date_to: '2025-12-31' })).results,
    ).toEqual([]);
  });

  it('is found where a question names its time, and quoted with it', async () => {
    const { service, id } = await aLongThread();
    const answer = await service.ask({ question: 'What did I say last week?', reference_date: '2026-05-08' });
    expect(answer.answer).toContain('dunes');
    expect(answer.answer).not.toContain('loch');
    expect(answer.citations).toMatchObject([{ id, message_index: 2, timestamp: inMay }]);
    expect(answer.evidence).toMatchObject([{ message_index: 2, timestamp: inMay }]);
    const when = await service.ask({ question: 'When did we pitch the tent in the dunes?' });
    expect(when.answer).toContain('2026');
  });

  it('is not told of facts of another time', async () => {
    const service = await aService();
    const said = timed(['I live in Bergen.', start], ['Noted.', start], ['I live in Inverness now.', inMay]);
    await service.insert(aConversation({ timestamp: start, messages: said }));
    const question = { question: 'Where did I live?', date_to: '2025-12-31' };
    expect((await service.ask(question)).answer).not.toContain('Inverness');
  });
});

describe('an export', () => {
  it('holds the times, in JSON lines and Markdown, and brings them back', async () => {
    const service = await aService();
    const messages = timed(['I live in Inverness now.', '2026-05-03T20:00:00+02:00'], ['Noted.', inMay]);
    const { id } = await service.insert(aConversation({ timestamp: start, messages }));
    const call = { principal: localPrincipal, defaultSource: 'x' };
    const textOf = async (format: string): Promise<string> => {
      const { pieces } = await operations.export.execute(service.service, call, { format });
      let text = '';
      for await (const piece of pieces) text += piece.text;
      return text;
    };
    expect(await textOf('markdown')).toContain('**User:** 2026-05-03T20:00:00+02:00\n\nI live in Inverness now.');
    const content = Buffer.from(await textOf('jsonl'));
    const other = await aService();
    const found = threadkeep.read({
      path: 'memory.jsonl',
      async *read() {
        yield content;
      },
    });
    await importConversations(other.service, call, found);
    expect(await messagesOf(other, id)).toEqual(messages);
    expect(await homes(other)).toEqual(await homes(service));
  });
});
