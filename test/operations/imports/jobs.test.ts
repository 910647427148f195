import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addMember, createProject, removeMember } from '../../../src/auth/projects.js';
import { createToken, revokeToken } from '../../../src/auth/tokens.js';
import type { ImportJob } from '../../../src/operations/imports/job.js';
import { aUser, bearer } from '../../support/accounts.js';
import { invented } from '../../support/conversation.js';
import { createFaults } from '../../support/faults/faults.mjs';
import { aFolder, aService, type Body, startService, type TestService } from '../../support/service.js';

const patience = { timeout: 60_000, interval: 20 };

/** An export of so many conversations; `seed` makes it another one. */
function chats(count: number, seed = 0): string {
  return JSON.stringify(
    Array.from({ length: count }, (_, number) => ({
      id: `chat-${seed}-${number}`,
      title: `Chat ${number}`,
      created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
      messages: [
        { role: 'user', text: invented(seed * 10_000 + number, 8) },
        { role: 'assistant', text: invented(seed * 10_000 + number + 5_000, 12) },
      ],
    })),
  );
}

async function create(
  service: TestService,
  body: string,
  { query = '', token }: { query?: string; token?: string } = {},
) {
  const headers = {
    'content-type': 'application/octet-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return service.send(`/memory/imports${query}`, { method: 'POST', headers, body });
}

function jobIn({ body }: { body: Body }): ImportJob {
  return body.job as ImportJob;
}

async function job(service: TestService, id: string, token?: string): Promise<ImportJob> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return jobIn(await service.send(`/memory/imports/${id}`, { headers }));
}

/** The job once it has ended. */
async function ended(service: TestService, id: string, token?: string): Promise<ImportJob> {
  await expect.poll(async () => (await job(service, id, token)).state, patience).toMatch(/^(done|failed|cancelled)$/);
  return job(service, id, token);
}

async function conversations(service: TestService): Promise<number> {
  const { body } = await service.request('/memory/conversations/list', { limit: 1 });
  return Number(body.total);
}

describe('an import in the background', () => {
  it('stores the export, recognised by its content, and tells what it did', async () => {
    const service = await aService({}, { inFolder: true });
    const created = await create(service, chats(70), { query: '?filename=chats.json' });
    expect(created).toMatchObject({ status: 200, body: { status: 'ok', job: { state: 'queued', format: 'auto' } } });
    const { id } = jobIn(created);
    const done = await ended(service, id);
    expect(done).toMatchObject({
      id,
      total: 70,
      state: 'done',
      filename: 'chats.json',
      bytes: Buffer.byteLength(chats(70)),
      dry_run: false,
      resumed: 0,
      report: { read: 70, imported: 70, duplicates: 0, skipped: 0, messages: 140 },
    });
    expect(await conversations(service)).toBe(70);
    const { body } = await service.send('/memory/imports');
    expect((body.results as ImportJob[]).map((each) => each.id)).toEqual([id]);
    // Nothing of what was sent is kept beside the memory itself.
    expect(await readdir(join(service.config.paths.dataDir, 'imports', id))).not.toContain('upload.json');
    expect(JSON.stringify(done)).not.toMatch(/owner|digest|position/);
  });

  it('adds nothing when the same file comes again, and is one job while it runs', async () => {
    const service = await aService();
    const [first, same] = [await create(service, chats(60)), await create(service, chats(60))];
    expect(jobIn(same).id).toBe(jobIn(first).id);
    await ended(service, jobIn(first).id);
    const again = await ended(service, jobIn(await create(service, chats(60))).id);
    expect(again.id).not.toBe(jobIn(first).id);
    expect(again.report).toMatchObject({ read: 60, imported: 0, duplicates: 60 });
    expect(await conversations(service)).toBe(60);
  });

  it('counts only, where that is asked for', async () => {
    const service = await aService();
    const counted = await ended(service, jobIn(await create(service, chats(3), { query: '?dry_run=true' })).id);
    expect(counted).toMatchObject({ state: 'done', dry_run: true, report: { imported: 3, dry_run: true } });
    expect(await conversations(service)).toBe(0);
  });

  it('refuses at once what it cannot read, what is too large and a project of others', async () => {
    const service = await aService({ limits: { max_import_bytes: 2_000 } });
    expect(await create(service, 'no export at all')).toMatchObject({
      status: 400,
      body: { error_code: 'invalid_input', error_message: expect.stringContaining('format was not recognised') },
    });
    expect(await create(service, chats(1), { query: '?format=abacus' })).toMatchObject({ status: 400 });
    expect(await create(service, chats(30))).toMatchObject({
      status: 413,
      body: { error_code: 'payload_too_large', error_message: expect.stringContaining('limits.max_import_bytes') },
    });
    expect(await create(service, chats(1), { query: '?project_id=theirs' })).toMatchObject({
      status: 403,
      body: { error_message: 'project access denied' },
    });
    expect((await service.send('/memory/imports')).body.results).toEqual([]);
  });

  it('can be cancelled, and keeps what it has stored', async () => {
    const service = await aService();
    const { id } = jobIn(await create(service, chats(400)));
    const waiting = jobIn(await create(service, chats(5, 1)));
    await expect.poll(async () => (await job(service, id)).report.read, patience).toBeGreaterThan(0);
    const cancelled = jobIn(await service.request('/memory/imports/cancel', { import_id: id }));
    expect(cancelled).toMatchObject({ id, state: 'cancelled', report: { interrupted: true } });
    expect(cancelled.report.imported).toBeLessThan(400);
    const { imported } = (await ended(service, waiting.id)).report;
    expect(imported).toBe(5);
    expect(await conversations(service)).toBe(cancelled.report.imported + imported);
    // It has ended: nothing to do.
    expect(jobIn(await service.request('/memory/imports/cancel', { import_id: id })).state).toBe('cancelled');
  });

  it('says when too many wait', async () => {
    const faults = createFaults();
    const service = await aService({}, { around: faults.around });
    // The first one does not get on, and the others wait for it.
    faults.set({ on: 'embedder.embed', fault: 'hang' });
    const ids: string[] = [];
    for (let seed = 0; seed < 20; seed++) ids.push(jobIn(await create(service, chats(1, seed))).id);
    expect(await create(service, chats(1, 99))).toMatchObject({
      status: 429,
      body: { error_code: 'rate_limited', error_message: expect.stringMatching(/^20 of your imports/) },
    });
    for (const id of ids.slice(1)) await service.request('/memory/imports/cancel', { import_id: id });
    faults.clear();
    expect((await create(service, chats(1, 99))).status).toBe(200);
  });
});

describe('a service that stops', () => {
  it('continues the import where it stopped at its next start', async () => {
    const folder = await aFolder();
    const first = await startService({}, { folder });
    const { id } = jobIn(await create(first, chats(300)));
    const waiting = jobIn(await create(first, chats(4, 1)));
    await expect.poll(async () => (await job(first, id)).report.read, patience).toBeGreaterThan(20);
    await first.close();
    const second = await aService({}, { folder });
    const done = await ended(second, id);
    // It came to rest in order: nothing is counted twice.
    expect(done).toMatchObject({
      state: 'done',
      resumed: 1,
      report: { read: 300, imported: 300, duplicates: 0, messages: 600 },
    });
    expect(done.report.interrupted).toBeUndefined();
    expect(await ended(second, waiting.id)).toMatchObject({ state: 'done', resumed: 0, report: { imported: 4 } });
    expect(await conversations(second)).toBe(304);
  });
});

describe('the imports of others', () => {
  it('are not there', async () => {
    const service = await aService(bearer);
    const [nora, otto] = [await aUser(service, 'nora'), await aUser(service, 'otto')];
    const { id } = jobIn(await create(service, chats(2), { token: nora.token }));
    await ended(service, id, nora.token);
    expect((await otto.get('/memory/imports')).body.results).toEqual([]);
    for (const answer of [
      await otto.get(`/memory/imports/${id}`),
      await otto.post('/memory/imports/cancel', { import_id: id }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error_code: 'not_found' } });
    }
    const { body } = await nora.post('/memory/search', { query: invented(0, 8), top_k: 1 });
    expect(body.results).toHaveLength(1);
    const theirs = await otto.post('/memory/search', { query: invented(0, 8), top_k: 1 });
    expect(theirs.body.results).toEqual([]);
  });

  it('need the scope of saving', async () => {
    const service = await aService(bearer);
    const reader = await aUser(service, 'nora', ['memory:read']);
    expect(await create(service, chats(1), { token: reader.token })).toMatchObject({
      status: 403,
      body: { error_code: 'insufficient_scope', required_scope: 'memory:write' },
    });
    expect((await reader.get('/memory/imports')).status).toBe(403);
  });

  it('end when their user is taken out of the project', async () => {
    const service = await aService(bearer);
    const { administration } = service.runtime.access;
    await aUser(service, 'olga');
    const nora = await aUser(service, 'nora');
    await createProject(administration, { id: 'team', owner: 'olga' });
    await addMember(administration, { projectId: 'team', user: 'nora', role: 'writer' });
    const { id } = jobIn(await create(service, chats(400), { token: nora.token, query: '?project_id=team' }));
    await expect.poll(async () => (await job(service, id, nora.token)).report.read, patience).toBeGreaterThan(0);
    await removeMember(administration, { projectId: 'team', user: 'nora' });
    const failed = await ended(service, id, nora.token);
    expect(failed.state).toBe('failed');
    expect(failed.report.imported).toBeLessThan(400);
  });

  it('end when their token expires', async () => {
    const service = await aService(bearer);
    const other = await aUser(service, 'nora');
    const { administration } = service.runtime.access;
    const { token } = await createToken(administration, { user: 'nora', lifetime: 3_600_000 });
    const { id } = jobIn(await create(service, chats(400), { token }));
    await expect.poll(async () => (await job(service, id, other.token)).report.read, patience).toBeGreaterThan(0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const failed = await ended(service, id, other.token);
    expect(failed).toMatchObject({ state: 'failed', error: { error_code: 'unauthenticated' } });
    expect(failed.report.imported).toBeLessThan(400);
  });

  it('end when their token is revoked', async () => {
    const service = await aService(bearer);
    const [nora, other] = [await aUser(service, 'nora'), await aUser(service, 'nora')];
    const { id } = jobIn(await create(service, chats(400), { token: nora.token }));
    await expect.poll(async () => (await job(service, id, other.token)).report.read, patience).toBeGreaterThan(0);
    await revokeToken(service.runtime.access.administration, nora.tokenId);
    const failed = await ended(service, id, other.token);
    expect(failed).toMatchObject({ state: 'failed', error: { error_code: 'unauthenticated' } });
    expect(failed.report.imported).toBeLessThan(400);
  });
});
