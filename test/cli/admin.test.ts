import { describe, expect, it } from 'vitest';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import { accountsIn } from '../support/accounts.js';
import { aFolder, start, threadkeep, threadkeepJson } from './threadkeep.js';

const config = { 'config.yaml': 'api: { auth: bearer_token, port: 0 }\nproviders: { vector_db: memory }\n' };

/** A folder with the users nora and omar and a token of each, made without a process each. */
async function household() {
  const folder = await aFolder(config);
  const { administration } = await accountsIn(folder);
  const make = async (user: string) => {
    await createUser(administration, { name: user });
    const { token, row } = await createToken(administration, { user });
    return { token, id: row.id };
  };
  return { folder, nora: await make('nora'), omar: await make('omar') };
}

describe('admin user', () => {
  it('creates, lists, disables and enables', async () => {
    const folder = await aFolder(config);
    const created = await threadkeepJson(folder, ['admin', 'user', 'create', 'nora', '--display-name', 'Nora Lind']);
    expect(created).toMatchObject({ code: 0, json: { user: { name: 'nora', display_name: 'Nora Lind' } } });
    expect(await threadkeepJson(folder, ['admin', 'user', 'create', 'nora'])).toMatchObject({
      code: 1,
      json: { error_code: 'duplicate_conflict' },
    });
    await threadkeep(folder, ['admin', 'user', 'disable', 'nora']);
    const listed = await threadkeep(folder, ['admin', 'user', 'list']);
    expect(listed.stdout).toMatch(/^nora {2}Nora Lind {2}created .* {2}disabled /);
    const enabled = await threadkeepJson(folder, ['admin', 'user', 'enable', 'nora']);
    expect((enabled.json.user as object | undefined) ?? {}).not.toHaveProperty('disabled_at');
  });
});

describe('admin token', () => {
  it('prints the token once and afterwards only its id and prefix', async () => {
    const { folder, nora } = await household();
    expect(nora.token).toMatch(/^tk_[A-Za-z0-9_-]{43}$/);
    const listed = await threadkeep(folder, ['admin', 'token', 'list', '--user', 'nora']);
    expect(listed.stdout).toContain(`${nora.id}  ${nora.token.slice(0, 12)}  nora`);
    expect(listed.stdout).not.toContain(nora.token);
    const { json } = await threadkeepJson(folder, ['admin', 'token', 'list']);
    expect(json.results).toHaveLength(2);
    expect(JSON.stringify(json)).not.toMatch(/hash/);
  });

  it('prints the token alone where no text is wanted', async () => {
    const { folder, nora } = await household();
    const one = await threadkeep(folder, ['admin', 'token', 'create', '--user', 'nora', '--quiet']);
    expect(one).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^tk_[A-Za-z0-9_-]{43}\n$/) });
    const other = await threadkeep(folder, ['--quiet', 'admin', 'token', 'rotate', nora.id]);
    expect(other).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^tk_[A-Za-z0-9_-]{43}\n$/) });
    for (const { stdout } of [one, other]) {
      const environment = { THREADKEEP_TOKEN: stdout.trim() };
      expect((await threadkeepJson(folder, ['search', 'x'], { environment })).code).toBe(0);
    }
    const given = ['admin', 'token', 'create', '--user', 'nora', '--raw-token-stdin', '--quiet'];
    const silent = await threadkeep(folder, given, { stdin: `tk_${'a1'.repeat(21)}b` });
    expect(silent).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('limits it to scopes and a time', async () => {
    const { folder } = await household();
    const args = ['admin', 'token', 'create', '--user', 'nora', '--scopes', 'memory:write', '--expires-in', '90d'];
    const { json } = await threadkeepJson(folder, args);
    const record = json.token_record as { scopes: string[]; created_at: string; expires_at: string };
    expect(record.scopes).toEqual(['memory:write']);
    expect(Date.parse(record.expires_at) - Date.parse(record.created_at)).toBe(90 * 86_400_000);
    for (const wrong of [
      ['--scopes', 'memory:all'],
      ['--expires-in', 'soon'],
    ]) {
      const refused = await threadkeepJson(folder, ['admin', 'token', 'create', '--user', 'nora', ...wrong]);
      expect(refused.json).toMatchObject({ error_code: 'invalid_input' });
      expect(refused.code).toBe(wrong.includes('--scopes') ? 2 : 1);
    }
  });

  it('registers one from elsewhere without printing it', async () => {
    const { folder } = await household();
    const old = 'amh_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const args = ['admin', 'token', 'create', '--user', 'nora', '--raw-token-stdin'];
    const made = await threadkeep(folder, [...args, '--json'], { stdin: `${old}\n` });
    expect(made.code).toBe(0);
    expect(made.stdout).not.toContain(old);
    expect((await threadkeep(folder, args, { stdin: old })).stderr).toContain('already registered');
    const found = await threadkeepJson(folder, ['search', 'x'], { environment: { THREADKEEP_TOKEN: old } });
    expect(found.code).toBe(0);
  });

  it('revokes and rotates', async () => {
    const { folder, nora, omar } = await household();
    expect((await threadkeep(folder, ['admin', 'token', 'revoke', nora.id])).stdout).toContain(`Revoked ${nora.id}`);
    const rotated = await threadkeepJson(folder, ['admin', 'token', 'rotate', omar.token.slice(0, 12)]);
    expect(rotated).toMatchObject({ code: 0, json: { token_record: { token_id: omar.id } } });
    expect(rotated.json.token).not.toBe(omar.token);
    expect((await threadkeepJson(folder, ['admin', 'token', 'revoke', 'tk_nothing'])).json.error_code).toBe(
      'not_found',
    );
  });

  it('is not made in a dry run, which could not keep it', async () => {
    const environment = { THREADKEEP_STORAGE__DRY_RUN: 'true' };
    const folder = await aFolder(config);
    const { code, json } = await threadkeepJson(folder, ['admin', 'user', 'create', 'nora'], { environment });
    expect({ code, error: json.error_code }).toEqual({ code: 1, error: 'invalid_input' });
  });
});

describe('admin project', () => {
  it('creates, adds, changes and removes members, and lists', async () => {
    const { folder } = await household();
    const run = (...args: string[]) => threadkeepJson(folder, ['admin', 'project', ...args]);
    expect((await run('create', 'team-x', '--owner', 'nora', '--name', 'Team X')).code).toBe(0);
    expect((await run('member', 'add', 'team-x', '--user', 'omar', '--role', 'boss')).code).toBe(2);
    await run('member', 'add', 'team-x', '--user', 'omar', '--role', 'writer');
    const changed = await run('member', 'role', 'team-x', '--user', 'omar', '--role', 'reader');
    expect(changed.json.member).toMatchObject({ user_id: 'omar', role: 'reader' });
    const { results } = (await run('list', '--user', 'omar')).json;
    expect(results).toHaveLength(2);
    expect(results).toContainEqual(expect.objectContaining({ id: 'team-x', name: 'Team X', role: 'reader' }));
    await run('member', 'remove', 'team-x', '--user', 'omar');
    expect((await run('member', 'list', 'team-x')).json.results).toMatchObject([{ user_id: 'nora', role: 'admin' }]);
  });
});

describe('a command with a token', () => {
  it('acts for its user alone, and one without for the local user', async () => {
    const { folder, nora, omar } = await household();
    const note = JSON.stringify({ messages: [{ role: 'user', text: 'my canoe is green' }] });
    const environment = { THREADKEEP_TOKEN: nora.token };
    const saved = await threadkeepJson(folder, ['ingest', '-'], { stdin: note, environment });
    const id = String(saved.json.id);
    const look = (token?: string) =>
      threadkeepJson(folder, ['retrieve', id, ...(token === undefined ? [] : ['--token', token])]);
    expect((await look(nora.token)).code).toBe(0);
    expect((await look(omar.token)).json.error_code).toBe('not_found');
    expect((await look()).json.error_code).toBe('not_found');
    const wrong = await look('tk_wrong_wrong_wrong');
    expect(wrong).toMatchObject({ code: 1, json: { error_code: 'unauthenticated' } });
    expect(JSON.stringify(wrong)).not.toContain('tk_wrong');
  });

  it('is refused where a token means nothing', async () => {
    const { code, stderr } = await threadkeep(await aFolder(config), ['admin', 'user', 'list', '--token', 'x']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('takes no --token') });
  });
});

describe('a running server', () => {
  it('follows what the command line changes from the next request on', async () => {
    const { folder, nora, omar } = await household();
    const server = start(folder, ['serve', '--json']);
    const { url } = JSON.parse(await server.firstOutput()) as { url: string };
    const status = async (token: string, path: string) =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;
    await threadkeep(folder, ['admin', 'project', 'create', 'team-x', '--owner', 'nora']);
    expect(await status(nora.token, '/memory/projects/team-x')).toBe(200);
    expect(await status(omar.token, '/memory/projects/team-x')).toBe(403);
    await threadkeep(folder, ['admin', 'project', 'member', 'add', 'team-x', '--user', 'omar', '--role', 'reader']);
    expect(await status(omar.token, '/memory/projects/team-x')).toBe(200);
    await threadkeep(folder, ['admin', 'project', 'member', 'remove', 'team-x', '--user', 'omar']);
    expect(await status(omar.token, '/memory/projects/team-x')).toBe(403);
    await threadkeep(folder, ['admin', 'token', 'revoke', omar.id]);
    expect(await status(omar.token, '/memory/projects')).toBe(401);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    const { stdout } = await threadkeep(folder, ['admin', 'audit', '--user', 'omar']);
    for (const event of [
      'user_created',
      'token_created',
      'token_first_used',
      'member_added',
      'access_denied',
      'token_revoked',
    ]) {
      expect(stdout).toContain(event);
    }
  });
});
