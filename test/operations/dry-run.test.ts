import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aConversation, aNote } from '../support/conversation.js';
import { aFolder, aService, startService } from '../support/service.js';

const dry = { storage: { dry_run: true } };

describe('a dry run', () => {
  it('answers an insert in the usual shape and leaves no file behind', async () => {
    const service = await aService({ ...dry, providers: { vector_db: 'lancedb' } });
    const outcome = await service.insert(aConversation());
    expect(outcome).toMatchObject({
      status: 'ok',
      memory_status: 'active',
      deduplicated: false,
      appended_messages: 0,
      chunks: 2,
    });
    expect((await service.request('/memory/retrieve', { id: outcome.id })).status).toBe(404);
    await service.runtime.close();
    expect(await readdir(service.folder)).toEqual([]);
  });

  // Reference bug 15: it wrote summaries, projects and appends.
  it('reads what is stored and changes nothing', async () => {
    const folder = await aFolder();
    const lance = { providers: { vector_db: 'lancedb' } } as const;
    const pending = { memory: { insert_policy: 'review_pending' } } as const;
    const before = await startService({ ...lance, ...pending }, { folder });
    const active = await before.insert(
      aConversation({ metadata: { save_intent: 'user_confirmed', upstream_thread_id: 't1' } }),
    );
    const waiting = await before.insert(aNote('The bicycle waits'));
    await before.close();

    const picture = await filesOf(join(folder, 'data'));
    const storage = { dry_run: true, allow_trusted_appends: true };
    const service = await startService({ ...lance, ...pending, storage }, { folder });
    expect((await service.search({ query: 'bicycle' })).results[0]).toMatchObject({ id: active.id });
    const longer = aConversation();
    longer.messages.push({ role: 'user', text: 'Thank you' });
    expect(
      await service.insert({ ...longer, metadata: { save_intent: 'user_confirmed', upstream_thread_id: 't1' } }),
    ).toMatchObject({
      id: active.id,
      appended_messages: 1,
    });
    expect(await service.insert(aConversation())).toMatchObject({ id: active.id, deduplicated: true });
    expect((await service.request('/memory/pending/approve', { id: waiting.id })).status).toBe(200);
    expect((await service.request('/memory/retrieve', { id: waiting.id })).status).toBe(404);
    const forgotten = await service.request('/memory/forget', { ids: [active.id], dry_run: false });
    expect(forgotten.body).toMatchObject({ dry_run: true, conversations: 1 });
    expect((await service.request('/memory/retrieve', { id: active.id })).status).toBe(200);
    const chats = JSON.stringify([{ messages: [{ role: 'user', text: 'Where is the pump?' }] }]);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: chats };
    const { body: imported } = await service.send('/memory/import?format=json', init);
    expect(imported).toMatchObject({ dry_run: true, imported: 1 });
    await service.close();
    expect(await filesOf(join(folder, 'data'))).toEqual(picture);
  });
});

/** Path and size of every file that holds data. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !/-(?:shm|wal)$/.test(entry.name));
  const described = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${(await stat(path)).size}`;
  });
  return (await Promise.all(described)).sort();
}
