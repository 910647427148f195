import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { lazyTable, loadTable, parseTable } from '../../../src/embeddings/static/embed.js';
import { tinyModel } from './tiny-model.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'static-model-'));
  folders.push(path);
  return { path, url: pathToFileURL(path + sep) };
}

describe('the table of a static model', () => {
  it('reads what was written', async () => {
    const { model, vocabulary } = tinyModel({ cat: [1, -2], '##s': [127, -127] }, { countOnce: true });
    const table = await parseTable(model, vocabulary);
    expect(table).toMatchObject({ dimension: 2, vocabulary: ['cat', '##s'], countOnce: true });
    expect([...table.scales]).toEqual([0.5, 0.5]);
    expect([...table.rows]).toEqual([1, -2, 127, -127]);
    expect(table.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it('knows the checksum of its English rows alone, which an English table has as its own', async () => {
    const english = { cat: [1, -2], '##s': [127, -127] };
    const alone = tinyModel(english);
    const both = tinyModel({ ...english, katze: [3, 4] }, { englishRows: 2 });
    const table = await parseTable(both.model, both.vocabulary);
    expect(table).toMatchObject({ englishRows: 2, vocabulary: ['cat', '##s', 'katze'] });
    expect(table.englishChecksum).toBe((await parseTable(alone.model, alone.vocabulary)).checksum);
    expect(table.checksum).not.toBe(table.englishChecksum);
  });

  it('refuses a changed number of English rows', async () => {
    const { model, vocabulary } = tinyModel({ cat: [1, -2], katze: [3, 4] }, { englishRows: 1 });
    model.writeUInt32LE(2, 56);
    await expect(parseTable(model, vocabulary)).rejects.toThrow('does not match its checksum');
  });

  it('refuses more English rows than rows', async () => {
    const { model, vocabulary } = tinyModel({ cat: [1, -2] }, { englishRows: 2 });
    await expect(parseTable(model, vocabulary)).rejects.toThrow('counts more English rows than it has');
  });

  it('reads files that do not start at an even address', async () => {
    const { model, vocabulary } = tinyModel({ cat: [1, -2] });
    const shifted = Buffer.concat([Buffer.alloc(1), model]).subarray(1);
    expect([...(await parseTable(shifted, vocabulary)).rows]).toEqual([1, -2]);
  });

  it.each([
    ['another kind of file', (model: Buffer) => model.write('NOTMODEL'), 'is not a static model'],
    [
      'an unknown version',
      (model: Buffer) => model.writeUInt32LE(3, 8),
      'has a version that this program does not support',
    ],
    ['a wrong number of rows', (model: Buffer) => model.writeUInt32LE(9, 12), 'is truncated or too long'],
    ['a changed weight', (model: Buffer) => model.writeInt8(5, model.length - 1), 'does not match its checksum'],
  ])('refuses %s', async (_, damage, message) => {
    const { model, vocabulary } = tinyModel({ cat: [1, -2] });
    damage(model);
    await expect(parseTable(model, vocabulary)).rejects.toThrow(
      expect.objectContaining({ code: 'driver_unavailable', message: `The embedding model's model.bin ${message}.` }),
    );
  });

  it('refuses a vocabulary of another model', async () => {
    const { model } = tinyModel({ cat: [1, -2] });
    await expect(parseTable(model, Buffer.from('dog\n'))).rejects.toThrow('does not match its checksum');
  });

  it('refuses a folder without the files', async () => {
    const { url } = await emptyFolder();
    await expect(loadTable(url)).rejects.toMatchObject({ code: 'driver_unavailable' });
  });

  it('reads a folder once, and again only after a failure', async () => {
    const { path, url } = await emptyFolder();
    const table = lazyTable(url);
    await expect(table()).rejects.toMatchObject({ code: 'driver_unavailable' });
    const { model, vocabulary } = tinyModel({ cat: [1, -2] });
    await writeFile(join(path, 'model.bin'), model);
    await writeFile(join(path, 'vocab.txt'), vocabulary);
    const first = await table();
    expect(first.vocabulary).toEqual(['cat']);
    expect(await table()).toBe(first);
  });
});
