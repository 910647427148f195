import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Found, limits } from '../../src/importers/contract.js';
import { chatgpt } from '../../src/importers/formats/chatgpt.js';
import { codex } from '../../src/importers/formats/codex.js';
import { createLook, filesAt, foundIn } from '../../src/importers/reading/files.js';
import { aFolder } from '../support/service.js';
import { zipOf } from '../support/zip.js';
import { conversationsOf, lines } from './reading.js';

const session = (id: string) =>
  lines(
    { type: 'session_meta', payload: { id } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: id }] } },
  );

/** Permissions do not stop the superuser: the rest of the test runs as nobody. */
function withoutPrivileges(): void {
  if (process.geteuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
}

/** Two sessions, and between them a file and a folder that are closed to us. */
async function aPartlyClosedFolder(): Promise<string> {
  const folder = await aFolder();
  await chmod(folder, 0o755);
  for (const name of ['a', 'closed', 'open']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'a/1.jsonl'), session('first'));
  await writeFile(join(folder, 'b.jsonl'), session('hidden'));
  await writeFile(join(folder, 'closed/2.jsonl'), session('hidden'));
  await writeFile(join(folder, 'open/3.jsonl'), session('last'));
  await chmod(join(folder, 'b.jsonl'), 0);
  await chmod(join(folder, 'closed'), 0);
  // Before it is removed, which the superuser does.
  onTestFinished(() => chmod(join(folder, 'closed'), 0o755));
  return folder;
}

describe.skipIf(process.platform === 'win32')('what cannot be read in a folder', () => {
  it('is passed over and reported, and the rest is read', async () => {
    const folder = await aPartlyClosedFolder();
    withoutPrivileges();
    const found: Found[] = [];
    for await (const file of filesAt(folder, codex)) for await (const each of foundIn(codex, file)) found.push(each);
    expect(conversationsOf(found).map(({ title }) => title)).toEqual(['first', 'last']);
    expect(found.filter(({ kind }) => kind === 'skipped')).toEqual([
      { kind: 'skipped', place: 'b.jsonl', reason: 'it cannot be read' },
      { kind: 'skipped', place: 'closed', reason: 'it cannot be read' },
    ]);
  });

  it('does not keep a look at the folder from its other files', async () => {
    const folder = await aPartlyClosedFolder();
    withoutPrivileges();
    const seen: string[] = [];
    for await (const { file } of createLook(() => [{ importer: codex, path: folder }])()) seen.push(file.path);
    expect(seen).toEqual(['a/1.jsonl', 'b.jsonl', 'closed', 'open/3.jsonl']);
  });

  it('is reported also when it is all that was named', async () => {
    const folder = await aPartlyClosedFolder();
    withoutPrivileges();
    const found: Found[] = [];
    for await (const file of filesAt(join(folder, 'closed'), codex)) {
      for await (const each of foundIn(codex, file)) found.push(each);
    }
    expect(found).toEqual([{ kind: 'skipped', place: 'closed', reason: 'it cannot be read' }]);
  });
});

describe('a zip that unpacks to hundreds of times its size', () => {
  it('is given up, and little more than the bound is unpacked', async () => {
    const mebibyte = Buffer.alloc(1 << 20, ' ');
    async function* blanks(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 200; piece++) yield mebibyte;
    }
    const path = join(await aFolder(), 'export.zip');
    await writeFile(path, Readable.from(zipOf('conversations.json', blanks())));
    let unpacked = 0;
    const found: Found[] = [];
    for await (const file of filesAt(path, chatgpt)) {
      const counted = async function* () {
        for await (const part of file.read()) {
          unpacked += part.length;
          yield part;
        }
      };
      for await (const each of foundIn(chatgpt, { ...file, read: counted })) found.push(each);
    }
    expect(found).toEqual([
      {
        kind: 'skipped',
        place: 'conversations.json',
        reason: 'it unpacks to far more data than an export of its size',
      },
    ]);
    expect(unpacked).toBeLessThanOrEqual(limits.fileBytes);
  });
});
