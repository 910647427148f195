import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuestion } from '../../src/answers/question.js';
import { sentencesOf } from '../../src/answers/sentences.js';
import { readBackup } from '../../src/backup/file.js';
import { decodeLines, encodeLines, type Manifest, type TableRow } from '../../src/backup/lines.js';
import { redactText } from '../../src/config/redact-text.js';
import { extractStatements } from '../../src/facts/extract.js';
import { readValue } from '../../src/facts/values.js';
import { csvRows } from '../../src/importers/reading/csv.js';
import { plainText as textOfHtml } from '../../src/importers/reading/html.js';
import { jsonElements } from '../../src/importers/reading/json-elements.js';
import { jsonLines } from '../../src/importers/reading/json-lines.js';
import { time } from '../../src/importers/reading/shape.js';
import { prepare } from '../../src/ingestion/prepare.js';
import { findSecrets } from '../../src/ingestion/secrets.js';
import { parseTranscript } from '../../src/ingestion/transcript.js';
import { windowCount, windowsOf } from '../../src/ingestion/windows.js';
import { languageOf } from '../../src/language/language-of.js';
import { speakersOf } from '../../src/language/speakers.js';
import { indexTerms, queryTerms } from '../../src/language/terms.js';
import { mentionsTime, timeIntent } from '../../src/language/time/time-intent.js';
import { parseResourceUri } from '../../src/mcp/resource-uri.js';
import { MemoryError } from '../../src/model/errors.js';
import { canonicalUuid } from '../../src/model/ids.js';
import { utcRange, utcTime } from '../../src/model/time.js';
import { decodePageEnd } from '../../src/operations/page-cursor.js';
import { decodeCursor } from '../../src/retrieval/cursor.js';
import { snippetOf } from '../../src/retrieval/snippet.js';
import { limits } from '../support/limits.js';
import { aFolder } from '../support/service.js';
import { canary, oddText, oddValue, plainText } from './odd-values.js';
import { allowance, long, seed, share } from './settings.js';

const now = '2026-11-15T08:00:00.000Z';

/** Every function that reads what others wrote. It returns or refuses; nothing else. */
const readers: Record<string, (text: string) => unknown> = {
  readValue: (text) => readValue('name', text),
  readQuestion: (text) => readQuestion(text, now),
  sentencesOf: (text) => sentencesOf(text),
  redactText: (text) => redactText(text, ['secret']),
  extractStatements: (text) => extractStatements({ messages: [{ role: 'user', text }] }),
  textOfHtml,
  time,
  prepare: (text) => prepared({ title: text.slice(0, 1_000), messages: [{ role: 'user', text: `x${text}` }] }),
  findSecrets,
  parseTranscript: (text) => parseTranscript(`User: ${text}`, 'common'),
  windowsOf: (text) => windowsOf(text, windowCount(text)),
  languageOf,
  speakersOf: (text) => speakersOf([text, text]),
  indexTerms,
  queryTerms,
  timeIntent: (text) => timeIntent(text, now),
  mentionsTime,
  parseResourceUri: (text) => parseResourceUri(`memory://search/${text}`),
  canonicalUuid,
  utcRange,
  utcTime,
  decodePageEnd: (text) => decodePageEnd(text, {}),
  decodeCursor: (text) => decodeCursor(text, {}),
  snippetOf: (text) => snippetOf(text, ['dog', 'x']),
};

function prepared(payload: unknown): unknown {
  return prepare(payload, {
    limits,
    policy: 'permissive',
    secretPolicy: 'redact',
    defaultSource: 'unknown',
    now,
    newId: () => '00000000-0000-4000-8000-000000000001',
    resolveProject: (projectId) => projectId ?? 'local-default',
    validateSchema: () => {},
    stage: (_, run) => run(),
  });
}

function refused(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    expect(error.message).not.toContain(canary);
  }
}

const texts = fc.oneof(
  oddText,
  plainText,
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary' }),
);

describe.each(Object.entries(readers))('%s', (_, read) => {
  it('returns or refuses, whatever it is given', { timeout: allowance }, () => {
    fc.assert(
      fc.property(texts, (text) => refused(() => read(text))),
      { seed, numRuns: share(0.004) },
    );
  });
});

const pieces = [
  ' ',
  '\n',
  '\t',
  '\t\n ',
  '<',
  '<script',
  '<li',
  '&#',
  '&',
  '"',
  "'",
  '`',
  '```\n',
  '-',
  '- ',
  '.',
  '. ',
  ', ',
  ':',
  '://',
  '(',
  '[',
  'a',
  'A',
  'a ',
  'A. ',
  'é',
  '漢',
  '漢。',
  'я',
  '👩‍👩‍👧',
  '\u0301',
  '1',
  '1 ',
  '1/',
  '4111 ',
  '12:',
  'I ',
  'I am ',
  'I live in ',
  'My ',
  'not ',
  'and ',
  'and then I ',
  "I'm ",
  'Mr. ',
  'Nora and ',
  'Nora: ',
  'User:\n',
  'eyJ',
  'eyJa.',
  'sk-',
  'password=',
  'a:a@',
  'x://a:',
  'Bearer ',
  '\\',
  '-----BEGIN PRIVATE KEY-----',
  'last ',
  'next week ',
  'the day before ',
  'two weeks ago ',
  'from May to ',
  '…',
  '“',
  '{',
  '[{',
  '=',
  ' [',
  '<pre>',
  '? ',
  "?'",
];

describe('an input made to be slow', () => {
  it.each(Object.entries(readers))('takes %s no longer than its length asks for', { timeout: allowance }, (_, read) => {
    const slow: string[] = [];
    for (const piece of long ? pieces : pieces.filter((_, index) => index % 4 === 0)) {
      const text = `${piece.repeat(Math.ceil(20_000 / piece.length)).slice(0, 20_000)}!`;
      const before = process.cpuUsage();
      refused(() => read(text));
      const { user } = process.cpuUsage(before);
      // Work that grows with the square of the length takes seconds here; the time of others does not count.
      if (user > 800_000) slow.push(`${JSON.stringify(piece)}: ${Math.round(user / 1_000)} ms`);
    }
    expect(slow).toEqual([]);
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
  it('reads any bytes to their end, however they are cut', { timeout: allowance }, async () => {
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
