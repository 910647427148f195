import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { backUp, restoreBackup } from '../../src/app/backup.js';
import { verifyBackup } from '../../src/app/backup-file.js';
import { openRuntime } from '../../src/app/open-runtime.js';
import { decodeLines, readBackup, type TableRow } from '../../src/backup/file.js';
import { aConversation, aNote, invented } from '../support/conversation.js';
import fc from '../support/properties.js';
import { aFolder, aService, configIn, startService, type TestService } from '../support/service.js';

const silent = { log() {}, count() {}, duration() {} };

async function filled(count: number): Promise<TestService> {
  const service = await aService({}, { inFolder: true });
  for (let index = 0; index < count; index++) {
    await service.insert(aNote(invented(index), { title: `Note ${index}`, metadata: { tags: ['kept'] } }));
  }
  return service;
}

async function rowsIn(file: string): Promise<TableRow[]> {
  const { rows } = await decodeLines(readBackup(file));
  const all: TableRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** What must be equal in two stores: everything but whether a vector is written yet. */
/** Without what is said about the copying itself. */
async function contentOf(file: string): Promise<string[]> {
  const rows = (await rowsIn(file)).filter(
    ({ table, row }) => table !== 'audit' || !/^backup_/.test(String(row.event)),
  );
  return rows.map(({ table, row: { index_state: _, ...row } }) => JSON.stringify([table, row]));
}

describe('a backup', () => {
  it.skipIf(process.platform === 'win32')('takes over neither the rights nor the place of an older draft', async () => {
    const service = await filled(1);
    const folder = await aFolder();
    const file = join(folder, 'memory.tkbackup');
    const linked = join(folder, 'linked.tkbackup');
    const victim = join(folder, 'victim');
    await writeFile(victim, 'untouched');
    await writeFile(`${file}.unfinished`, '');
    await chmod(`${file}.unfinished`, 0o666);
    await symlink(victim, `${linked}.unfinished`);
    for (const each of [file, linked]) {
      await backUp(service.config, silent, { file: each });
      const found = await lstat(each);
      expect([found.isFile(), found.mode & 0o777]).toEqual([true, 0o600]);
    }
    expect(await readFile(victim, 'utf8')).toBe('untouched');
    expect((await readdir(folder)).filter((name) => /\.[0-9a-f]+\.unfinished$/.test(name))).toEqual([]);
  });

  it('is called sealed only when it is, whether or not a passphrase is at hand', async () => {
    const service = await filled(1);
    const folder = await aFolder();
    const [open, sealed] = [join(folder, 'open'), join(folder, 'sealed')];
    const passphrase = 'correct horse';
    expect(await backUp(service.config, silent, { file: open })).toMatchObject({ sealed: false });
    expect(await backUp(service.config, silent, { file: sealed, passphrase })).toMatchObject({ sealed: true });
    expect(await verifyBackup({ file: open, passphrase })).toMatchObject({ sealed: false });
    const config = await configIn(await aFolder());
    expect(await restoreBackup(config, silent, { file: open, passphrase })).toMatchObject({ sealed: false });
  });

  it('of a store that is being written to is consistent, and restores to an equal store elsewhere', async () => {
    const service = await filled(30);
    const folder = await aFolder();
    const file = join(folder, 'memory.tkbackup');
    let writing = true;
    const writer = (async () => {
      for (let index = 100; writing; index++) {
        await service.insert(
          aConversation({
            messages: [
              { role: 'user', text: invented(index) },
              { role: 'assistant', text: invented(index + 5_000) },
            ],
          }),
        );
      }
    })();
    const report = await backUp(service.config, silent, { file });
    writing = false;
    await writer;
    expect(report.rows.conversations).toBeGreaterThanOrEqual(30);
    const rows = await rowsIn(file);
    for (const { row } of rows.filter(({ table }) => table === 'conversations')) {
      const messages = rows.filter((each) => each.table === 'messages' && each.row.conversation_id === row.id);
      expect(messages).toHaveLength(Number(row.message_count));
    }

    const elsewhere = await aFolder();
    const config = await configIn(elsewhere);
    await restoreBackup(config, silent, { file });
    const again = join(folder, 'again.tkbackup');
    await backUp(config, silent, { file: again });
    expect(await contentOf(again)).toEqual(await contentOf(file));

    const restored = await startService({}, { folder: elsewhere });
    try {
      await restored.service.indexer.settled();
      const query = { query: invented(3), top_k: 5 };
      const [best] = (await restored.search(query)).results;
      expect(best).toMatchObject({ conversation: { title: 'Note 3' } });
    } finally {
      await restored.close();
    }
  });

  it('keeps what waits for review with a secret in it out of the text index', async () => {
    const service = await aService({ memory: { secret_policy: 'quarantine' } }, { inFolder: true });
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const { memory_status } = await service.insert(aNote(`The deploy key of zebrafinch is ${key}`));
    expect(memory_status).toBe('pending_review');
    const file = join(await aFolder(), 'memory.tkbackup');
    await backUp(service.config, silent, { file });
    const elsewhere = await aFolder();
    await restoreBackup(await configIn(elsewhere), silent, { file });
    const restored = await startService({}, { folder: elsewhere });
    try {
      const found = await restored.search({ query: 'zebrafinch', memory_status: 'all' });
      expect(found.results).toEqual([]);
    } finally {
      await restored.close();
    }
  });

  it('holds texts with separators at which some readers cut lines', async () => {
    const service = await aService({}, { inFolder: true });
    await service.insert(aNote('one\u2028two\u2029three\u0085four', { title: 'Cut\u2028title' }));
    const file = join(await aFolder(), 'memory.tkbackup');
    await backUp(service.config, silent, { file });
    await verifyBackup({ file });
    const messages = (await rowsIn(file)).filter(({ table }) => table === 'messages');
    expect(messages.map(({ row }) => row.text)).toEqual(['one\u2028two\u2029three\u0085four']);
  });

  it('is readable for its owner alone and does not replace a file', async () => {
    const service = await filled(1);
    const file = join(await aFolder(), 'memory.tkbackup');
    await backUp(service.config, silent, { file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(backUp(service.config, silent, { file })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('restores into an empty store only', async () => {
    const service = await filled(2);
    const file = join(await aFolder(), 'memory.tkbackup');
    await backUp(service.config, silent, { file });
    await expect(restoreBackup(service.config, silent, { file })).rejects.toMatchObject({ code: 'data_in_use' });
  });

  it('that was only half restored keeps the service from starting until it is restored whole', async () => {
    const service = await filled(5);
    const file = join(await aFolder(), 'memory.tkbackup');
    await backUp(service.config, silent, { file });
    const config = await configIn(await aFolder());
    const stop = new Error('the power went');
    const interrupted = restoreBackup(config, silent, {
      file,
      onProgress: ({ done }) => {
        if (done >= 10) throw stop;
      },
    });
    await expect(interrupted).rejects.toBe(stop);
    const start = openRuntime({ config, observer: silent, purpose: 'command' });
    await expect(start).rejects.toMatchObject({ code: 'restore_unfinished' });
    const report = await restoreBackup(config, silent, { file });
    expect(report.rows.conversations).toBe(5);
    const runtime = await openRuntime({ config, observer: silent, purpose: 'command' });
    await runtime.close();
  });

  it('sealed with a passphrase shows nothing of what it holds, and opens with that passphrase alone', async () => {
    const service = await aService({}, { inFolder: true });
    await service.insert(aNote('the canary sings at dawn'));
    const folder = await aFolder();
    const file = join(folder, 'sealed.tkbackup');
    const report = await backUp(service.config, silent, { file, passphrase: 'correct horse' });
    expect(report).toMatchObject({ sealed: true, rows: { conversations: 1 } });
    expect((await readFile(file)).includes('canary')).toBe(false);
    await expect(verifyBackup({ file })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(verifyBackup({ file, passphrase: 'wrong' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('sealed is what the age format says: its package opens ours, and we open what it seals', async () => {
    const { Decrypter, Encrypter } = await import('age-encryption');
    const service = await filled(1);
    const folder = await aFolder();
    const [file, other] = [join(folder, 'ours.tkbackup'), join(folder, 'theirs.tkbackup')];
    const passphrase = 'pferd, größer als 🐴';
    await backUp(service.config, silent, { file, passphrase });
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    const content = await decrypter.decrypt(await readFile(file));
    expect(gunzipSync(content).toString()).toContain(invented(0));

    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    encrypter.setScryptWorkFactor(10);
    await writeFile(other, await encrypter.encrypt(content));
    expect(await verifyBackup({ file: other, passphrase })).toMatchObject({ sealed: true, rows: { conversations: 1 } });
  });
});

describe('damage to a backup', () => {
  let bytes: Buffer;
  let folder: string;
  beforeAll(async () => {
    const service = await startService({}, { inFolder: true });
    for (let index = 0; index < 20; index++) await service.insert(aNote(invented(index)));
    const { mkdtemp } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    folder = await mkdtemp(join(tmpdir(), 'threadkeep-backup-'));
    const file = join(folder, 'memory.tkbackup');
    await backUp(service.config, silent, { file });
    bytes = await readFile(file);
    await service.close();
  });

  const isSameContent = (broken: Buffer): boolean => {
    const head = broken.subarray(0, 10).equals(bytes.subarray(0, 10));
    try {
      return head && gunzipSync(broken).equals(gunzipSync(bytes));
    } catch {
      return false;
    }
  };

  it('is detected when any bit flips', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 7 }), async (place, bit) => {
        const at = place % bytes.length;
        const broken = Buffer.from(bytes);
        broken[at] = (broken[at] ?? 0) ^ (1 << bit);
        const file = join(folder, 'broken.tkbackup');
        await writeFile(file, broken);
        // The compressed form ends in up to seven bits that mean nothing.
        if (isSameContent(broken)) return;
        await expect(verifyBackup({ file })).rejects.toMatchObject({ code: 'invalid_input' });
      }),
      { numRuns: 150 },
    );
  });

  it('is noticed in every byte of its head', async () => {
    for (let at = 0; at < 20; at++) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x10;
      const file = join(folder, 'head.tkbackup');
      await writeFile(file, broken);
      await expect(verifyBackup({ file }), `byte ${at}`).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('is noticed in every part of a sealed one', async () => {
    const service = await startService({}, { inFolder: true });
    await service.insert(aNote(invented(1, 400)));
    const file = join(folder, 'sealed.tkbackup');
    await backUp(service.config, silent, { file, passphrase: 'correct horse' });
    await service.close();
    const sealed = await readFile(file);
    // In the mark, the stanza, its checksum, the content and the last seal. Opening one takes a second by design, so
    // only the content is tried here, and the others by the ring.
    const middle = Math.floor(sealed.length / 2);
    for (const at of process.env.KEEPING_RING === undefined ? [middle] : [3, 40, 120, middle, sealed.length - 1]) {
      const broken = Buffer.from(sealed);
      broken[at] = (broken[at] ?? 0) ^ 1;
      const path = join(folder, 'sealed-broken.tkbackup');
      await writeFile(path, broken);
      const reading = verifyBackup({ file: path, passphrase: 'correct horse' });
      await expect(reading, `byte ${at}`).rejects.toMatchObject({ code: 'invalid_input' });
    }
  }, 240_000);

  it('is detected when the end is missing at any point', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (place) => {
        const file = join(folder, 'short.tkbackup');
        await writeFile(file, bytes.subarray(0, place % bytes.length));
        await expect(verifyBackup({ file })).rejects.toMatchObject({ code: 'invalid_input' });
      }),
      { numRuns: 60 },
    );
  });
});

describe('a backup whose end is null', () => {
  it('is damaged, like any other without an end', async () => {
    const lines = async function* (): AsyncGenerator<string> {
      yield '{"format":"threadkeep-backup","version":1}';
      yield 'null';
    };
    const { rows } = await decodeLines(lines());
    await expect(rows.next()).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
