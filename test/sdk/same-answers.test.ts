import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Memory } from '../../src/sdk/memory.js';
import { kinds, type Opened } from './both.js';
import { overMcp } from './over-mcp.js';

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
