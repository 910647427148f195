import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember, createProject, removeMember } from '../../src/auth/projects.js';
import { createToken, revokeToken } from '../../src/auth/tokens.js';
import { createUser, setUserDisabled } from '../../src/auth/users.js';
import { projectRoles } from '../../src/model/access.js';
import { threadkeepJson } from '../cli/threadkeep.js';
import { bearer, callsWith } from '../support/accounts.js';
import { invented, turns } from '../support/conversation.js';
import { type Answer, type Body, startService, type TestService } from '../support/service.js';
import { choices, createModel, type Memory, type Model, type Person } from './isolation-model.js';

const seed = Number(process.env.ISOLATION_SEED ?? 20_261_115);
const steps = 2_000;
/** Every so many steps the command line is the door; it is a process each time. The others are HTTP and MCP in turns. */
const stepsPerCommand = 125;
const projects = Array.from({ length: 8 }, (_, index) => `team-${index}`);

let service: TestService;
beforeAll(async () => {
  service = await startService({ ...bearer, memory: { insert_policy: 'review_pending' } }, { inFolder: true });
});
afterAll(() => service.close());

/** One call as any door takes it: the answer as an HTTP status and a body. */
interface Request {
  verb:
    | 'insert'
    | 'search'
    | 'retrieve'
    | 'ask'
    | 'facts/search'
    | 'profile/get'
    | 'pending/approve'
    | 'pending/reject'
    | 'projects';
  body: Body;
}

type Door = (token: string, request: Request) => Promise<Pick<Answer, 'status' | 'body'>>;

const http: Door = (token, { verb, body }) => {
  const calls = callsWith(service, token);
  if (verb === 'projects') return calls.get(['/memory/projects', body.project_id].filter(Boolean).join('/'));
  return calls.post(`/memory/${verb}`, body);
};

const statuses: Record<string, number> = { unauthenticated: 401, permission_denied: 403, not_found: 404 };

const tools: Record<Request['verb'], string> = {
  insert: 'memory_insert',
  search: 'memory_search',
  retrieve: 'memory_retrieve',
  ask: 'memory_ask',
  'facts/search': 'memory_fact_search',
  'profile/get': 'memory_profile_get',
  'pending/approve': 'memory_pending_approve',
  'pending/reject': 'memory_pending_reject',
  projects: 'memory_project_list',
};
const sessions = new Map<string, string>();

const mcp: Door = async (token, { verb, body }) => {
  const opened = sessions.get(token) ?? (await openSession(token));
  if (opened === undefined) return { status: 401, body: {} };
  sessions.set(token, opened);
  const { project_id, ...conversation } = body;
  const named = project_id === undefined ? {} : { project_id };
  const given = verb === 'insert' ? { conversation_json: conversation, ...named } : body;
  const name = verb === 'projects' && project_id !== undefined ? 'memory_project_get' : tools[verb];
  const answer = await rpc(token, 'tools/call', { name, arguments: given }, opened);
  if (answer.status !== 200) return answer;
  const envelope = (answer.body.result as { structuredContent: Body }).structuredContent;
  const code = String(envelope.error_code);
  const status =
    envelope.error_code === null ? 200 : (statuses[code] ?? (code === 'memory_not_pending_review' ? 409 : 500));
  return { status, body: envelope };
};

async function openSession(token: string): Promise<string | undefined> {
  const clientInfo = { name: 'isolation', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  return (await rpc(token, 'initialize', params)).headers.get('mcp-session-id') ?? undefined;
}

function rpc(token: string, method: string, params: object, session?: string): Promise<Answer> {
  return service.send('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

const commandLine: Door = async (token, { verb, body }) => {
  const project = body.project_id === undefined ? [] : ['--project-id', String(body.project_id)];
  const args = verb === 'search' ? ['search', String(body.query), '--top-k', '100'] : ['retrieve', String(body.id)];
  const environment = { THREADKEEP_TOKEN: token, THREADKEEP_PROVIDERS__VECTOR_DB: 'memory' };
  const { json } = await threadkeepJson(service.folder, [...args, ...project], { environment });
  return { status: json.status === 'ok' ? 200 : (statuses[String(json.error_code)] ?? 500), body: json };
};

describe('twenty users and eight projects', () => {
  it(`see exactly what is theirs through ${steps} random operations (seed ${seed})`, { timeout: 600_000 }, async () => {
    const { administration } = service.runtime.access;
    const people: Person[] = [];
    const tokens = new Map<string, string>();
    for (let index = 0; index < 20; index++) {
      const { id, default_project_id } = await createUser(administration, { name: `user-${index}` });
      people.push({ name: id, own: default_project_id, disabled: false });
      tokens.set(id, (await createToken(administration, { user: id })).token);
    }
    const model = createModel(people);
    for (const [index, id] of projects.entries()) {
      await createProject(administration, { id, owner: `user-${index}` });
      model.roles.set(id, new Map([[`user-${index}`, 'admin']]));
    }
    const choose = choices(seed);
    const seen: Record<string, number> = {};

    for (let step = 0; step < steps; step++) {
      if (choose.chance(0.08)) {
        await changeSomething();
        continue;
      }
      const memory = model.memories.length === 0 ? undefined : choose.oneOf(model.memories);
      const { person, project } = choose.chance(0.4) ? nearTo(memory) : anywhere();
      const useCommand = step % stepsPerCommand === 0;
      const verb = useCommand
        ? choose.oneOf(['search', 'retrieve'] as const)
        : choose.oneOf([
            'insert',
            'insert',
            'search',
            'search',
            'retrieve',
            'ask',
            'facts/search',
            'profile/get',
            'pending/approve',
            'pending/reject',
            'projects',
          ] as const);
      const door = useCommand ? commandLine : step % 2 === 0 ? http : mcp;
      const outcome = await check(verb, { person, project, door, step, memory });
      const key = `${door === commandLine ? 'command' : door === http ? 'http' : 'mcp'} ${verb} ${outcome}`;
      seen[key] = (seen[key] ?? 0) + 1;
    }
    // Every kind of answer came up, so that the walk did not prove nothing.
    for (const verb of ['insert', 'search', 'retrieve', 'ask', 'facts/search', 'profile/get', 'projects']) {
      for (const status of [200, 401, 403]) {
        for (const door of ['http', 'mcp']) expect(seen).toHaveProperty(`${door} ${verb} ${status}`);
      }
    }
    expect(seen).toHaveProperty('http retrieve 404');
    expect(seen).toHaveProperty('http pending/approve 200');

    function anywhere(): { person: Person; project: string | undefined } {
      const elsewhere = [...projects, ...projects, choose.oneOf(people).own];
      return { person: choose.oneOf(people), project: choose.chance(0.35) ? undefined : choose.oneOf(elsewhere) };
    }

    /** The project of a memory and, often, someone who is in it. */
    function nearTo(memory: Memory | undefined): { person: Person; project: string | undefined } {
      if (memory === undefined) return anywhere();
      const inside = people.filter((person) => model.roleOf(person, memory.project) !== undefined);
      return { person: choose.oneOf(choose.chance(0.7) ? inside : people), project: memory.project };
    }

    async function changeSomething(): Promise<void> {
      const person = choose.oneOf(people);
      const project = choose.oneOf(projects);
      const isOwner = project === `team-${people.indexOf(person)}`;
      const change = choose.oneOf(['add', 'add', 'remove', 'disable', 'token'] as const);
      if (change === 'add' && !isOwner) {
        const role = choose.oneOf(projectRoles);
        await addMember(administration, { projectId: project, user: person.name, role });
        model.roles.get(project)?.set(person.name, role);
      }
      if (change === 'remove' && !isOwner && model.roles.get(project)?.delete(person.name)) {
        await removeMember(administration, { projectId: project, user: person.name });
      }
      if (change === 'disable') {
        person.disabled = !person.disabled && choose.chance(0.5);
        await setUserDisabled(administration, person.name, { disabled: person.disabled });
      }
      if (change === 'token' && !person.disabled) {
        const old = tokens.get(person.name) ?? '';
        tokens.set(person.name, (await createToken(administration, { user: person.name })).token);
        await revokeToken(administration, old);
        expect((await http(old, { verb: 'projects', body: {} })).status).toBe(401);
      }
    }

    async function check(verb: Request['verb'], ask: Asked): Promise<number> {
      const { person, project, door, step, memory } = ask;
      const named = project === undefined ? {} : { project_id: project };
      const token = tokens.get(person.name) ?? '';
      const words = invented(step + 1, 6);
      const bodies: Record<Request['verb'], Body> = {
        insert: {
          // A place of its own for each, so that a fact tells whose it is.
          messages: turns(`${words}. I live in Town${step}.`),
          metadata: choose.chance(0.7) ? { save_intent: 'user_confirmed' } : {},
          ...named,
        },
        search: { query: memory?.words ?? 'nothing yet', top_k: 100, ...named },
        retrieve: { id: memory?.id ?? crypto.randomUUID(), ...named },
        ask: { question: `What about ${memory?.words ?? 'nothing'}?`, ...named },
        'facts/search': { include_superseded: true, limit: 100, ...named },
        'profile/get': { include_superseded: true, ...named },
        'pending/approve': { id: memory?.id ?? crypto.randomUUID(), ...named },
        'pending/reject': { id: memory?.id ?? crypto.randomUUID(), ...named },
        projects: named,
      };
      const body = bodies[verb];
      const answer = await door(token, { verb, body });
      const where = project ?? person.own;
      const writes = verb === 'insert' || verb.startsWith('pending/');
      const needs = writes ? 'write' : 'read';
      const gate = model.gate(person, project, needs);
      const context = { step, verb, person: person.name, project, own: person.own, role: model.roleOf(person, where) };
      const expected = gate === 200 ? expectedStatus(verb, { where, person, project, memory }) : gate;
      expect({
        ...context,
        status: answer.status,
        message: answer.status === expected ? '' : answer.body.error_message,
      }).toEqual({
        ...context,
        status: expected,
        message: '',
      });
      if (answer.status === 403) expect(answer.body.error_message).toBe('project access denied');
      if (answer.status === 200) follow(verb, { answer: answer.body, body, where, person, memory, words });
      return answer.status;
    }

    function expectedStatus(
      verb: Request['verb'],
      call: { where: string; person: Person; project: string | undefined; memory: Memory | undefined },
    ): number {
      const { where, person, project, memory } = call;
      if (verb !== 'retrieve' && !verb.startsWith('pending/')) return 200;
      if (memory === undefined) return 404;
      if (verb === 'retrieve') {
        // Without a project, an id is looked for wherever the caller may read.
        const places = project === undefined ? model.projectsOf(person) : [where];
        return memory.status === 'active' && places.includes(memory.project) ? 200 : 404;
      }
      if (memory.project !== where) return 404;
      return memory.status === 'pending_review' ? 200 : 409;
    }

    function follow(
      verb: Request['verb'],
      call: { answer: Body; body: Body; where: string; person: Person; memory: Memory | undefined; words: string },
    ): void {
      const { answer, where, person, memory, words } = call;
      if (verb === 'insert') {
        const status = answer.memory_status as Memory['status'];
        model.memories.push({ id: String(answer.id), project: where, status, words });
      }
      if (verb === 'pending/approve' && memory) memory.status = 'active';
      if (verb === 'pending/reject' && memory) memory.status = 'rejected';
      if (verb === 'retrieve') expect(JSON.stringify(answer.memory)).toContain(memory?.words);
      if (verb === 'search') expectOnlyOwn(model, answer.results as { id: string }[], where, memory);
      if (verb === 'ask') {
        const cited = [...(answer.results as { id: string }[]), ...(answer.citations as { id: string }[])];
        expectOnlyOwn(model, cited, where, undefined);
      }
      if (verb === 'facts/search') expectOwnFacts(model, answer.results as StatedFact[], where);
      if (verb === 'profile/get') expectOwnFacts(model, answer.facts as StatedFact[], where);
      if (verb === 'projects' && call.body.project_id === undefined) {
        const ids = (answer.results as { id: string }[]).map(({ id }) => id);
        expect([...ids].sort()).toEqual(model.projectsOf(person));
      }
    }
  });
});

interface Asked {
  person: Person;
  project: string | undefined;
  door: Door;
  step: number;
  memory: Memory | undefined;
}

/** Nothing of others or hidden, and the memory whose words were asked for is there if it is theirs. */
function expectOnlyOwn(model: Model, results: { id: string }[], where: string, memory: Memory | undefined): void {
  const visible = new Set(model.activeIn(where).map(({ id }) => id));
  expect(results.map(({ id }) => id).filter((id) => !visible.has(id))).toEqual([]);
  if (memory !== undefined && visible.has(memory.id)) expect(results.map(({ id }) => id)).toContain(memory.id);
}

interface StatedFact {
  sources: { conversation_id: string }[];
}

/** Facts of memories that the caller may see, and of no other. */
function expectOwnFacts(model: Model, facts: readonly StatedFact[], where: string): void {
  const sources = facts.flatMap((fact) => fact.sources.map(({ conversation_id: id }) => ({ id })));
  expectOnlyOwn(model, sources, where, undefined);
}
