import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/operations/imports/job.js';
import { start, threadkeep, threadkeepJson } from '../cli/threadkeep.js';
import { invented } from '../support/conversation.js';
import { startServer } from './server.js';

/** At which shares of the import it is killed; the ring tries more. */
const moments = process.env.KEEPING_RING === undefined ? [0.4] : [0, 0.02, 0.2, 0.5, 0.8, 0.97];
const conversations = process.env.KEEPING_RING === undefined ? 60 : 150;
const text = (number: number) => `I live in ${invented(number, 1)}. ${invented(number, 20)}`;
const chats = JSON.stringify(
  Array.from({ length: conversations }, (_, number) => ({
    id: `chat-${number}`,
    title: `Chat ${number}`,
    created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    messages: [
      { role: 'user', text: text(number) },
      { role: 'assistant', text: invented(number + 5_000, 30) },
    ],
  })),
);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'threadkeep-killed-'));
  folders.push(folder);
  await writeFile(join(folder, 'chats.json'), chats);
  return folder;
}

/** Everything that is remembered, without ids and the times of storing. */
async function content(folder: string): Promise<string[]> {
  await threadkeep(folder, ['export', '--output', 'memory.jsonl']);
  const lines = (await readFile(join(folder, 'memory.jsonl'), 'utf8')).trim().split('\n').slice(1);
  return lines
    .map((line) =>
      line
        .replace(/"(updated_at|imported_at|created_at)":"[^"]*",?/g, '')
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id'),
    )
    .sort();
}

/** Resolves when so many conversations are stored, or when nothing can be asked yet and none are wanted. */
async function stored(folder: string, count: number): Promise<void> {
  const file = join(folder, 'data', 'metadata.sqlite3');
  const ask = (): number => {
    if (!existsSync(file)) return -1;
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return Number((database.prepare('SELECT count(*) AS n FROM conversations').get() as { n: number }).n);
    } catch {
      // The tables are being made.
      return -1;
    } finally {
      database.close();
    }
  };
  await expect.poll(ask, { timeout: 120_000, interval: 5 }).toBeGreaterThanOrEqual(count);
}

describe('an import that is killed and run again', () => {
  let known: string[] | undefined;
  const whole = async (): Promise<string[]> => {
    if (known !== undefined) return known;
    const folder = await aFolder();
    await threadkeep(folder, ['import', 'json', 'chats.json']);
    known = await content(folder);
    return known;
  };

  it.each(moments)(
    'on the command line, at %d of it, gives the same store',
    async (moment) => {
      const folder = await aFolder();
      const { child, ended } = start(folder, ['import', 'json', 'chats.json']);
      await stored(folder, Math.floor(moment * conversations));
      child.kill('SIGKILL');
      await ended;
      const again = await threadkeepJson(folder, ['import', 'json', 'chats.json']);
      expect(again.json).toMatchObject({ read: conversations, skipped: 0, appended: 0 });
      expect(await content(folder)).toEqual(await whole());
      const { json } = await threadkeepJson(folder, ['search', text(conversations - 1), '--top-k', '1']);
      expect(json).toMatchObject({ results: [{ text: text(conversations - 1) }] });
    },
    240_000,
  );

  it.each(moments)(
    'over HTTP, at %d of it, gives the same store',
    async (moment) => {
      const folder = await aFolder();
      const first = await startServer(folder);
      const sending = first.upload('/memory/import?format=json', chats).catch(() => undefined);
      await stored(folder, Math.floor(moment * conversations));
      await first.kill();
      await sending;
      const second = await startServer(folder);
      const { body } = await second.upload('/memory/import?format=json', chats);
      expect(body).toMatchObject({ read: conversations, skipped: 0, appended: 0 });
      await second.kill();
      expect(await content(folder)).toEqual(await whole());
    },
    240_000,
  );

  it.each(moments)(
    'in the background, killed at %d of it, continues by itself and gives the same store',
    async (moment) => {
      const folder = await aFolder();
      const first = await startServer(folder);
      const { body } = await first.upload('/memory/imports', chats);
      const { id } = body.job as { id: string };
      await stored(folder, Math.floor(moment * conversations));
      await first.kill();
      const second = await startServer(folder);
      const job = async () =>
        (await second.get(`/memory/imports/${id}`)).job as { state: string; resumed: number; report: ImportReport };
      await expect.poll(async () => (await job()).state, { timeout: 120_000, interval: 50 }).toBe('done');
      const { report, resumed } = await job();
      expect(resumed).toBeLessThanOrEqual(1);
      expect(report).toMatchObject({ read: conversations, skipped: 0, appended: 0 });
      // What the killed process stored and could not write down any more is known.
      expect(report.imported + report.duplicates).toBe(conversations);
      await second.kill();
      expect(await content(folder)).toEqual(await whole());
    },
    240_000,
  );
});
