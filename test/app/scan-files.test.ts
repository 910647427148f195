import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../src/app/verify-forgotten.js';
import fc from '../support/properties.js';
import { aFolder } from '../support/service.js';

describe('a look through files', () => {
  it('finds the same texts, few or many, at any position', async () => {
    const folder = await aFolder();
    const sign = fc.constantFrom('a', 'b', 'ü', '🚲', ' ');
    const text = fc.string({ unit: sign, minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 40 }), fc.array(text), async (texts, pieces) => {
        const content = pieces.join('');
        await writeFile(join(folder, 'file'), content);
        const scan = await scanFiles(folder, texts);
        expect(new Set(scan.texts)).toEqual(new Set(texts.filter((each) => content.includes(each))));
        expect(scan.found).toEqual(scan.texts.length > 0 ? ['file'] : []);
      }),
      { numRuns: 100 },
    );
  });

  it('finds a text that lies across two pieces of a file', async () => {
    const folder = await aFolder();
    const needles = Array.from({ length: 20 }, (_, index) => `needle of number ${index} in the hay`);
    await writeFile(join(folder, 'hay'), `${'x'.repeat((1 << 20) - 9)}${needles[7]}${'y'.repeat(99)}`);
    expect(await scanFiles(folder, needles)).toMatchObject({ files: 1, found: ['hay'], texts: [needles[7]] });
  });

  it('passes over files that go while it looks', async () => {
    const folder = await aFolder();
    const paths = Array.from({ length: 300 }, (_, index) => join(folder, `file ${index}`));
    for (const path of paths) await writeFile(path, 'hay');
    const looking = scanFiles(folder, ['needle']);
    for (const path of paths.toReversed()) await rm(path);
    expect((await looking).found).toEqual([]);
  });
});
