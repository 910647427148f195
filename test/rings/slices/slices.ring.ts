import { writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConfigInput } from '../../../src/config/schema.js';
import { importers } from '../../../src/importers/table.js';
import { hostileText, hostileUnits, unitName } from '../../growth/hostile-units.js';
import { exportAs } from '../../importers/exports.js';
import { moreExports } from '../../importers/more-exports.js';
import { turns } from '../../support/conversation.js';
import { gardenEssay } from '../../support/essay.js';
import { limits } from '../../support/limits.js';
import { startServer, type TestServer } from '../../support/server.js';
import { clientThread, longestSlice, type Sent } from '../../support/slices.js';

/*
 * No request holds the event loop for 50 ms, so that /health and everyone else's requests are answered meanwhile: the
 * longest turn during each kind of request that reads text, at the default limits, without and with the models that ship.
 * The first of a kind compiles what it runs, a garbage collection may fall into any turn, and other processes slow down this
 * one, so the best of five tries counts. A real long slice is in all of them.
 */

const longest = 50;
const attempts = 5;

/** In CI every third of a table, beginning elsewhere in each, so that tables of the same texts do not leave out the same. */
const isPart = process.env.SLICES_PART === '1';
function thirdOf<T>(cases: readonly T[], from: number): readonly T[] {
  return isPart ? cases.filter((_, index) => index % 3 === from) : cases;
}

/** On a busy machine a search through dozens of messages of a megabyte takes a minute. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let client: ReturnType<typeof clientThread>;
const measured: { name: string; slice: number }[] = [];

/** A server for the cases of one block; what they send goes to it. */
function serving(overrides: ConfigInput): void {
  let server: TestServer;
  beforeAll(async () => {
    // A busy machine may take minutes for the largest write.
    server = await startServer({
      providers: { vector_db: 'lancedb' },
      storage: { timeout_ms: 600_000 },
      ...overrides,
    });
    client = clientThread(server.url);
    for (let round = 0; round < 20; round++) {
      await client.prepare(insert(`${round} I live in Rome with "Eva" since 2026-01-01. ${gardenEssay(200)}`))();
    }
  });
  afterAll(async () => {
    await client.stop();
    await server.remove();
  });
}

afterAll(() => {
  measured.sort((one, other) => other.slice - one.slice);
  const worst = measured.slice(0, 12).map(({ name, slice }) => `${Math.round(slice)} ms ${name}`);
  writeSync(1, `slices: ${measured.length} requests, the longest turns:\n  ${worst.join('\n  ')}\n`);
});

function post(path: string, input: object): Sent {
  return { path, body: JSON.stringify(input) };
}

function insert(...texts: string[]): Sent {
  return post('/memory/insert', { messages: turns(...texts) });
}

/** Sends it until a try holds the loop for less than the limit. The number makes each a new conversation. */
async function expectShort(
  sent: (round: number) => Sent,
  isWanted: (status: number) => boolean = (status) => status === 200,
) {
  let best = Number.POSITIVE_INFINITY;
  let path = '';
  for (let round = 0; round < attempts && best >= longest; round++) {
    const request = sent(round);
    path = request.path.split('?', 1)[0] ?? '';
    const send = client.prepare(request);
    let status = 0;
    const slice = await longestSlice(async () => {
      status = (await send()).status;
    });
    expect({ path, status, isWanted: isWanted(status) }).toEqual({ path, status, isWanted: true });
    best = Math.min(best, slice);
  }
  measured.push({ name: `${path}: ${expect.getState().currentTestName?.split(' > ').at(-1)}`, slice: best });
  expect({ path, slice: best < longest ? 'short' : `${Math.round(best)} ms` }).toEqual({ path, slice: 'short' });
}

function expectRefused(sent: () => Sent): Promise<void> {
  return expectShort(sent, (status) => status === 400 || status === 413 || status === 422);
}

/** As many bytes as one message may have, beside a number in front. */
const mostBytes = limits.maxMessageBytes - 100;

function filled(unit: string, bytes = mostBytes): string {
  return unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
}

const code = Array.from(
  { length: 18_000 },
  (_, index) => `  const value${index} = await read(path[${index}], { deep: ${index % 2 === 0} });\n`,
)
  .join('')
  .slice(0, mostBytes);
/** No two neighbours are the same pair soon. */
const chinese = Array.from({ length: Math.floor(mostBytes / 3) }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
).join('');
const prose = gardenEssay(160_000).slice(0, mostBytes);

const largest: Record<string, string> = {
  prose,
  code,
  Chinese: chinese,
  'one word': filled('漢'),
  'list marks': filled('*'),
  'names with hyphens': filled('A-'),
  'camel case': filled('aB'),
  marks: filled('a\u0316\u0301'),
  statements: filled('I live in Rome and I like tea. '),
  names: filled('Nora and '),
  'names after a verb': filled('Zorbla Instagram Stories frobnicate marmalade. '),
  quotes: filled('"'),
  dates: filled('2026-01-01 '),
  secrets: filled('password='),
};

const longestQuery = 32_768;
const queries: Record<string, string> = {
  ...Object.fromEntries(Object.entries(largest).map(([name, text]) => [name, text.slice(0, longestQuery)])),
  'a quotation': `"${prose.slice(0, longestQuery - 2)}"`,
  'many quotations': '"the roses" '.repeat(longestQuery).slice(0, longestQuery - 12),
};

/** Every so many of the table of hostile units, at the length of the longest query. */
const hostile = hostileUnits.filter((_, index) => index % 12 === 5);

describe('the measure', () => {
  const busy = (milliseconds: number): void => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };

  it('sees a turn that holds the loop, and not the same work in portions', async () => {
    // On a busy machine the processor works on it for a part of the time only.
    expect(await longestSlice(async () => busy(1_000))).toBeGreaterThan(longest);
    const portions = async () => {
      for (let portion = 0; portion < 20; portion++) {
        busy(5);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    expect(await longestSlice(portions)).toBeLessThan(longest);
  });
});

describe('no turn of the event loop is longer than 50 ms', () => {
  serving({});

  it.each(thirdOf(Object.entries(largest), 0))('while the largest message is inserted: %s', async (_, text) => {
    await expectShort((round) => insert(`${round} ${text}`));
  });

  it('while a conversation of the most messages is inserted', async () => {
    const texts = Array.from(
      { length: limits.maxMessages - 1 },
      (_, index) => `${index} We spoke about the roof and rain.`,
    );
    await expectShort((round) => insert(`${round}`, ...texts));
  });

  it.each([
    ['objects', '{}', 98_000],
    ['objects with a key', '{"a":0}', 49_000],
    ['numbers', '0', 98_000],
    ['lists', '[]', 98_000],
    ['texts', '"some text"', 70_000],
  ])('while a conversation with metadata of many %s is inserted', async (_, value, most) => {
    const values = Array.from({ length: most }, () => value).join(',');
    await expectShort((round) => ({
      path: '/memory/insert',
      body: `{"messages":${JSON.stringify(turns(`${round} A roof.`))},"metadata":{"round":${round},"list":[${values}]}}`,
    }));
  });

  it('while the largest body is prepared', async () => {
    const texts = Array.from({ length: 24 }, (_, index) => `${index} ${prose}`);
    await expectShort(() => ({ ...insert(...texts), path: '/memory/validate' }));
  });

  it.each([
    ['of empty objects', '{"messages":[', '{},', '{}]}'],
    ['of keys', '{"messages":[],"metadata":{', '"a":0,', '"a":0}}'],
    ['of numbers', '[', '0,', '0]'],
    ['of brackets', '', '[', ''],
    ['of escapes', '{"messages":[{"role":"user","text":"', '\\u0041', '"}]}'],
  ])('while the largest body %s is refused', async (_, head, unit, tail) => {
    const most = Math.floor((limits.maxBodyBytes - 1_000) / unit.length);
    await expectRefused(() => ({ path: '/memory/insert', body: `${head}${unit.repeat(most)}${tail}` }));
  });

  it.each(thirdOf(Object.entries(queries), 1))(
    'during a search and a question of the longest query: %s',
    async (_, query) => {
      await expectShort(() => post('/memory/search', { query }));
      await expectShort(() => post('/memory/ask', { question: query }));
    },
  );

  it.each(thirdOf(hostile, 0).map((unit) => [unitName(unit), unit] as const))(
    'during a search and a question of a hostile text: %s',
    async (_, unit) => {
      const query = hostileText(unit, longestQuery - 200).slice(0, longestQuery);
      await expectShort(() => post('/memory/search', { query: `x ${query}`.slice(0, longestQuery), top_k: 5 }));
      await expectShort(() => post('/memory/ask', { question: `x ${query}`.slice(0, longestQuery) }));
    },
  );

  it.each(['chunks', 'compact', 'conversations', 'threads'])('during a search with results as %s', async (mode) => {
    await expectShort(() => post('/memory/search', { query: 'Which roses need shade?', result_mode: mode, top_k: 20 }));
  });

  it.each([
    ['/memory/ask', { question: 'Which roses need shade?' }],
    ['/memory/ask', { question: 'Which roses need shade?', max_context_tokens: 4_000 }],
    ['/memory/facts/search', { query: 'Rome' }],
    ['/memory/facts/search', { query: prose.slice(0, longestQuery) }],
    ['/memory/profile/get', {}],
    ['/memory/conversations/list', {}],
    ['/memory/forget', { source: 'unknown', dry_run: true }],
  ])('over large messages: %s %#', async (path, input) => {
    await expectShort(() => post(path, input));
  });

  it.each(['jsonl', 'markdown', 'html'])('while everything is exported as %s', async (format) => {
    await expectShort(() => ({ path: `/memory/export?format=${format}` }));
  });

  const formats = thirdOf(Object.entries({ ...exportAs, ...moreExports }), 0);
  it.each(formats)('while an export with two of the largest messages is read: %s', async (format, write) => {
    const name = format.split('/')[0];
    const importer = importers.find((each) => each.name === name);
    await expectShort((round) => {
      const said = [
        { role: 'user' as const, text: `${format} ${round} ${prose}`.slice(0, mostBytes) },
        { role: 'assistant' as const, text: `${format} ${round} ${code}`.slice(0, mostBytes) },
      ];
      const id = `0b6d1b3e-3c5e-4a8e-9c41-00000000000${round}`;
      const files = write([{ id, title: 'Title', time: '2026-03-01T10:00:00.000Z', turns: said }]);
      const [path, body] = Object.entries(files).find(([each]) => importer?.accepts(each) === true) ?? [];
      if (path === undefined || body === undefined) throw new Error(`no file of ${format}`);
      return {
        path: `/memory/import?dry_run=true&format=${name}&filename=${encodeURIComponent(path)}`,
        body,
        headers: { 'content-type': 'application/octet-stream' },
      };
    });
  });
});

describe('no turn is longer than 50 ms with the models that ship', () => {
  serving({ models: { reader: true, tagger: true, deep_index: true } });

  /** Asked of the model in parts, tagged and encoded in the background. */
  const read = ['prose', 'code', 'Chinese', 'statements', 'names', 'dates', 'camel case', 'quotes'];
  it.each(thirdOf(read, 2))('while the largest message is inserted: %s', async (name) => {
    await expectShort((round) => insert(`${round} ${largest[name]}`, 'Thank you.', `${largest[name]}`));
  });

  it.each([
    'Which roses need shade?',
    'Where do I live?',
    'When did Nora call on 2026-01-01?',
    'What did Nora and Eva say about tea last week?',
    `${chinese.slice(100, 108)}？`,
    'value7 await read(path)',
  ])('during a question and a search: %s', async (text) => {
    await expectShort(() => post('/memory/ask', { question: text }));
    await expectShort(() => post('/memory/ask', { question: text, rerank: true }));
    await expectShort(() => post('/memory/search', { query: text, rerank: true, top_k: 20 }));
  });

  it.each(['Chinese', 'prose', 'dates'])('during a question and a search of the longest query: %s', async (name) => {
    await expectShort(() => post('/memory/ask', { question: queries[name] }));
    await expectShort(() => post('/memory/search', { query: queries[name], rerank: true }));
  });

  it.each(['roses -tulips', '"the roses"', 'garden has:image', 'tea sort', '-value9'])(
    'during a search with operators: %s',
    async (query) => {
      await expectShort(() => post('/memory/search', { query, result_mode: 'compact', top_k: 20 }));
    },
  );
});
