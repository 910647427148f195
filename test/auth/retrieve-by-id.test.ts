import { describe, expect, it } from 'vitest';
import { addMember, createProject, removeMember } from '../../src/auth/projects.js';
import { threadkeepJson } from '../cli/threadkeep.js';
import { aUser, bearer, type TestUser } from '../support/accounts.js';
import { aNote } from '../support/conversation.js';
import { aSession } from '../support/mcp.js';
import { aService, type Body, type TestService } from '../support/service.js';

const unknown = '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c';

async function aTeam() {
  const service = await aService(bearer, { inFolder: true });
  const { administration } = service.runtime.access;
  const [nora, omar, ida] = [await aUser(service, 'nora'), await aUser(service, 'omar'), await aUser(service, 'ida')];
  await createProject(administration, { id: 'team', owner: 'nora' });
  await addMember(administration, { projectId: 'team', user: 'omar', role: 'reader' });
  return { service, administration, nora, omar, ida };
}

function sessionOf({ app }: TestService, { token }: TestUser) {
  const authorization = `Bearer ${token}`;
  return aSession({
    app: {
      request: (path: string, init?: RequestInit) =>
        app.request(path, { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } }),
    },
  });
}

async function saved(user: TestUser, text: string, more: Body = {}): Promise<string> {
  return String((await user.post('/memory/insert', aNote(text, more))).body.id);
}

/** What a failure says, without what differs from request to request. */
function told({ request_id, ...rest }: Body): Body {
  return rest;
}

describe('an id without a project', () => {
  it('is found in every project the caller may read, through each interface', async () => {
    const { service, nora, omar } = await aTeam();
    const id = await saved(nora, 'the canoe is green', { project_id: 'team' });
    const { status, body } = await omar.post('/memory/retrieve', { id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, memory: { metadata: { project_id: 'team' } } });
    const session = await sessionOf(service, omar);
    expect(await session.call('memory_retrieve', { id })).toMatchObject({ status: 'ok', id });
    expect(await session.call('fetch', { id })).toMatchObject({ status: 'ok', id });
    const uri = `memory://conversation/${id}`;
    expect(await session.result('resources/read', { uri })).toMatchObject({ contents: [{ uri }] });
    const environment = { THREADKEEP_TOKEN: omar.token, THREADKEEP_PROVIDERS__VECTOR_DB: 'memory' };
    const { json } = await threadkeepJson(service.folder, ['retrieve', id], { environment });
    expect(json).toMatchObject({ status: 'ok', id });
  });

  it('of a project the caller may not read answers exactly as an unknown one', async () => {
    const { service, administration, nora, omar, ida } = await aTeam();
    const shared = await saved(nora, 'the canoe is green', { project_id: 'team' });
    const own = await saved(nora, 'the kayak is red');
    const missing = await ida.post('/memory/retrieve', { id: unknown });
    expect(missing.status).toBe(404);
    for (const id of [shared, own]) {
      const refused = await ida.post('/memory/retrieve', { id });
      expect(refused.status).toBe(404);
      expect(told(refused.body)).toEqual(told(missing.body));
    }
    const session = await sessionOf(service, ida);
    const envelope = await session.call('memory_retrieve', { id: unknown });
    const resource = await session.request('resources/read', { uri: `memory://conversation/${unknown}` });
    const { error } = resource as { error: Body };
    for (const id of [shared, own]) {
      expect(told(await session.call('memory_retrieve', { id }))).toEqual(told(envelope));
      const read = await session.request('resources/read', { uri: `memory://conversation/${id}` });
      expect(JSON.stringify(read.error).replaceAll(id, unknown)).toBe(JSON.stringify(error));
    }
    await removeMember(administration, { projectId: 'team', user: 'omar' });
    expect(told((await omar.post('/memory/retrieve', { id: shared })).body)).toEqual(told(missing.body));
  });

  it('is looked for among the statuses asked for only', async () => {
    const service = await aService({ ...bearer, memory: { insert_policy: 'review_pending' } });
    const { administration } = service.runtime.access;
    const [nora, omar] = [await aUser(service, 'nora'), await aUser(service, 'omar')];
    await createProject(administration, { id: 'team', owner: 'nora' });
    await addMember(administration, { projectId: 'team', user: 'omar', role: 'reader' });
    const id = await saved(nora, 'the canoe is green', { project_id: 'team' });
    expect((await omar.post('/memory/retrieve', { id })).status).toBe(404);
    expect((await omar.post('/memory/retrieve', { id, memory_status: 'pending_review' })).status).toBe(200);
  });

  it("means the caller's own memory where both projects took the same id, and the named project when one is named", async () => {
    const { nora, omar } = await aTeam();
    const id = '1b671a64-40d5-491e-99b0-da01ff1f3341';
    const shared = await saved(nora, 'the canoe is green', { id, project_id: 'team' });
    const own = await saved(omar, 'the kayak is red', { id });
    expect(own).not.toBe(shared);
    expect((await omar.post('/memory/retrieve', { id })).body.id).toBe(own);
    expect((await omar.post('/memory/retrieve', { id, project_id: 'team' })).body.id).toBe(shared);
    expect((await nora.post('/memory/retrieve', { id: own })).status).toBe(404);
  });
});
