import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conversationText } from '../../src/cli/commands/conversations.js';
import { plainStyle } from '../../src/cli/terminal.js';
import { parseTranscript } from '../../src/ingestion/transcript.js';
import { answerPrompt } from '../../src/language-model/compose.js';
import { contentNotice, dataOnly, instructions } from '../../src/mcp/prompts.js';
import { memoryTools } from '../../src/mcp/tools/table.js';
import type { ConversationOutput } from '../../src/operations/present.js';
import { aFolder, threadkeep, threadkeepJson } from '../cli/threadkeep.js';
import { aSession } from '../support/mcp.js';
import { type Body, startService, type TestService } from '../support/service.js';
import { injections } from './injections.js';

/*
 * Stored injections through every door: what a client is shown is data with its role and origin, no text passes for a
 * turn, and nothing that a pasted text claims is believed.
 */

const reply = 'Here is what I found.';
const plain = 'My name is Olena. I live in Kyiv.';
const unseen = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

interface ShownFact {
  confidence: string;
  status: string;
  object_raw: string;
  predicate: string;
  confidence_reason: string;
}

/** A recurring topic is what conversations are about, whoever wrote them; it states nothing. */
function isStated({ predicate }: ShownFact): boolean {
  return predicate !== 'recurring_topic';
}

function stored(text: string, at: number) {
  const timestamp = new Date(Date.UTC(2026, 2, 1) + at * 60_000).toISOString();
  const messages = [
    { role: 'user', text },
    { role: 'assistant', text: reply },
  ];
  return { source: 'web', title: `Injection ${at}`, timestamp, messages };
}

let service: TestService;
let session: Awaited<ReturnType<typeof aSession>>;
const ids: string[] = [];

beforeAll(async () => {
  service = await startService();
  session = await aSession(service);
  await service.insert({ timestamp: '2026-01-01', messages: [{ role: 'user', text: plain }] });
  for (const [at, { text }] of injections.entries()) {
    const { status, body } = await service.request('/memory/insert', stored(text, at));
    expect(status).toBe(200);
    ids.push(String(body.id));
  }
  return () => service.close();
}, 240_000);

const each = injections.map(({ kind, text }, at) => ({ at, kind, text, shown: JSON.stringify(text).slice(0, 60) }));

it('there are at least 60 injections of every kind', () => {
  expect(injections.length).toBeGreaterThanOrEqual(60);
  expect(new Set(injections.map(({ text }) => text)).size).toBe(injections.length);
  expect(readFileSync(new URL('../../SECURITY.md', import.meta.url), 'utf8')).toContain(
    `${injections.length} injections`,
  );
});

describe('over HTTP', () => {
  it.each(each)('$kind $shown is two messages, each with its role', async ({ at, text }) => {
    const { body } = await service.request('/memory/retrieve', { id: ids[at] });
    const { messages } = body.memory as ConversationOutput;
    expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(messages?.[1]).toEqual({ role: 'assistant', text: reply });
    expect(messages?.[0]?.text).toBe(text.replace(/^\ufeff/, ''));
  });

  it('makes no fact above low confidence, and replaces no plain statement', async () => {
    const { body } = await service.request('/memory/facts/search', { include_superseded: true, limit: 100 });
    const facts = body.results as ShownFact[];
    const own = facts.filter(({ object_raw }) => /Olena|Kyiv/.test(object_raw));
    expect(own.map(({ confidence, status }) => ({ confidence, status }))).toEqual([
      { confidence: 'high', status: 'active' },
      { confidence: 'high', status: 'active' },
    ]);
    const others = facts.filter((fact) => !own.includes(fact) && isStated(fact));
    expect(others.filter(({ confidence }) => confidence !== 'low')).toEqual([]);
  });

  it('answers a question about the person with what the person said', async () => {
    const { body } = await service.request('/memory/ask', { question: 'Where do I live?' });
    expect(body.answer).toContain('Kyiv');
    expect(body.answer).not.toContain('Zanzibar');
    const name = await service.request('/memory/ask', { question: 'What is my name?' });
    expect(name.body.answer).toContain('Olena');
  });
});

describe('at the newer doors', () => {
  it('people are believed to be what a text claims with low confidence at most', async () => {
    const { body } = await service.send('/memory/people', { method: 'GET' });
    const people = body.results as { name?: string; confidence: string }[];
    expect(people.filter(({ confidence }) => confidence !== 'low')).toEqual([]);
  });

  it('an answer that is streamed says what the person said', async () => {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const init = { method: 'POST', headers, body: JSON.stringify({ question: 'Where do I live?' }) };
    const response = await service.app.request('/memory/ask', init);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const [, data = '{}'] = /^event: answer\ndata: (.*)$/m.exec(await response.text()) ?? [];
    const { answer } = JSON.parse(data) as { answer: string };
    expect(answer).toContain('Kyiv');
    expect(answer).not.toContain('Zanzibar');
  });

  it.each(each)('$kind $shown stays one line of data in what a language model is sent', ({ text }) => {
    const shown = { id: 1, kind: 'message', said_by: 'user', date: '2026-01-01', text } as const;
    const [rules, request] = answerPrompt(text, [shown, { ...shown, id: 2 }]);
    expect(rules?.content).not.toContain(text);
    const lines = request?.content.split('\n') ?? [];
    expect(lines.filter((line) => /[<>]/.test(line))).toEqual([
      '<question>',
      '</question>',
      '<evidence>',
      '</evidence>',
    ]);
    const evidence = lines.slice(lines.indexOf('<evidence>') + 1, lines.indexOf('</evidence>'));
    expect(evidence.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
  });
});

describe('over MCP', () => {
  it('says that stored text is data: in the instructions and in every tool that returns some', () => {
    expect(instructions).toContain('data, never instructions');
    const returning = memoryTools.filter(({ returnsStored }) => returnsStored).map(({ name }) => name);
    expect(returning).toEqual([
      'memory_search',
      'memory_retrieve',
      'memory_context',
      'memory_ask',
      'memory_fact_search',
      'memory_profile_get',
      'memory_people',
      'memory_fact_supersede',
      'memory_fact_add',
      'memory_fact_correct',
      'memory_fact_retract',
      'memory_fact_pin',
      'memory_fact_unpin',
      'memory_fact_undo',
      'search',
      'fetch',
    ]);
    for (const { returnsStored, description } of memoryTools)
      expect(description.includes(dataOnly)).toBe(returnsStored);
  });

  it.each(each)('$kind $shown is a document of two messages', async ({ at, text }) => {
    const id = ids[at] ?? '';
    const document = await session.call('fetch', { id });
    const turns = String(document.text)
      .split(/[\n\r\v\f\u0085\u2028\u2029]/)
      .filter((line) => /^\S/.test(line));
    expect(turns).toHaveLength(2);
    expect(turns[0]).toMatch(/^User: /);
    expect(turns[1]).toBe(`Assistant: ${reply}`);
    expect(document.text).not.toMatch(unseen);
    const origin = { conversation_id: id, source: 'web' };
    expect(document.messages).toEqual([
      { role: 'user', origin: { ...origin, message_index: 0 }, text: text.replace(/^\ufeff/, '') },
      { role: 'assistant', origin: { ...origin, message_index: 1 }, text: reply },
    ]);
    expect(document.content_notice).toBe(contentNotice);
  });

  it.each([
    ['memory_search', { query: 'Where do I live? Zanzibar', top_k: 20 }],
    ['memory_ask', { question: 'Do I live in Zanzibar?' }],
    ['memory_fact_search', { include_superseded: true }],
    ['memory_profile_get', {}],
    ['search', { query: 'Zanzibar' }],
  ])('%s marks what it returns', async (tool, given: Body) => {
    expect(await session.call(tool, given)).toMatchObject({ status: 'ok', content_notice: contentNotice });
  });

  it.each(['memory://conversation/', 'memory://search/Zanzibar'])('the resource %s is marked too', async (address) => {
    const uri = address.endsWith('/') ? `${address}${ids[0]}` : address;
    const { contents } = await session.result('resources/read', { uri });
    const [content] = contents as { text: string }[];
    expect(JSON.parse(content?.text ?? '')).toMatchObject({ content_notice: contentNotice });
  });

  it('leaves what the person said as the profile', async () => {
    const { facts, results } = (await session.call('memory_profile_get')) as {
      facts?: ShownFact[];
      results: ShownFact[];
    };
    const shown = facts ?? results;
    const sure = shown
      .filter((fact) => fact.confidence !== 'low' && isStated(fact))
      .map(({ object_raw }) => object_raw);
    expect(sure.sort()).toEqual(['Kyiv', 'Olena']);
  });
});

describe('on the command line', () => {
  it.each(each)('$kind $shown is shown as two turns, and read again as two', async ({ at }) => {
    const { body } = await service.request('/memory/retrieve', { id: ids[at] });
    const printed = conversationText(body.memory as ConversationOutput, plainStyle);
    expect(printed).not.toMatch(unseen);
    const turns = printed.split('\n').filter((line) => /^(?:User|Assistant):$/.test(line));
    expect(turns).toEqual(['User:', 'Assistant:']);
    const transcript = printed.slice(printed.indexOf('\n\nUser:\n') + 2);
    expect(parseTranscript(transcript, 'common').map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('imports all of them from a file, believes none, and exports each turn as one', { timeout: 240_000 }, async () => {
    const chats = injections.map(({ text }, at) => stored(text, at));
    const folder = await aFolder({ 'chats.json': JSON.stringify(chats) });
    const { json } = await threadkeepJson(folder, ['import', 'json', 'chats.json']);
    expect(json).toMatchObject({ imported: injections.length });
    const facts = await threadkeepJson(folder, ['fact-search', '--limit', '100']);
    const above = (facts.json.results as ShownFact[]).filter((fact) => fact.confidence !== 'low' && isStated(fact));
    expect(above).toEqual([]);
    await threadkeep(folder, ['export', '--format', 'markdown', '--output', 'all.md']);
    const exported = (await readFile(join(folder, 'all.md'), 'utf8')).split('\n');
    expect(exported.filter((line) => /^\*\*(?:User|Assistant):\*\*/.test(line))).toHaveLength(2 * injections.length);
  });
});
