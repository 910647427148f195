import { describe, expect, it } from 'vitest';
import { addMember, createProject } from '../../../src/auth/projects.js';
import { aUser, bearer } from '../../support/accounts.js';
import { aService } from '../../support/service.js';

async function aTeam() {
  const service = await aService(bearer);
  const { administration } = service.runtime.access;
  const [nora, omar, lin] = [await aUser(service, 'nora'), await aUser(service, 'omar'), await aUser(service, 'lin')];
  await createProject(administration, { id: 'team', owner: 'nora' });
  await addMember(administration, { projectId: 'team', user: 'omar', role: 'writer' });
  return { service, nora, omar, lin };
}

const rolesIn = (body: Record<string, unknown>): string[] =>
  (body.results as { user: string; role: string }[]).map(({ user, role }) => `${user} ${role}`);

describe('the members of a project', () => {
  it('are shown only to its members', async () => {
    const { nora, omar, lin } = await aTeam();
    const seen = await omar.get('/memory/projects/team/members');
    expect({ roles: rolesIn(seen.body), may: seen.body.may_manage }).toEqual({
      roles: ['nora admin', 'omar writer'],
      may: false,
    });
    expect((await nora.get('/memory/projects/team/members')).body.may_manage).toBe(true);
    expect((await lin.get('/memory/projects/team/members')).status).toBe(403);
  });

  it('are managed by its admins alone', async () => {
    const { nora, omar } = await aTeam();
    const lin = { project_id: 'team', user: 'lin', role: 'reader' };
    expect((await omar.post('/memory/projects/members/set', lin)).status).toBe(403);
    expect((await omar.post('/memory/projects/members/remove', { project_id: 'team', user: 'nora' })).status).toBe(403);
    expect((await nora.post('/memory/projects/members/set', lin)).body).toMatchObject({ member: { role: 'reader' } });
    await nora.post('/memory/projects/members/set', { ...lin, role: 'admin' });
    await nora.post('/memory/projects/members/remove', { project_id: 'team', user: 'omar' });
    expect(rolesIn((await nora.get('/memory/projects/team/members')).body)).toEqual(['lin admin', 'nora admin']);
    expect((await omar.get('/memory/projects/team/members')).status).toBe(403);
  });

  it('keep their owner, and a private project stays private', async () => {
    const { nora } = await aTeam();
    const owner = { project_id: 'team', user: 'nora' };
    expect((await nora.post('/memory/projects/members/remove', owner)).status).toBe(409);
    const { body } = await nora.get('/memory/projects/default');
    const own = (body.project as { id: string }).id;
    expect((await nora.get(`/memory/projects/${own}/members`)).body.may_manage).toBe(false);
    const place = { project_id: own, user: 'omar', role: 'reader' };
    expect((await nora.post('/memory/projects/members/set', place)).status).toBe(403);
  });
});

describe('the tokens of a caller', () => {
  it('are shown without their values', async () => {
    const { nora, omar } = await aTeam();
    const { body } = await nora.get('/memory/tokens');
    expect(body.results).toMatchObject([{ token_id: nora.tokenId, current: true }]);
    expect(JSON.stringify(body)).not.toContain(nora.token);
    expect(JSON.stringify(body)).not.toContain('hash');
    expect(JSON.stringify(body)).not.toContain(omar.tokenId);
  });

  it('can be revoked by their owner alone', async () => {
    const { service, nora, omar } = await aTeam();
    const second = await aUser(service, 'nora');
    expect((await omar.post('/memory/tokens/revoke', { token_id: second.tokenId })).status).toBe(404);
    const revoked = await nora.post('/memory/tokens/revoke', { token_id: second.tokenId });
    expect(revoked.body).toMatchObject({ token: { token_id: second.tokenId, current: false } });
    expect((await second.get('/memory/projects')).status).toBe(401);
    expect((await nora.get('/memory/projects')).status).toBe(200);
  });
});
