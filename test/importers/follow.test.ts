import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { claudeCode } from '../../src/importers/formats/claude-code.js';
import { cursor } from '../../src/importers/formats/cursor.js';
import { createFollower } from '../../src/importers/reading/follow.js';
import { aFolder } from '../support/service.js';

async function aFollower() {
  const folder = await aFolder();
  const logs = join(folder, 'projects');
  await mkdir(logs);
  const database = join(folder, 'state.vscdb');
  await writeFile(database, '');
  await writeFile(join(logs, 'old.jsonl'), '{}\n');
  const watched = [
    { importer: claudeCode, path: logs },
    { importer: cursor, path: database },
  ];
  const follower = createFollower(() => watched);
  onTestFinished(() => follower.close());
  const look = async (): Promise<string[]> => {
    const paths: string[] = [];
    for await (const { file } of follower.look()) paths.push(file.path);
    return paths.sort();
  };
  /** What the next look finds for which there was a reason: the time of a complete one is a minute away. */
  const next = async (): Promise<string[]> => {
    for (;;) {
      await follower.due(new AbortController().signal);
      const found = await look();
      if (found.length > 0) return found;
    }
  };
  return { folder, logs, database, follower, look, next, watched };
}

it('finds everything at first, then only what changed', async () => {
  const { logs, look, next } = await aFollower();
  expect(await look()).toEqual(['old.jsonl', 'state.vscdb']);
  expect(await look()).toEqual([]);
  await appendFile(join(logs, 'old.jsonl'), '{}\n');
  expect(await next()).toEqual(['old.jsonl']);
  expect(await look()).toEqual([]);
});

it('finds new files in new folders, renamed ones, and files of other programs not at all', async () => {
  const { logs, look, next } = await aFollower();
  await look();
  await mkdir(join(logs, 'a', 'b'), { recursive: true });
  await writeFile(join(logs, 'a', 'b', 'new.jsonl'), '{}\n');
  expect(await next()).toEqual(['a/b/new.jsonl']);
  await writeFile(join(logs, 'a', 'b', 'notes.txt'), 'x');
  await rename(join(logs, 'a', 'b', 'new.jsonl'), join(logs, 'a', 'newer.jsonl'));
  expect(await next()).toEqual(['a/newer.jsonl']);
  await appendFile(join(logs, 'a', 'newer.jsonl'), '{}\n');
  expect(await next()).toEqual(['a/newer.jsonl']);
});

it('sees a database change by its write-ahead log', async () => {
  const { database, look, next } = await aFollower();
  await look();
  await writeFile(`${database}-wal`, 'x');
  expect(await next()).toEqual(['state.vscdb']);
});

it('looks again at a file that was not taken, and notices programs that are installed later', async () => {
  const { folder, look, next, follower, watched } = await aFollower();
  await look();
  const later = join(folder, 'later');
  await mkdir(later);
  await writeFile(join(later, 's.jsonl'), '{}\n');
  watched.push({ importer: claudeCode, path: later });
  await follower.due(new AbortController().signal);
  for await (const { again } of follower.look()) again(0);
  expect(await next()).toEqual(['s.jsonl']);
});

it('ends its wait on request', async () => {
  const { follower, look } = await aFollower();
  await look();
  const stopping = new AbortController();
  const waiting = follower.due(stopping.signal);
  stopping.abort();
  await waiting;
});
