import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aConversation, aNote } from '../support/conversation.js';
import { aFolder, aService, startService } from '../support/service.js';

async function startIn(folder: string): Promise<unknown> {
  try {
    await (await startService({}, { folder })).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a data folder that cannot be used', () => {
  it('is named at the start when it is a file', async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, 'data'), 'not a folder');
    expect(await startIn(folder)).toMatchObject({
      code: 'data_unusable',
      message: `The data folder ${join(folder, 'data')} cannot be used.`,
      hint: expect.stringContaining('may write to it'),
    });
  });

  it('says which file to delete when its lock is damaged', async () => {
    const folder = await aFolder();
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'in-use.lock'), 'no database '.repeat(500));
    expect(await startIn(folder)).toMatchObject({
      code: 'data_unusable',
      hint: expect.stringContaining('Delete in-use.lock'),
    });
  });

  it('says what to do when the metadata database is damaged', async () => {
    const folder = await aFolder();
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'metadata.sqlite3'), 'no database '.repeat(500));
    expect(await startIn(folder)).toMatchObject({
      code: 'driver_unavailable',
      message: 'The metadata database is damaged or not a database.',
      hint: expect.stringContaining('threadkeep restore'),
    });
  });

  it('is made for its owner alone', async () => {
    const folder = await aFolder();
    expect(await startIn(folder)).toBeUndefined();
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  });
});

describe('a data folder that goes away while the server runs', () => {
  it.skipIf(process.platform === 'win32')('rejects what would be lost with it, with the reason', async () => {
    const service = await aService({}, { inFolder: true });
    const kept = await service.insert(aConversation());
    rmSync(join(service.folder, 'data'), { recursive: true });
    expect(await service.request('/memory/insert', aNote('This must not be acknowledged.'))).toMatchObject({
      status: 503,
      body: {
        error_code: 'metadata_unavailable',
        error_message: expect.stringContaining('was moved or deleted while it was open'),
      },
    });
    expect(existsSync(join(service.folder, 'data', 'metadata.sqlite3'))).toBe(false);
    expect((await service.request('/memory/retrieve', { id: kept.id })).status).toBe(200);
  });

  it.skipIf(process.platform === 'win32')('writes the digests of what was saved before, once it is back', async () => {
    const service = await aService({}, { inFolder: true });
    const { digests, records } = service.service;
    await service.insert(aConversation({ title: 'Before' }));
    const data = join(service.folder, 'data');
    renameSync(data, `${data}.away`);
    await digests.flush();
    expect(service.logLines.filter((line) => line.includes('digest_refresh_failed'))).toHaveLength(1);
    renameSync(`${data}.away`, data);
    await digests.flush();
    expect(await records.summaries.find('local-default', 'project')).toMatchObject([
      { text: 'local-default: 1 conversation; latest: Before' },
    ]);
  });

  it.skipIf(process.platform === 'win32')('continues when it is restored', async () => {
    const service = await aService({}, { inFolder: true });
    await service.insert(aConversation());
    const data = join(service.folder, 'data');
    renameSync(data, `${data}.away`);
    expect((await service.request('/memory/insert', aNote('A note.'))).status).toBe(503);
    renameSync(`${data}.away`, data);
    expect((await service.request('/memory/insert', aNote('A note.'))).status).toBe(200);
  });
});
