/** Opens the files that a crash left, with the store's own code, and says what they hold. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DatabaseSync } from '@photostructure/sqlite';
import { tables } from '../../dist/model/tables.js';
import { connect } from '../../dist/stores/metadata/drivers/sqlite/connection.js';

/** An index that another life of the process left behind: SQLite must not believe a word of it. */
const staleIndex = Buffer.from(Array.from({ length: 32_768 }, (_, at) => (at * 2_654_435_761) >>> 24));

/** A closed database keeps its files until its statements are collected, between turns of the event loop. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const opensBetweenCollections = 50;

export function createJudge({ folder, database }) {
  const path = join(folder, database);
  mkdirSync(dirname(path), { recursive: true });
  let opens = 0;

  /**
   * @param {{ name: string, content: Buffer }[]} files
   * @returns {Promise<{ digest: string, milliseconds: number }>} the database as it is after recovery, and how long that took
   */
  async function open(files, look = () => undefined) {
    if (++opens % opensBetweenCollections === 0) {
      collect();
      await nextTurn();
    }
    place(files);
    const started = performance.now();
    const credit = new SharedArrayBuffer(4);
    const { database: opened, opened: found } = connect({ path, readOnly: false, credit, inPlace: [path] }, tables);
    const milliseconds = performance.now() - started;
    try {
      if (found.state !== 'ready') throw new Error(`the database is ${found.state}`);
      const problems = firstCells(opened, 'PRAGMA quick_check');
      if (problems[0] !== 'ok') throw new Error(`quick_check: ${problems.join('; ')}`);
      opened.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      look(opened);
    } finally {
      opened.close();
    }
    return { digest: createHash('sha1').update(readFileSync(path)).digest('base64'), milliseconds };
  }

  function place(files) {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
    for (const { name, content } of files) {
      if (!name.endsWith('-shm')) writeFileSync(join(folder, name), content);
      else writeFileSync(join(folder, name), staleIndex);
    }
  }

  return { open, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** On tmpfs where one has room: a hundred thousand small databases are no work for a disk. Containers often have 64 MB. */
export function scratchFolder(fallback) {
  const memory = '/dev/shm';
  if (!statSync(memory, { throwIfNoEntry: false })?.isDirectory()) return fallback;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 512 * 2 ** 20 ? memory : fallback;
}

export function firstCells(database, text, ...parameters) {
  return database
    .prepare(text, { returnArrays: true })
    .all(...parameters)
    .map(([cell]) => cell);
}

export const sqliteVersion = () => {
  const database = new DatabaseSync(':memory:');
  const [version] = firstCells(database, 'SELECT sqlite_version()');
  database.close();
  return version;
};
