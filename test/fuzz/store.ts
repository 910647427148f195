import { openCallers } from '../../src/app/open-callers.js';
import { openMetadata } from '../../src/app/open-metadata.js';
import { createProject } from '../../src/auth/projects.js';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import { openRecords } from '../../src/records/open.js';
import { configIn } from '../support/service.js';
import { type Sent, send } from './client.js';
import type { Known } from './from-schema.js';
import { canary } from './odd-values.js';
import type { OpenApi } from './oracle.js';
import type { Program } from './program.js';

export interface Prepared {
  document: OpenApi;
  known: Known;
  /** Of a user with every right first; undefined stands for none. */
  credentials: (string | undefined)[];
  ask(path: string, body?: object): Promise<Record<string, unknown>>;
}

const ids = Array.from({ length: 40 }, (_, number) => `5b0f3f0e-7a51-4c39-9f0a-${String(number).padStart(12, '0')}`);

/** Fills the store a little, so that ids, facts and cursors exist, and learns them. */
export async function prepared(program: Program, url: string, tokens: boolean): Promise<Prepared> {
  const credentials = tokens ? await tokensIn(program.folder) : [undefined];
  const headers = { 'content-type': 'application/json', ...(tokens ? { authorization: credentials[0] ?? '' } : {}) };
  async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
    const sent: Sent = { method: 'GET', path, headers };
    const got = await send(
      url,
      body === undefined ? sent : { ...sent, method: 'POST', body: Buffer.from(JSON.stringify(body)) },
    );
    if (got.status !== 200) throw new Error(`${path} answered ${got.status}: ${got.text.slice(0, 300)}`);
    return JSON.parse(got.text) as Record<string, unknown>;
  }
  for (const [number, id] of ids.entries()) {
    await ask('/memory/insert', {
      id,
      source: number % 2 === 0 ? 'chatgpt' : 'claude',
      title: `${canary} ${number}`,
      messages: [
        { role: 'user', text: `My dog number ${number} is called ${canary}. I live in Lisbon.` },
        { role: 'assistant', text: `I remember the dog ${number}.` },
      ],
      metadata: {
        tags: ['dogs'],
        upstream_thread_id: `thread-${number}`,
        // Some wait for review where there is a review.
        ...(number % 4 === 0 ? {} : { save_intent: 'user_confirmed' }),
      },
    });
  }
  const facts = (await ask('/memory/facts/search', { limit: 50 })).results as { id?: string; fact_id?: string }[];
  const search = await ask('/memory/search', { query: 'dog', limit: 5, include_messages: false });
  const list = await ask('/memory/conversations/list', { limit: 5 });
  const { results } = (await ask('/memory/projects')) as { results: { id?: string; project_id?: string }[] };
  const factIds = facts.map((fact) => fact.fact_id ?? fact.id ?? '').filter((id) => id !== '');
  return {
    document: (await ask('/openapi.json')) as unknown as OpenApi,
    credentials,
    ask,
    known: {
      id: ids,
      ids,
      conversation_id: ids,
      fact_id: factIds,
      superseded_by: factIds,
      project_id: results.map((project) => project.project_id ?? project.id ?? '').filter((id) => id !== ''),
      cursor: [search.cursor, list.cursor].filter((cursor): cursor is string => typeof cursor === 'string'),
      thread_id: ['chatgpt:thread-0'],
      upstream_thread_id: ['thread-0', 'thread-1'],
      source: ['chatgpt', 'claude'],
      tags: ['dogs'],
      query: ['dog', 'Where do I live?'],
      question: ['Where do I live?', 'What is my dog called?'],
      subject: ['user'],
      user: ['nora', 'otto'],
      format: ['jsonl', 'markdown', 'json', 'chatgpt'],
    },
  };
}

/** A user with every right, one who may only read, one who may only write, and nobody. */
async function tokensIn(folder: string): Promise<(string | undefined)[]> {
  const now = () => new Date().toISOString();
  const config = await configIn(folder, { api: { auth: 'bearer_token' } });
  const metadata = await openMetadata(config, { log() {} });
  const { administration } = openCallers({ config, records: openRecords(metadata, now), observer: silent, now });
  for (const name of ['nora', 'otto']) await createUser(administration, { name });
  await createProject(administration, { id: 'shared', owner: 'nora', name: 'Shared' });
  const tokenOf = async (user: string, ...scopes: string[]): Promise<string> => {
    const given = scopes.length === 0 ? {} : { scopes };
    const { token } = await createToken(administration, { user, displayName: canary, ...given });
    return `Bearer ${token}`;
  };
  const tokens = [
    await tokenOf('nora'),
    await tokenOf('otto'),
    await tokenOf('otto', 'memory:read'),
    await tokenOf('otto', 'memory:write'),
  ];
  await metadata.close();
  // Most requests come from somebody who may do everything.
  return [tokens[0], tokens[0], tokens[0], ...tokens, `Bearer ${canary}`, undefined];
}

const silent = { log() {}, count() {}, duration() {} };
