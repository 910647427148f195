import { describe, expect, it } from 'vitest';
import { addMember, changeRole, createProject, removeMember } from '../../src/auth/projects.js';
import { createToken, revokeToken, rotateToken } from '../../src/auth/tokens.js';
import { createUser, setUserDisabled } from '../../src/auth/users.js';
import { someAccounts } from '../support/accounts.js';
import { refusalOf } from '../support/failure.js';

async function household() {
  const opened = await someAccounts();
  const { administration } = opened;
  for (const name of ['nora', 'omar']) await createUser(administration, { name });
  return { ...opened, administration, accounts: administration.accounts };
}

describe('a user', () => {
  it('has a private project of their own and is its admin', async () => {
    const { accounts } = await household();
    const nora = await accounts.user('nora');
    expect(nora?.default_project_id).toMatch(/^private-[0-9a-f]{32}$/);
    expect(nora?.default_project_id).not.toBe((await accounts.user('omar'))?.default_project_id);
    expect(await accounts.membershipsOf('nora')).toMatchObject([
      { project_id: nora?.default_project_id, role: 'admin' },
    ]);
  });

  it('exists once, also when two are created at the same time', async () => {
    const { administration, accounts } = await household();
    expect((await refusalOf(createUser(administration, { name: 'nora' }))).code).toBe('duplicate_conflict');
    const both = await Promise.allSettled([1, 2].map(() => createUser(administration, { name: 'ida' })));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await accounts.membershipsOf('ida')).toHaveLength(1);
  });

  it.each(['', ' ', 'a b', 'a:b', '../x', 'local', 'x'.repeat(129), 'é'])('is not called %j', async (name) => {
    const { administration } = await someAccounts();
    expect((await refusalOf(createUser(administration, { name }))).code).toBe('invalid_input');
  });

  it('has a display name of one line', async () => {
    const { administration } = await someAccounts();
    const named = await createUser(administration, { name: 'a', displayName: ' Ada Lovelace ' });
    expect(named.display_name).toBe('Ada Lovelace');
    for (const displayName of ['a\nb', 'a\u001b[31m', 'x'.repeat(201)]) {
      expect((await refusalOf(createUser(administration, { name: 'b', displayName }))).code).toBe('invalid_input');
    }
  });

  it('and a token have a display name where none was given, also when they were made without one', async () => {
    const { administration, accounts } = await household();
    const { row } = await createToken(administration, { user: 'nora' });
    expect((await accounts.user('nora'))?.display_name).toBe('nora');
    expect(row.display_name).toBe('token of nora');
    await accounts.write([
      { kind: 'patch', table: 'users', ids: ['nora'], set: { display_name: undefined } },
      { kind: 'patch', table: 'tokens', ids: [row.id], set: { display_name: undefined } },
    ]);
    expect((await accounts.users()).map(({ display_name }) => display_name)).toEqual(['nora', 'omar']);
    expect(await accounts.token(row.id)).toEqual(row);
    expect(await accounts.tokens('nora')).toEqual([row]);
  });

  it('who is disabled gets no token', async () => {
    const { administration } = await household();
    await setUserDisabled(administration, 'nora', { disabled: true });
    expect((await refusalOf(createToken(administration, { user: 'nora' }))).code).toBe('invalid_input');
    expect((await refusalOf(createToken(administration, { user: 'nobody' }))).code).toBe('not_found');
  });
});

describe('a token', () => {
  it('is found by its id, its beginning or itself, and not by the beginning of several', async () => {
    const { administration } = await household();
    const made = [];
    for (let count = 0; count < 3; count++) made.push(await createToken(administration, { user: 'nora' }));
    const [first, second, third] = made.map(({ token, row }) => ({ token, id: row.id }));
    const ambiguous = await refusalOf(revokeToken(administration, 'tk_'));
    expect(ambiguous.code).toBe('invalid_input');
    for (const { row } of made) expect(ambiguous.message).toContain(row.id);
    expect((await revokeToken(administration, String(first?.id))).id).toBe(first?.id);
    expect((await revokeToken(administration, String(second?.token.slice(0, 12)))).id).toBe(second?.id);
    expect((await revokeToken(administration, String(third?.token))).id).toBe(third?.id);
    for (const unknown of ['', 'tk_unknown', 'tok_unknown']) {
      expect((await refusalOf(revokeToken(administration, unknown))).code).toBe('not_found');
    }
  });

  it('keeps the time it was revoked first', async () => {
    const { administration } = await household();
    const { row } = await createToken(administration, { user: 'nora' });
    const { revoked_at } = await revokeToken(administration, row.id);
    const later = { ...administration, now: () => '2100-01-01T00:00:00.000Z' };
    expect((await revokeToken(later, row.id)).revoked_at).toBe(revoked_at);
    expect((await refusalOf(rotateToken(administration, row.id))).code).toBe('invalid_input');
  });

  it('is rotated under its id, for as long as before', async () => {
    const { administration } = await household();
    const start = { ...administration, now: () => '2026-01-01T00:00:00.000Z' };
    const { token, row } = await createToken(start, { user: 'nora', lifetime: 86_400_000 });
    const next = { ...administration, now: () => '2026-03-01T00:00:00.000Z' };
    const rotated = await rotateToken(next, row.id);
    expect(rotated.token).not.toBe(token);
    expect(rotated.row).toMatchObject({ id: row.id, expires_at: '2026-03-02T00:00:00.000Z' });
  });

  it.each([[['memory:all']], [[]], [['']]])('is not made with the scopes %j', async (scopes) => {
    const { administration } = await household();
    expect((await refusalOf(createToken(administration, { user: 'nora', scopes }))).code).toBe('invalid_input');
  });
});

describe('a project', () => {
  it('has an owner who stays its admin', async () => {
    const { administration, accounts } = await household();
    await createProject(administration, { id: 'team', owner: 'nora' });
    expect((await refusalOf(createProject(administration, { id: 'team', owner: 'omar' }))).code).toBe(
      'duplicate_conflict',
    );
    const place = { projectId: 'team', user: 'nora' };
    expect((await refusalOf(removeMember(administration, place))).code).toBe('conflict');
    expect((await refusalOf(changeRole(administration, { ...place, role: 'reader' }))).code).toBe('conflict');
    expect((await refusalOf(addMember(administration, { ...place, role: 'reader' }))).code).toBe('conflict');
    expect(await accounts.membersOf('team')).toMatchObject([{ user_id: 'nora', role: 'admin' }]);
  });

  // Reference bug 34: a member could be added to a project that does not exist.
  it('must exist to have members, and they must exist too', async () => {
    const { administration } = await household();
    await createProject(administration, { id: 'team', owner: 'nora' });
    const add = (projectId: string, user: string, role = 'reader') =>
      refusalOf(addMember(administration, { projectId, user, role }));
    expect((await add('no-team', 'omar')).code).toBe('not_found');
    expect((await add('team', 'nobody')).code).toBe('not_found');
    expect((await add('team', 'omar', 'boss')).code).toBe('invalid_input');
    expect((await refusalOf(removeMember(administration, { projectId: 'team', user: 'omar' }))).code).toBe('not_found');
  });

  it('cannot have other members if it is private', async () => {
    const { administration, accounts } = await household();
    const projectId = String((await accounts.user('nora'))?.default_project_id);
    const adding = addMember(administration, { projectId, user: 'omar', role: 'reader' });
    expect((await refusalOf(adding)).code).toBe('conflict');
  });

  it.each(['', 'a:b', '../x', 'x'.repeat(129), 'default'])('is not called %j', async (id) => {
    const { administration } = await household();
    expect((await refusalOf(createProject(administration, { id, owner: 'nora' }))).code).toBe('invalid_input');
  });
});

describe('the audit log', () => {
  it('lists events, newest first, and filters by user, kind and time', async () => {
    const { administration } = await household();
    await createProject(administration, { id: 'team', owner: 'nora' });
    await addMember(administration, { projectId: 'team', user: 'omar', role: 'reader' });
    await changeRole(administration, { projectId: 'team', user: 'omar', role: 'writer' });
    const { audit } = administration;
    const events = async (filter: { userId?: string; event?: string; from?: string }) =>
      (await audit.newest({ ...filter, limit: 10 })).map(({ event }) => event);
    expect(await events({ userId: 'omar' })).toEqual(['role_changed', 'member_added', 'user_created']);
    expect(await events({ event: 'project_created' })).toEqual(['project_created']);
    expect(await events({ from: '2100-01-01T00:00:00.000Z' })).toEqual([]);
  });

  it('counts what comes by the thousand', async () => {
    const { administration, flush } = await someAccounts();
    for (let count = 0; count < 1_000; count++) {
      administration.audit.count({ event: 'access_denied', userId: `user-${count}` });
      administration.audit.count({ event: 'token_refused', reason: 'unknown' });
    }
    await flush();
    const rows = await administration.audit.newest({ limit: 1_000 });
    expect(rows.length).toBeLessThan(210);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(2_000);
  });
});
