import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesAt, foundIn } from '../../src/importers/reading/files.js';
import { importers } from '../../src/importers/table.js';
import { MemoryError } from '../../src/model/errors.js';
import fc from '../support/properties.js';
import { aFolder } from '../support/service.js';
import { aZip } from '../support/zip.js';
import { canary } from './odd-values.js';
import { allowance, seed, share } from './settings.js';
import { files, samples, wear, worn } from './uploads.js';

function importerOf(format: string) {
  // A format may have several shapes, told apart behind a slash.
  const found = importers.find(({ name }) => name === format.split('/')[0]);
  if (found === undefined) throw new Error(`no importer of ${format}`);
  return found;
}

/** Conversations with messages, or a reason in our own words. */
async function readAll(path: string, format: string): Promise<void> {
  try {
    for await (const file of filesAt(path, importerOf(format))) {
      for await (const found of foundIn(importerOf(format), file)) {
        if (found.kind === 'conversation') expect(found.conversation.messages.length).toBeGreaterThan(0);
        if (found.kind === 'skipped') expect(found.reason).not.toContain(canary);
      }
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    expect(error.message).not.toContain(canary);
  }
}

describe('the importers', () => {
  it('read any file to its end or say why not', { timeout: allowance }, async () => {
    const folder = await aFolder();
    await fc.assert(
      fc.asyncProperty(files, async ({ format, path, content }) => {
        const onDisk = join(folder, path.split('/').at(-1) ?? 'file');
        await writeFile(onDisk, content);
        await readAll(onDisk, format);
      }),
      { seed, numRuns: share(0.06) },
    );
  });

  it('read any zip to its end or say why not', { timeout: allowance }, async () => {
    const folder = await aFolder();
    const zips = fc.tuple(fc.constantFrom(...samples), wear);
    await fc.assert(
      fc.asyncProperty(zips, async ([{ format, path, content }, damage]) => {
        const onDisk = join(folder, 'export.zip');
        await writeFile(onDisk, worn(aZip(path, content.toString('latin1')), damage));
        await readAll(onDisk, format);
      }),
      { seed, numRuns: share(0.03) },
    );
  });
});
