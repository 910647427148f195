import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Server, startServer } from '../../crash/server.js';
import { aSmallDisk, whyNoDisk } from '../../support/small-disk.js';

const megabyte = 1024 * 1024;
vi.setConfig({ testTimeout: 240_000 });

function conversation(number: number) {
  return {
    source: 'hostile',
    title: `Number ${number}`,
    messages: [
      { role: 'user', text: `Question ${number}: ${'words that fill a disk '.repeat(400)}` },
      { role: 'assistant', text: `Answer ${number}.` },
    ],
  };
}

async function aServerIn(folder: string, options: { user?: number } = {}): Promise<Server> {
  const server = await startServer(folder, options);
  onTestFinished(() => server.kill());
  return server;
}

/** Inserts until the disk has refused several in a row; the ids that were acknowledged. */
async function fill(server: Server): Promise<{ ids: string[]; refusals: { status: number; message: unknown }[] }> {
  const ids: string[] = [];
  const refusals: { status: number; message: unknown }[] = [];
  for (let number = 0; refusals.length < 5; number++) {
    const { status, body } = await server.post('/memory/insert', conversation(number));
    if (status === 200) ids.push(String(body.id));
    else refusals.push({ status, message: body.error_message });
  }
  return { ids, refusals };
}

async function expectAllThere(server: Server, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await server.post('/memory/retrieve', { id })).status, id).toBe(200);
  await expect
    .poll(async () => (await server.get('/ready')).health, { timeout: 120_000 })
    .toMatchObject({ pending_chunks: 0 });
}

describe.skipIf(whyNoDisk !== undefined)('a full disk', () => {
  it('is named, loses nothing, still answers searches, and needs no restart once there is space', async () => {
    const { folder } = aSmallDisk(12);
    const server = await aServerIn(folder);
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(5 * megabyte));
    const { ids, refusals } = await fill(server);
    expect(ids.length).toBeGreaterThan(10);
    for (const { status, message } of refusals) {
      expect({ status, message }).toEqual({
        status: 503,
        message: expect.stringMatching(/The disk of the metadata store is full; .* Free some space and try again/),
      });
    }
    const found = await server.post('/memory/search', { query: 'Answer 3', top_k: 1, include_messages: false });
    expect(found.status).toBe(200);

    rmSync(join(folder, 'ballast'));
    const after = await server.post('/memory/insert', conversation(100_000));
    expect(after.status).toBe(200);
    await expectAllThere(server, [...ids, String(after.body.id)]);
    expect(await server.stop()).toBe(0);
  });

  it('may last through a crash: the next start with space has everything', async () => {
    const { folder } = aSmallDisk(12);
    const first = await aServerIn(folder);
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(5 * megabyte));
    const { ids } = await fill(first);
    await first.kill();
    // Without any space at all it may start or say why not; either way it changes nothing for the worse.
    const full = await startServer(folder).catch((error: Error) => error);
    if (full instanceof Error) expect(full.message).toMatch(/full|cannot be/);
    else await full.kill();
    rmSync(join(folder, 'ballast'));
    await expectAllThere(await aServerIn(folder), ids);
  });
});

describe.skipIf(whyNoDisk !== undefined)('a read-only disk', () => {
  it('is named at the start, and nothing is lost by trying', async () => {
    const disk = aSmallDisk(40);
    const first = await aServerIn(disk.folder);
    const { body } = await first.post('/memory/insert', conversation(1));
    expect(await first.stop()).toBe(0);
    disk.makeReadOnly();
    await expect(startServer(disk.folder)).rejects.toThrow(/cannot be opened or written.*mounted read-only/s);
    expect(body.status).toBe('ok');
  });
});

const nobody = 65_534;

/** As root nothing is forbidden to us; somebody else must be able to read the program. */
function actsAsNobody(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const script = `require('node:fs').readFileSync(${JSON.stringify(join(import.meta.dirname, '../../../dist/main.js'))})`;
  return spawnSync(process.execPath, ['-e', script], { uid: nobody, gid: nobody }).status === 0;
}

describe.skipIf(!actsAsNobody())('a folder whose permissions vanish', () => {
  it('costs no acknowledged conversation; vectors wait until they are back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'threadkeep-permissions-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chownSync(folder, nobody, nobody);
    const server = await aServerIn(folder, { user: nobody });
    const first = await server.post('/memory/insert', conversation(1));
    await expectAllThere(server, [String(first.body.id)]);
    const folders = foldersIn(join(folder, 'data'));
    for (const path of folders) chmodSync(path, 0o500);
    const second = await server.post('/memory/insert', conversation(2));
    expect(second.status).toBe(200);
    for (const path of folders) chmodSync(path, 0o700);
    await expectAllThere(server, [String(first.body.id), String(second.body.id)]);
    await server.kill();
    await expectAllThere(await aServerIn(folder, { user: nobody }), [String(first.body.id), String(second.body.id)]);
  });

  it('is named at the start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'threadkeep-permissions-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chownSync(folder, nobody, nobody);
    mkdirSync(join(folder, 'data'), { mode: 0o500 });
    chownSync(join(folder, 'data'), nobody, nobody);
    await expect(startServer(folder, { user: nobody })).rejects.toThrow(/data folder .* cannot be used/);
  });
});

function foldersIn(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inside.map((entry) => join(entry.parentPath, entry.name))];
}
