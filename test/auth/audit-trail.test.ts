import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp, restoreBackup } from '../../src/app/backup.js';
import { addMember, createProject } from '../../src/auth/projects.js';
import { openRecords } from '../../src/records/open.js';
import { threadkeepJson } from '../cli/threadkeep.js';
import { aUser, bearer, callsWith, type TestUser } from '../support/accounts.js';
import { aNote, invented } from '../support/conversation.js';
import { aFolder, configIn, startService, type TestService } from '../support/service.js';

let service: TestService;
let owner: TestUser;
let writer: TestUser;
beforeAll(async () => {
  service = await startService({ ...bearer, memory: { insert_policy: 'review_pending' } }, { inFolder: true });
  owner = await aUser(service, 'olga');
  writer = await aUser(service, 'walt');
  const { administration } = service.runtime.access;
  await createProject(administration, { id: 'team', owner: 'olga' });
  await addMember(administration, { projectId: 'team', user: 'walt', role: 'writer' });
});
afterAll(() => service.close());

let made = 0;
async function saved(user: TestUser, place: object = { project_id: 'team' }, intent = true): Promise<string> {
  const metadata = intent ? { save_intent: 'explicit_user_request' } : {};
  const { body } = await user.post('/memory/insert', { ...aNote(invented(made++), { metadata }), ...place });
  return String(body.id);
}

const forget = (user: TestUser, body: object) =>
  user.post('/memory/forget', { project_id: 'team', dry_run: false, ...body });

/** The newest but for the first use of a token, which is written behind and at any time. */
const newest = async () =>
  (await service.service.audit.newest({ limit: 10 })).find(({ event }) => event !== 'token_first_used');

describe('in a shared project', () => {
  it('a writer cannot erase what another user saved', async () => {
    const id = await saved(owner);
    for (const dry_run of [true, false]) {
      const { status, body } = await forget(writer, { ids: [id], dry_run });
      expect({ status, message: body.error_message }).toEqual({ status: 403, message: 'project access denied' });
    }
    expect((await owner.post('/memory/retrieve', { id, project_id: 'team' })).status).toBe(200);
  });

  it('a writer erases their own, also where a filter matches more', async () => {
    const [theirs, own] = [await saved(owner), await saved(writer)];
    const { body } = await forget(writer, { source: 'chatgpt' });
    expect(body).toMatchObject({ status: 'ok', conversations: 1, examples: [{ id: own }] });
    expect((await owner.post('/memory/retrieve', { id: own, project_id: 'team' })).status).toBe(404);
    expect((await owner.post('/memory/retrieve', { id: theirs, project_id: 'team' })).status).toBe(200);
  });

  it('an admin erases everything', async () => {
    const id = await saved(writer);
    expect((await forget(owner, { ids: [id] })).body).toMatchObject({ conversations: 1 });
  });
});

describe('the audit log', () => {
  it('records who forgot what, without any of its text', async () => {
    const id = await saved(writer);
    await forget(writer, { ids: [id] });
    expect(await newest()).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      event: 'memory_forgotten',
      user_id: 'walt',
      token_id: writer.tokenId,
      project_id: 'team',
      targets: [id],
      count: 1,
    });
  });

  it('is silent about a dry run', async () => {
    const before = await newest();
    await forget(owner, { ids: [await saved(owner)], dry_run: true });
    expect(await newest()).toEqual(before);
  });

  it('has a line for an export and for an import', async () => {
    await owner.get('/memory/export');
    expect(await newest()).toMatchObject({ event: 'memory_exported', user_id: 'olga', token_id: owner.tokenId });
    const conversation = aNote(invented(9_999));
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/x-ndjson' };
    const body = `${JSON.stringify({ type: 'conversation', conversation })}\n`;
    await service.send('/memory/import?format=threadkeep', { method: 'POST', headers, body });
    expect(await newest()).toMatchObject({ event: 'memory_imported', user_id: 'olga', count: 1 });
  });

  it('has a line for each decision of a review', async () => {
    for (const [verb, event] of [
      ['approve', 'review_approved'],
      ['reject', 'review_rejected'],
    ] as const) {
      const id = await saved(owner, {}, false);
      expect((await owner.post(`/memory/pending/${verb}`, { id })).status).toBe(200);
      expect(await newest()).toMatchObject({ event, user_id: 'olga', targets: [id] });
    }
  });

  it('has a line for superseding a fact and for taking it back', async () => {
    const metadata = { save_intent: 'explicit_user_request' };
    for (const text of ['I drive a Volvo.', 'I drive a Honda.']) {
      await owner.post('/memory/insert', aNote(text, { metadata }));
    }
    const found = await owner.post('/memory/facts/search', { predicate: 'owns_car' });
    const [fact_id = '', superseded_by = ''] = (found.body.results as { id: string }[]).map(({ id }) => id);
    await owner.post('/memory/facts/supersede', { fact_id, superseded_by });
    expect(await newest()).toMatchObject({
      event: 'fact_superseded',
      user_id: 'olga',
      targets: [fact_id, superseded_by],
    });
    await owner.post('/memory/facts/restore', { fact_id });
    expect(await newest()).toMatchObject({ event: 'fact_restored', user_id: 'olga', targets: [fact_id] });
  });

  it('has a line for every change of a fact by hand', async () => {
    const added = await owner.post('/memory/facts', { predicate: 'owns_boat', value: 'a dinghy' });
    const id = String(added.body.id);
    expect(await newest()).toMatchObject({ event: 'fact_added', user_id: 'olga', targets: [id] });
    for (const [verb, event] of [
      ['pin', 'fact_pinned'],
      ['unpin', 'fact_unpinned'],
      ['retract', 'fact_retracted'],
      ['undo', 'fact_change_undone'],
    ]) {
      expect((await owner.post(`/memory/facts/${id}/${verb}`, {})).status).toBe(200);
      expect(await newest()).toMatchObject({ event, user_id: 'olga', targets: [id] });
    }
    const metadata = { save_intent: 'explicit_user_request' };
    const spoken = await owner.post('/memory/insert', aNote('I live in Turku.', { metadata }));
    const homes = await owner.post('/memory/facts/search', { predicate: 'profile_location', query: 'Turku' });
    const [home] = homes.body.results as { id: string }[];
    const detached = await owner.post(`/memory/facts/${home?.id}/detach`, { conversation_id: spoken.body.id });
    expect(detached).toMatchObject({ status: 200 });
    expect(await newest()).toMatchObject({ event: 'fact_source_detached', targets: [home?.id] });
    const corrected = await owner.post(`/memory/facts/${id}/correct`, { value: 'a canoe' });
    expect(await newest()).toMatchObject({ event: 'fact_corrected', targets: [id, corrected.body.id] });
  });

  it('records who changed members and tokens', async () => {
    await aUser(service, 'nils');
    const place = { project_id: 'team', user: 'nils' };
    await owner.post('/memory/projects/members/set', { ...place, role: 'reader' });
    expect(await newest()).toMatchObject({ event: 'member_added', user_id: 'nils', actor_id: 'olga' });
    await owner.post('/memory/projects/members/remove', place);
    expect(await newest()).toMatchObject({ event: 'member_removed', user_id: 'nils', actor_id: 'olga' });
    const spare = await aUser(service, 'olga');
    await callsWith(service, owner.token).post('/memory/tokens/revoke', { token_id: spare.tokenId });
    expect(await newest()).toMatchObject({ event: 'token_revoked', user_id: 'olga', token_id: spare.tokenId });
    const events = (await service.service.audit.newest({ userId: 'olga', limit: 100 })).map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['member_added', 'member_removed', 'token_revoked']));
  });

  it('is filtered by event and by user on the command line', async () => {
    const rows = async (...filters: string[]) => {
      const { json } = await threadkeepJson(service.folder, ['admin', 'audit', ...filters]);
      return json.results as { event: string; user_id?: string }[];
    };
    const forgotten = await rows('--event', 'memory_forgotten', '--user', 'walt');
    expect(forgotten.length).toBeGreaterThan(0);
    expect(new Set(forgotten.map(({ event, user_id }) => `${event} ${user_id}`))).toEqual(
      new Set(['memory_forgotten walt']),
    );
    const shown = JSON.stringify(await rows());
    for (let each = 0; each < made; each++) expect(shown).not.toContain(invented(each).split(' ')[0]);
  });
});

describe('a backup', () => {
  it('and its restoring leave a line each', async () => {
    const observer = { log() {}, count() {}, duration() {} };
    const [from, to] = [await aFolder(), await aFolder()];
    const file = join(from, 'memory.tkbackup');
    await backUp(await configIn(from), observer, { file });
    const config = await configIn(to);
    await restoreBackup(config, observer, { file });
    const { openMetadata } = await import('../../src/app/open-metadata.js');
    const store = await openMetadata(config, { log() {} });
    const { audit } = openRecords(store, () => new Date().toISOString());
    expect((await audit.newest({ limit: 10 })).map(({ event }) => event)).toEqual(['backup_restored', 'backup_made']);
    await store.close();
    await rm(file);
  });
});
