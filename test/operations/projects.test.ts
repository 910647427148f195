import { describe, expect, it } from 'vitest';
import { addMember, createProject } from '../../src/auth/projects.js';
import { aUser, bearer } from '../support/accounts.js';
import { aNote } from '../support/conversation.js';
import { aService } from '../support/service.js';

describe('the projects', () => {
  it('of the local user are one, without any account', async () => {
    const service = await aService();
    const local = { id: 'local-default', name: 'Local default', owner_id: 'local', is_default: true, role: 'admin' };
    expect((await service.send('/memory/projects')).body).toEqual({ status: 'ok', results: [local] });
    expect((await service.send('/memory/projects/default')).body).toEqual({ status: 'ok', project: local });
    expect((await service.send('/memory/projects/local-default')).body).toEqual({ status: 'ok', project: local });
    expect((await service.send('/memory/projects/other')).body).toMatchObject({ error_code: 'permission_denied' });
    expect((await service.send('/memory/projects/a:b')).body).toMatchObject({ error_code: 'invalid_input' });
  });

  it('of a user are the own one first, then the shared ones by name, with the role', async () => {
    const service = await aService(bearer);
    const { administration } = service.runtime.access;
    const nora = await aUser(service, 'nora');
    const omar = await aUser(service, 'omar');
    await createProject(administration, { id: 'z', owner: 'nora', name: 'Alpha' });
    await createProject(administration, { id: 'a', owner: 'nora', name: 'Beta', description: 'About beta' });
    for (const id of ['z', 'a']) await addMember(administration, { projectId: id, user: 'omar', role: 'reader' });
    const { body } = await omar.get('/memory/projects');
    expect(body.results).toMatchObject([
      { name: 'Private', owner_id: 'omar', is_default: true, role: 'admin' },
      { id: 'z', name: 'Alpha', owner_id: 'nora', is_default: false, role: 'reader' },
      { id: 'a', name: 'Beta', description: 'About beta', owner_id: 'nora', is_default: false, role: 'reader' },
    ]);
    const own = (body.results as { id: string }[])[0]?.id;
    expect((await omar.get('/memory/projects/default')).body).toMatchObject({ project: { id: own } });
    expect((await nora.get(`/memory/projects/${own}`)).status).toBe(403);
    expect((await nora.get('/memory/projects/missing')).status).toBe(403);
  });
});

describe('a shared project', () => {
  it('is written by writers and read by readers', async () => {
    const service = await aService(bearer);
    const { administration } = service.runtime.access;
    const [nora, omar] = [await aUser(service, 'nora'), await aUser(service, 'omar')];
    await createProject(administration, { id: 'team', owner: 'nora' });
    await addMember(administration, { projectId: 'team', user: 'omar', role: 'reader' });
    const note = (text: string) => aNote(text, { project_id: 'team' });
    const { body: saved } = await nora.post('/memory/insert', note('the canoe is green'));
    const found = await omar.post('/memory/search', { query: 'canoe', project_id: 'team' });
    expect(found.body.results).toMatchObject([{ id: saved.id }]);
    expect((await omar.post('/memory/search', { query: 'canoe' })).body.results).toEqual([]);
    const denied = await omar.post('/memory/insert', note('the canoe is blue'));
    expect(denied).toMatchObject({ status: 403, body: { error_message: 'project access denied' } });
    await addMember(administration, { projectId: 'team', user: 'omar', role: 'writer' });
    expect((await omar.post('/memory/insert', note('the canoe is blue'))).status).toBe(200);
  });

  it('takes over what was saved before there were users', async () => {
    const service = await aService(bearer);
    await service.insert(aNote('an old canoe'));
    const nora = await aUser(service, 'nora');
    const ask = { query: 'canoe', project_id: 'local-default' };
    expect((await nora.post('/memory/search', ask)).status).toBe(403);
    await createProject(service.runtime.access.administration, { id: 'local-default', owner: 'nora' });
    expect((await nora.post('/memory/search', ask)).body.results).toHaveLength(1);
  });
});
