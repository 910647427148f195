import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Memory } from '../../src/sdk/memory.js';
import { memoryOver } from '../../src/sdk/memory-over.js';
import type { CallName, Transport } from '../../src/sdk/transport.js';
import { aSession } from '../support/mcp.js';
import { type Body, startService } from '../support/service.js';
import { kinds, type Opened } from './both.js';

/** The operations that MCP offers, by the names of its tools. */
const tools: Partial<Record<CallName, string>> = {
  insert: 'memory_insert',
  validate: 'memory_validate',
  search: 'memory_search',
  retrieve: 'memory_retrieve',
  context: 'memory_context',
  ask: 'memory_ask',
  facts_search: 'memory_fact_search',
  facts_add: 'memory_fact_add',
  facts_correct: 'memory_fact_correct',
  facts_retract: 'memory_fact_retract',
  facts_pin: 'memory_fact_pin',
  facts_unpin: 'memory_fact_unpin',
  facts_undo: 'memory_fact_undo',
  profile_get: 'memory_profile_get',
  people_list: 'memory_people',
  project_list: 'memory_project_list',
  project_default_get: 'memory_project_default_get',
};

/** Tools that shorten their answers for a model unless they are told not to. */
const detailed = new Set<CallName>(['search', 'ask', 'facts_search', 'profile_get']);

async function overMcp(): Promise<Opened> {
  const service = await startService();
  const session = await aSession(service);
  const refuse = (): never => {
    throw new Error('MCP has no such tool');
  };
  const transport: Transport = {
    async call(name, input) {
      const tool = tools[name] ?? refuse();
      const whole = detailed.has(name) ? { response_format: 'detailed' } : {};
      const given = name === 'insert' || name === 'validate' ? { conversation_json: input } : (input as Body);
      return (await session.call(tool, { ...given, ...whole })) as never;
    },
    askAloud: refuse,
    export: refuse,
    import: refuse,
    createImport: refuse,
    status: refuse,
    close: service.close,
  };
  const memory = memoryOver(transport, {});
  return { memory, remove: () => memory.close() };
}

/** What a program does in a day, with every answer written down. */
async function day(memory: Memory): Promise<unknown[]> {
  const said = [
    { role: 'user', text: 'I live in Lisbon. My bicycle is blue.' },
    { role: 'assistant', text: 'A blue bicycle suits Lisbon.' },
  ];
  const answers: unknown[] = [
    await memory.validate(said),
    await memory.insert({ source: 'claude', title: 'Cycling', timestamp: '2026-03-01T10:00:00Z', messages: said }),
    await memory.insert({ source: 'claude', messages: said }),
    await memory.insert({
      source: 'chatgpt',
      timestamp: '2026-03-02T10:00:00Z',
      messages: [{ role: 'user', text: 'The kettle whistles at six. My sister Fiona likes that.' }],
      metadata: { tags: ['kitchen'], upstream_thread_id: 't1' },
    }),
    await memory.search({ query: 'blue bicycle', reference_date: '2026-04-01' }),
    await memory.search({ query: 'kettle', top_k: 1, source: 'chatgpt', reference_date: '2026-04-01' }),
    await memory.ask({ question: 'Where do I live?', reference_date: '2026-04-01' }),
    await memory.ask({ question: 'Who painted the ceiling?', reference_date: '2026-04-01' }),
    await memory.ask({ question: 'Where do I live?', as_of: '2026-02-01' }),
    await memory.facts.search({ subject: 'user' }),
    await memory.facts.search({ as_of: '2026-02-01' }),
    await memory.profile(),
    await memory.profile({ as_of: '2026-03-01' }),
    await memory.people(),
    await memory.people({ as_of: '2026-03-01' }),
    await memory.projects.list(),
    await memory.projects.default(),
  ];
  const car = await memory.facts.add({ predicate: 'owns_car', value: 'a Fiat' });
  answers.push(
    car,
    await memory.facts.pin(car.id),
    await memory.facts.unpin(car.id),
    await memory.facts.correct({ fact_id: car.id, value: 'a Saab' }),
    await memory.facts.undo(car.id),
    await memory.facts.retract(car.id),
  );
  return answers;
}

/** Ids are drawn and times pass: the first id is the same as the first elsewhere, and so on. */
function comparable(answers: unknown[]): unknown[] {
  const ids = new Map<string, string>();
  const text = JSON.stringify(answers)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids.get(id) ?? named(ids, id))
    .replace(/"(imported_at|updated_at|generated_at)":"[^"]+"/g, '"$1":"now"')
    .replace(/"((?:stated|created|last_confirmed|superseded|pinned)_at|at)":"20(?!26-03)[^"]+"/g, '"$1":"now"');
  return JSON.parse(text) as unknown[];
}

function named(ids: Map<string, string>, id: string): string {
  ids.set(id, `id-${ids.size + 1}`);
  return ids.get(id) ?? '';
}

describe('the same day', () => {
  let embedded: unknown[];
  const opened: Opened[] = [];
  beforeAll(async () => {
    const own = await (kinds['in this process'] as () => Promise<Opened>)();
    opened.push(own);
    embedded = comparable(await day(own.memory));
  });
  afterAll(async () => {
    for (const each of opened) await each.remove();
  });

  it('gets the same answers over HTTP', async () => {
    const other = await (kinds['over HTTP'] as () => Promise<Opened>)();
    opened.push(other);
    expect(comparable(await day(other.memory))).toEqual(embedded);
  });

  it('gets the same answers from the MCP tools, within their envelope', async () => {
    const other = await overMcp();
    opened.push(other);
    const answers = comparable(await day(other.memory));
    expect(answers).toHaveLength(embedded.length);
    for (const [index, answer] of answers.entries()) expect(answer).toMatchObject(embedded[index] as object);
  });
});
