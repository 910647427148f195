import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject } from '../../src/auth/projects.js';
import { createToken } from '../../src/auth/tokens.js';
import { clientRoutes, memoryRoutes, statusRoutes, transferRoutes } from '../../src/http/routes.js';
import { memoryTools } from '../../src/mcp/tools/table.js';
import { allScopes, type Scope } from '../../src/model/access.js';
import { operations } from '../../src/operations/table.js';
import { aUser, bearer, callsWith, type TestUser } from '../support/accounts.js';
import { aNote } from '../support/conversation.js';
import { aSession } from '../support/mcp.js';
import { type Answer, type Body, startService, type TestService } from '../support/service.js';

/** Letters for scopes: r(ead), w(rite), m(anage), o(perate). */
const letters: Record<string, Scope> = {
  r: 'memory:read',
  w: 'memory:write',
  m: 'memory:manage',
  o: 'service:operate',
};

/**
 * Written by hand, apart from the table in the source: the sets of scopes that are enough, and what a refusal names
 * first. A change of who may do what must be meant.
 */
const enough: Record<string, string[]> = {
  insert: ['w'],
  import: ['w'],
  imports_create: ['w'],
  imports_list: ['w'],
  imports_get: ['w'],
  imports_cancel: ['w'],
  search: ['r'],
  retrieve: ['r'],
  context: ['r'],
  conversations_list: ['r'],
  activity: ['r'],
  export: ['r'],
  ask: ['r'],
  facts_search: ['r'],
  profile_get: ['r'],
  people_list: ['r'],
  project_list: ['r'],
  project_default_get: ['r'],
  project_get: ['r'],
  project_members: ['r'],
  token_list: ['r'],
  validate: ['r'],
  timeline: ['r'],
  suggest: ['r'],
  facts_supersede: ['wr', 'm'],
  pending_approve: ['wr', 'm'],
  pending_reject: ['wr', 'm'],
  conversations_update: ['m'],
  forget: ['m'],
  facts_restore: ['m'],
  facts_add: ['m'],
  facts_correct: ['m'],
  facts_retract: ['m'],
  facts_pin: ['m'],
  facts_unpin: ['m'],
  facts_detach: ['m'],
  facts_undo: ['m'],
  project_member_set: ['m'],
  project_member_remove: ['m'],
  token_revoke: ['m'],
  '/config': ['o'],
  '/metrics': ['o'],
  '/mcp': ['r', 'w', 'm'],
  '/observability': [''],
  '/openapi.json': [''],
  '/docs': [''],
  '/clients': [''],
  '/health': [''],
  '/ready': [''],
};

/** A word that is in every stored text, title and fact of the caller, and in nothing that is sent by the calls. */
const secretWord = 'Zanzibarine';

let service: TestService;
let all: TestUser;
const tokens = new Map<string, { token: string; tokenId: string }>();

beforeAll(async () => {
  service = await startService({ ...bearer, memory: { insert_policy: 'review_pending' } });
  all = await aUser(service, 'nora');
  await aUser(service, 'otto');
  const { administration } = service.runtime.access;
  await createProject(administration, { id: 'team', owner: 'nora' });
  for (const combination of combinations()) {
    const { token, row } = await createToken(administration, { user: 'nora', scopes: scopesOf(combination) });
    tokens.set(combination, { token, tokenId: row.id });
  }
});
afterAll(() => service.close());

/** Every set of scopes that a token can have. */
function combinations(): string[] {
  const sets = Array.from({ length: 2 ** allScopes.length }, (_, bits) =>
    ['r', 'w', 'm', 'o'].filter((_letter, at) => ((bits >> at) & 1) === 1).join(''),
  );
  return sets.filter((each) => each !== '');
}

function scopesOf(combination: string): Scope[] {
  return [...combination].flatMap((letter) => letters[letter] ?? []);
}

function isEnough(combination: string, needed: readonly string[]): boolean {
  return needed.some((set) => [...set].every((letter) => combination.includes(letter)));
}

/** What a refusal names: the first scope missing of the set that the interface documents. */
function named(combination: string, [documented = '']: readonly string[]): Scope | undefined {
  return letters[[...documented].find((letter) => !combination.includes(letter)) ?? ''];
}

let made = 0;
async function saved(intent: Body = { save_intent: 'explicit_user_request' }): Promise<string> {
  const note = aNote(`I drive a ${secretWord} number ${made++}.`, { title: secretWord, metadata: intent });
  return String((await all.post('/memory/insert', note)).body.id);
}

async function twoFacts(): Promise<[string, string]> {
  await saved();
  await saved();
  const { body } = await all.post('/memory/facts/search', {
    predicate: 'owns_car',
    include_superseded: true,
    limit: 2,
  });
  const [one, other] = (body.results as { id: string }[]).map(({ id }) => id);
  return [one ?? '', other ?? ''];
}

/** Input that would succeed, made anew for each call, so that its answer could tell something. */
const inputs: Record<string, () => Promise<Body> | Body> = {
  insert: () => aNote(`saved ${made++}`) as unknown as Body,
  import: () => ({}),
  imports_create: () => ({}),
  imports_list: async () => ({ import_id: await anImport() }),
  imports_get: async () => ({ import_id: await anImport() }),
  imports_cancel: async () => ({ import_id: await anImport() }),
  search: () => ({ query: 'drive' }),
  retrieve: async () => ({ id: await saved() }),
  context: async () => ({ id: await saved(), message_index: 0 }),
  conversations_update: async () => ({ id: await saved(), add_tags: ['kept'] }),
  forget: async () => ({ ids: [await saved()], dry_run: true }),
  ask: () => ({ question: 'What do I drive?' }),
  facts_supersede: async () => {
    const [fact_id, superseded_by] = await twoFacts();
    return { fact_id, superseded_by };
  },
  facts_restore: async () => {
    const [fact_id, superseded_by] = await twoFacts();
    await all.post('/memory/facts/supersede', { fact_id, superseded_by });
    return { fact_id };
  },
  facts_add: () => ({ predicate: 'owns_boat', value: `dinghy ${made++}` }),
  facts_correct: async () => ({ fact_id: (await twoFacts())[0], value: `barge ${made++}` }),
  facts_retract: async () => ({ fact_id: (await twoFacts())[0] }),
  facts_pin: async () => ({ fact_id: (await twoFacts())[0] }),
  facts_unpin: async () => ({ fact_id: (await twoFacts())[0] }),
  facts_detach: async () => {
    const [fact_id] = await twoFacts();
    const { body } = await all.post('/memory/facts/search', { status: 'all', limit: 100 });
    const stated = (body.results as { id: string; sources: { conversation_id: string }[] }[]).find(
      ({ id }) => id === fact_id,
    );
    return { fact_id, conversation_id: stated?.sources[0]?.conversation_id };
  },
  facts_undo: async () => {
    const [fact_id] = await twoFacts();
    await all.post(`/memory/facts/${fact_id}/retract`, {});
    return { fact_id };
  },
  pending_approve: async () => ({ id: await saved({}) }),
  pending_reject: async () => ({ id: await saved({}) }),
  project_get: () => ({ project_id: 'team' }),
  project_members: () => ({ project_id: 'team' }),
  project_member_set: () => ({ project_id: 'team', user: 'otto', role: 'reader' }),
  project_member_remove: async () => {
    await all.post('/memory/projects/members/set', { project_id: 'team', user: 'otto', role: 'reader' });
    return { project_id: 'team', user: 'otto' };
  },
  token_revoke: async () => ({ token_id: (await aUser(service, 'nora', ['memory:read'])).tokenId }),
  validate: () => aNote('x') as unknown as Body,
  timeline: () => ({ day: '2026-03-01' }),
};

function sendExport(path: string, token: string): Promise<Answer> {
  const line = JSON.stringify({ type: 'conversation', conversation: aNote(`imported ${made++}`) });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
  return service.send(path, { method: 'POST', headers, body: `${line}\n` });
}

/** Under a file name of the caller's: what another token of theirs sent is to be read as little as what is stored. */
async function anImport(): Promise<string> {
  const { body } = await sendExport(
    `/memory/imports?format=threadkeep&filename=${secretWord}.jsonl&source=${secretWord}`,
    all.token,
  );
  return (body.job as { id: string }).id;
}

interface RouteCase {
  name: string;
  path: string;
  method: 'GET' | 'POST';
}

const routeCases: RouteCase[] = [
  ...memoryRoutes.map(
    ({ operation, path, method }): RouteCase => ({ name: operation.name, path, method: method ?? 'POST' }),
  ),
  ...Object.entries(transferRoutes).map(([path, { operation, method }]) => ({ name: operation.name, path, method })),
  ...Object.keys(statusRoutes).map((path) => ({ name: path, path, method: 'GET' }) as const),
];

async function callRoute({ name, path, method }: RouteCase, token: string): Promise<Answer> {
  const calls = callsWith(service, token);
  const input = (await inputs[name]?.()) ?? {};
  if (name === 'import' || name === 'imports_create') return sendExport(`${path}?format=threadkeep`, token);
  const place = path.replace(/\{(\w+)\}/g, (_, key: string) => String(input[key]));
  return method === 'GET' ? calls.get(place) : calls.post(place, input);
}

describe(`every route with every combination of scopes`, () => {
  it.each(routeCases)('$method $path', async (route) => {
    const needed = enough[route.name];
    if (needed === undefined) throw new Error(`${route.name} is not in the table of this test`);
    for (const [combination, { token }] of tokens) {
      const allowed = isEnough(combination, needed);
      const { status, body } = await callRoute(route, token);
      const about = { route: route.path, combination };
      if (allowed) expect({ ...about, status }).toEqual({ ...about, status: 200 });
      else {
        expect({ ...about, status, code: body.error_code, scope: body.required_scope }).toEqual({
          ...about,
          status: 403,
          code: 'insufficient_scope',
          scope: named(combination, needed),
        });
      }
      if (!combination.includes('r')) expect({ ...about, leaks: leaks(body) }).toEqual({ ...about, leaks: false });
    }
    const isPublic = route.path === '/health' || route.path === '/ready';
    const bare = await service.send(route.path.replace(/[{}]/g, ''), { method: route.method });
    expect(bare.status === 401).toBe(!isPublic);
  });
});

describe('the routes that change settings of this machine, with every combination of scopes', () => {
  it.each(Object.keys(clientRoutes))('POST %s', async (path) => {
    for (const [combination, { token }] of tokens) {
      const { status, body } = await callsWith(service, token).post(path.replace('{client}', 'cursor'), {});
      // With the scope, too: only the local user may, and here everyone has a token.
      const code = combination.includes('o') ? 'permission_denied' : 'insufficient_scope';
      expect({ combination, status, code: body.error_code }).toEqual({ combination, status: 403, code });
    }
  });
});

function leaks(body: Body): boolean {
  return JSON.stringify(body).includes(secretWord);
}

/** A tool's arguments from the input of its operation. */
function argumentsOf(tool: string, input: Body): Body {
  return tool === 'memory_insert' || tool === 'memory_validate' ? { conversation_json: input } : input;
}

describe('every tool with every combination of scopes', () => {
  it.each(memoryTools.map(({ name }) => name))('%s', async (tool) => {
    const operation = toolOperations[tool];
    const needed = enough[operation ?? ''];
    if (operation === undefined || needed === undefined) throw new Error(`${tool} is not in the table of this test`);
    for (const [combination, { token }] of tokens) {
      const about = { tool, combination };
      if (!isEnough(combination, ['r', 'w', 'm'])) continue;
      const session = await aSession(withToken(token));
      const answer = await session.call(tool, argumentsOf(tool, (await inputs[operation]?.()) ?? {}));
      const allowed = isEnough(combination, needed);
      const denied = { code: 'insufficient_scope', scope: named(combination, needed) };
      expect({ ...about, code: answer.error_code, scope: answer.required_scope }).toEqual({
        ...about,
        ...(allowed ? { code: null, scope: undefined } : denied),
      });
      if (!combination.includes('r')) expect({ ...about, leaks: leaks(answer) }).toEqual({ ...about, leaks: false });
    }
  });

  it('is listed with the scopes it needs', async () => {
    const session = await aSession(withToken(all.token));
    const { tools } = (await session.result('tools/list')) as { tools: { name: string; _meta: Body }[] };
    for (const { name, _meta } of tools) {
      const needed = (enough[toolOperations[name] ?? ''] ?? []).map(scopesOf);
      expect({ name, scopes: _meta['threadkeep/scopes'] }).toEqual({ name, scopes: needed });
    }
    expect(tools.length).toBe(memoryTools.length);
  });
});

const toolOperations: Record<string, string> = {
  memory_validate: 'validate',
  memory_insert: 'insert',
  memory_search: 'search',
  memory_retrieve: 'retrieve',
  memory_context: 'context',
  memory_ask: 'ask',
  memory_fact_search: 'facts_search',
  memory_profile_get: 'profile_get',
  memory_people: 'people_list',
  memory_fact_supersede: 'facts_supersede',
  memory_fact_add: 'facts_add',
  memory_fact_correct: 'facts_correct',
  memory_fact_retract: 'facts_retract',
  memory_fact_pin: 'facts_pin',
  memory_fact_unpin: 'facts_unpin',
  memory_fact_undo: 'facts_undo',
  memory_pending_approve: 'pending_approve',
  memory_pending_reject: 'pending_reject',
  memory_project_list: 'project_list',
  memory_project_default_get: 'project_default_get',
  memory_project_get: 'project_get',
  search: 'search',
  fetch: 'retrieve',
};

function withToken(token: string) {
  const authorization = `Bearer ${token}`;
  return {
    app: {
      request: (path: string, init?: RequestInit) =>
        service.app.request(path, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), authorization },
        }),
    },
  };
}

describe('the endpoint of MCP', () => {
  it('opens for a token with any memory scope, and for no other', async () => {
    for (const [combination, { token }] of tokens) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const { status } = await service.send('/mcp', { method: 'POST', headers, body: '{}' });
      expect({ combination, refused: status === 403 }).toEqual({
        combination,
        refused: !isEnough(combination, ['r', 'w', 'm']),
      });
    }
  });
});

describe('the descriptions', () => {
  it('cover every operation', () => {
    const scopes = Object.entries(operations).map(([name, { needs }]) => [name, needs]);
    const expected = Object.keys(operations).map((name) => [name, (enough[name] ?? []).map(scopesOf)]);
    expect(scopes).toEqual(expected);
  });

  it('in OpenAPI name the same scopes', async () => {
    const { body } = await all.get('/openapi.json');
    const paths = body.paths as Record<string, Record<string, Body>>;
    for (const { path, method, name } of routeCases) {
      const needed = (enough[name] ?? []).map(scopesOf);
      const said = paths[path]?.[method.toLowerCase()]?.['x-required-scopes'];
      expect({ path, said }).toEqual({ path, said: needed[0]?.length === 0 ? undefined : needed });
    }
  });
});

describe('a token from before there was memory:manage', () => {
  it.each([
    ['rw', true],
    ['r', false],
    ['w', false],
  ])('with %s manages: %s', async (combination, manages) => {
    const { accounts } = service.runtime.access.administration;
    const { token, tokenId } = await aUser(service, 'nora', scopesOf(combination));
    await accounts.write([{ kind: 'patch', table: 'tokens', ids: [tokenId], set: { scope_rule: undefined } }]);
    const { status } = await callsWith(service, token).post('/memory/forget', { ids: [await saved()] });
    expect(status).toBe(manages ? 200 : 403);
    // A new value under the same id changes nothing about what it may do.
    const { results } = (await all.get('/memory/tokens')).body as { results: { token_id: string; scopes: Scope[] }[] };
    const listed = results.find((each) => each.token_id === tokenId);
    expect(listed?.scopes).toEqual(manages ? scopesOf('rwm') : scopesOf(combination));
  });
});

describe('every combination', () => {
  it('was tried', () => {
    expect(tokens.size).toBe(2 ** allScopes.length - 1);
  });

  it('is counted in SECURITY.md', async () => {
    const promised = await readFile(new URL('../../SECURITY.md', import.meta.url), 'utf8');
    const ofTools = [...tokens.keys()].filter((each) => isEnough(each, ['r', 'w', 'm'])).length;
    const [routes, tools] = [routeCases.length + Object.keys(clientRoutes).length, memoryTools.length];
    expect(promised).toContain(`all ${routes} routes with each of the ${tokens.size} combinations`);
    expect(promised).toContain(`${routes * tokens.size} calls of routes, ${tools * ofTools} of tools`);
  });
});
