import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeLines, encodeLines, type Manifest, readBackup, type TableRow } from '../../src/backup/file.js';
import { csvRows } from '../../src/importers/reading/csv.js';
import { jsonElements, jsonLines } from '../../src/importers/reading/json.js';
import { MemoryError } from '../../src/model/errors.js';
import fc from '../support/properties.js';
import { aFolder } from '../support/service.js';
import { canary, oddText, oddValue, plainText } from './odd-values.js';
import { now, prepared, readers, refused } from './readers.js';
import { allowance, seed, share } from './settings.js';

const texts = fc.oneof(
  oddText,
  plainText,
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary' }),
);

describe.each(Object.entries(readers))('%s', (_, read) => {
  it('returns or rejects for any input', { timeout: allowance }, () => {
    fc.assert(
      fc.property(texts, (text) => refused(() => read(text))),
      { seed, numRuns: share(0.004) },
    );
  });
});

describe('prepare', () => {
  it('returns or refuses any payload', { timeout: allowance }, () => {
    fc.assert(
      fc.property(oddValue, (payload) => refused(() => prepared(payload))),
      { seed, numRuns: share(0.02) },
    );
  });
});

async function* cutUp(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const streams: Record<string, (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>> = {
  jsonElements: (bytes) => jsonElements(bytes, 1_000),
  jsonLines: (bytes) => jsonLines(bytes, 1_000),
  csvRows: (bytes) => csvRows(bytes, 1_000),
};

describe.each(Object.entries(streams))('%s', (_, read) => {
  it('reads any bytes to their end, split at any point', { timeout: allowance }, async () => {
    const punctuation = fc.constantFrom(...'[]{}",:\n\r \\'.split(''), ...[`"${canary}"`, '{"a":1}', '\ufeff']);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(punctuation, { maxLength: 80 }).map((parts) => Buffer.from(parts.join(''))),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(bytes, sizes, async (given, cuts) => {
        for await (const each of read(cutUp(given, cuts))) expect(each).toBeDefined();
      }),
      { seed, numRuns: share(0.02) },
    );
  });
});

async function* someRows(): AsyncGenerator<TableRow> {
  yield { table: 'conversations', row: { id: 'a', title: canary } };
}

describe('a backup', () => {
  it('that is damaged in any way is refused or read, and nothing else', { timeout: allowance }, async () => {
    const folder = await aFolder();
    const path = join(folder, 'backup');
    const lines: string[] = [];
    const manifest: Manifest = {
      format: 'threadkeep-backup',
      version: 1,
      id: 'x',
      created_at: now,
      schema_version: 1,
      made_by: 'test',
    };
    for await (const line of encodeLines(manifest, someRows())) lines.push(line);
    const damage = fc.record({
      lines: fc.array(
        fc.oneof(
          fc.constantFrom(...lines),
          fc.constantFrom('null\n', '[]\n', '{}\n', '["a",null]\n', '0\n', '"x"\n'),
          oddText,
        ),
        { maxLength: 5 },
      ),
      flip: fc.option(fc.nat(), { nil: undefined }),
      cut: fc.option(fc.nat(), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ lines: given, flip, cut }) => {
        const bytes = gzipSync([lines[0], ...given].join(''));
        if (flip !== undefined) bytes[flip % bytes.length] = (bytes[flip % bytes.length] ?? 0) ^ 1;
        await writeFile(path, cut === undefined ? bytes : bytes.subarray(0, cut % bytes.length));
        try {
          const { rows: read } = await decodeLines(readBackup(path));
          for await (const { table } of read) expect(table).not.toBe('');
        } catch (error) {
          expect(error).toBeInstanceOf(MemoryError);
          expect((error as MemoryError).message).not.toContain(canary);
        }
      }),
      { seed, numRuns: share(0.02) },
    );
  });
});
