import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import type { Found, Importer } from '../../src/importers/contract.js';
import { filesAt, foundIn } from '../../src/importers/reading/files.js';
import { formatsAt, importers } from '../../src/importers/table.js';
import { atLength } from '../support/length.js';
import fc from '../support/properties.js';
import { aFolder } from '../support/service.js';
import { exportAs, type Files, type Known } from './exports.js';
import { betweenPeople, moreExports } from './more-exports.js';
import { conversationsOf } from './reading.js';

const all = { ...exportAs, ...moreExports };
const id = (number: number) => `0b6d1b3e-3c5e-4a8e-9c41-${String(number).padStart(12, '0')}`;

const known: Known[] = [
  {
    id: id(1),
    title: 'Bicycle',
    time: '2026-03-21T10:00:00.000Z',
    turns: [
      { role: 'user', text: 'My chain squeaks. 🛠️ What now & then?', time: '2026-03-21T10:00:00.000Z' },
      { role: 'assistant', text: 'Oil it, then turn the pedals.', time: '2026-03-21T10:01:00.000Z' },
      { role: 'user', text: 'It is quiet <now>.', time: '2026-03-21T10:02:00.000Z' },
      { role: 'assistant', text: 'Good to hear.', time: '2026-03-21T10:03:00.000Z' },
    ],
    left: { role: 'assistant', text: 'Buy a new one.' },
  },
  {
    id: id(2),
    title: 'Notes',
    time: '2026-03-22T11:30:00.000Z',
    turns: [
      { role: 'user', text: 'مرحبا، كيف الحال؟', time: '2026-03-22T11:30:00.000Z' },
      { role: 'assistant', text: 'بخير "quoted", \\back\\slash [x] {y}', time: '2026-03-22T11:31:00.000Z' },
    ],
  },
];

type Shape = Record<string, unknown>;

/** What a message looks like in the files of each program, seen without its importer. An exchange is two. */
const messages: Record<string, (value: Shape) => number> = {
  chatgpt: (value) => Number(isShape(value.author) && isShape(value.content)),
  claude: ({ sender }) => Number(sender !== undefined),
  'gemini-takeout': ({ header, safeHtmlItem }) =>
    header === undefined ? 0 : 1 + Number(Array.isArray(safeHtmlItem) && safeHtmlItem.length > 0),
  'claude-code': ({ type, message }) => Number((type === 'user' || type === 'assistant') && message !== undefined),
  codex: ({ type, role }) => Number(type === 'message' && role !== undefined),
  'gemini-cli': ({ type, content }) => Number(type !== undefined && content !== undefined),
  'copilot-chat': ({ message, response }) => (message !== undefined && response !== undefined ? 2 : 0),
  'copilot-cli': ({ type }) => Number(type === 'user.message' || type === 'assistant.message'),
  opencode: ({ info, parts }) => Number(info !== undefined && parts !== undefined),
  'open-webui': ({ childrenIds }) => Number(childrenIds !== undefined),
  'lm-studio': ({ type }) => Number(type === 'singleStep' || type === 'multiStep'),
  threadkeep: ({ role, text }) => Number(role !== undefined && text !== undefined),
  json: ({ role, text }) => Number(role !== undefined && text !== undefined),
  librechat: ({ messageId }) => Number(messageId !== undefined),
  cline: ({ ts }) => Number(ts !== undefined),
  continue: ({ message, contextItems }) => Number(message !== undefined && contextItems !== undefined),
  zed: ({ User, Agent, metadata }) => Number((User ?? Agent ?? metadata) !== undefined),
  goose: ({ role }) => Number(role !== undefined),
  amp: ({ messageId }) => Number(messageId !== undefined),
  grok: ({ response }) => Number(response !== undefined),
  deepseek: ({ message }) => Number(isShape(message)),
  'le-chat': ({ chatId }) => Number(chatId !== undefined),
  'cursor-agent': ({ role }) => Number(role !== undefined),
  slack: ({ ts }) => Number(ts !== undefined),
  telegram: ({ date_unixtime, action }) => Number((date_unixtime ?? action) !== undefined),
  discord: ({ Contents, author }) => Number((Contents ?? author) !== undefined),
};

/** Formats that are lines of text. */
const inText: Record<string, RegExp> = {
  windsurf: /^### /gm,
  perplexity: /^# |⁂/gm,
  whatsapp: /^\d\d\/\d\d\/\d{4}, /gm,
  aider: /^#### |^> (Aider|Tokens)|^(Oil|Good|بخير)/gm,
  'microsoft-copilot': /^"(Bicycle|Notes)"/gm,
  jetbrains: /<SerializedChatMessage>/g,
};

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function countIn(value: unknown, count: (value: Shape) => number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + countIn(each, count), 0);
  return inner + (isShape(value) ? count(value) : 0);
}

async function written(files: Files): Promise<string> {
  const folder = await aFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** JSON values of a database: those in its columns, or bytes that hold JSON. */
function valuesIn(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all() as Shape[]);
  database.close();
  return rows;
}

function parsed(value: unknown): unknown {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  if (typeof text !== 'string' || !/^[[{]/.test(text)) return undefined;
  return JSON.parse(text);
}

/** How many messages are in the files, by a look at them that knows nothing of the importer. */
async function messagesAt(format: string, folder: string, files: Files): Promise<number> {
  const [name = ''] = format.split('/');
  let sum = 0;
  for (const [path, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : '';
    if (path.endsWith('.events')) sum += text.split('\n').slice(1, -1).length;
    else if (inText[name] !== undefined) sum += [...text.matchAll(inText[name])].length;
    else if (/\.(db|vscdb)$/.test(path)) {
      const rows = valuesIn(join(folder, path));
      if (name === 'cursor') sum += rows.filter((row) => /^bubbleId:/.test(String((row as Shape).key))).length;
      else if (name === 'opencode')
        sum += rows.filter((row) => 'session_id' in (row as Shape) && !('message_id' in (row as Shape))).length;
      else if (name === 'goose') sum += rows.filter((row) => 'content_json' in (row as Shape)).length;
      else
        sum += countIn(
          rows.flatMap((row) => Object.values(row as Shape).map(parsed)),
          messages[name] ?? (() => 0),
        );
    } else if (path.endsWith('.jsonl')) {
      for (const line of text.split('\n').filter((each) => each !== ''))
        sum += countIn(JSON.parse(line), messages[name] ?? (() => 0));
    } else if (path !== 'users.json') sum += countIn(JSON.parse(text), messages[name] ?? (() => 0));
  }
  return sum;
}

async function read(importer: Importer, folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for await (const file of filesAt(folder, importer))
    for await (const each of foundIn(importer, file)) found.push(each);
  return found;
}

/** Messages that are kept and that are named. A turn that two branches share is one message. */
function accountOf(found: readonly Found[]): { kept: number; named: number } {
  const kept = new Set(
    conversationsOf(found).flatMap(({ messages: turns, metadata }) =>
      turns.map(({ text }) => `${metadata.thread_id ?? metadata.upstream_thread_id} ${text}`),
    ),
  );
  const named = found.flatMap((each) => ('leftOut' in each ? Object.values(each.leftOut ?? {}) : []));
  return { kept: kept.size, named: named.reduce((sum, count) => sum + count, 0) };
}

function importerOf(format: string): Importer {
  const found = importers.find(({ name }) => name === format.split('/')[0]);
  if (found === undefined) throw new Error(`no importer ${format}`);
  return found;
}

it('every format is written by a test', () => {
  const names = new Set(Object.keys(all).map((name) => name.split('/')[0]));
  expect(importers.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
});

describe.each(Object.entries(all))('%s', (format, write) => {
  const importer = importerOf(format);
  const conversations = format.startsWith('gemini-takeout')
    ? known.map((each) => ({ ...each, turns: each.turns.slice(0, 2) }))
    : known;

  it('keeps or names every message of the file', async () => {
    const files = write(conversations);
    const folder = await written(files);
    const { kept, named } = accountOf(await read(importer, folder));
    expect(kept + named).toBe(await messagesAt(format, folder, files));
    const wanted = conversations.flatMap(({ turns, left }) => [...turns, ...(left ? [left] : [])]);
    expect(kept).toBeGreaterThanOrEqual(wanted.length - 1);
  });

  it('is recognised by its content, alone and in its folder', async () => {
    const folder = await written(write(conversations));
    expect((await formatsAt(folder)).map(({ name }) => name)).toEqual([importer.name]);
  });

  it('keeps every word and its order', async () => {
    const found = conversationsOf(await read(importer, await written(write(conversations))));
    const texts = found.flatMap(({ messages: turns }) => turns.map(({ text }) => text));
    for (const { turns } of conversations) {
      const isLabelled = betweenPeople.has(importer.name);
      const said = turns.map(({ text }) => text);
      const places = said.map((text) =>
        texts.findIndex((each) => (isLabelled ? each.endsWith(`: ${text}`) : each.trim() === text)),
      );
      expect(places).toEqual(places.map((_, index) => (places[0] ?? 0) + index));
      expect(places).not.toContain(-1);
    }
  });
});

/** Values of a message that other versions of a program may write in its place. */
const oddities = [null, 0, '', [], {}, true, 'another word'];

const changeable = Object.entries(all).filter(([format]) => messages[format.split('/')[0] ?? ''] !== undefined);

describe.each(changeable)('%s with a value of another kind somewhere', (format, write) => {
  const importer = importerOf(format);
  const [name = ''] = format.split('/');
  const count = messages[name] ?? (() => 0);

  it('keeps or names every message', async () => {
    const files = write(
      known.map((each) => (name === 'gemini-takeout' ? { ...each, turns: each.turns.slice(0, 2) } : each)),
    );
    const folder = await written(files);
    const texts = Object.entries(files).filter(
      ([path, content]) => typeof content === 'string' && /\.jsonl?$/.test(path) && path !== 'users.json',
    );
    if (texts.length === 0) return;
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.constantFrom(...oddities), async (file, place, oddity) => {
        const [path = '', content = ''] = texts[file % texts.length] ?? [];
        const changed = withOddity(String(content), path, { count, place, oddity });
        if (changed === undefined) return;
        await writeFile(join(folder, path), changed);
        const { kept, named } = accountOf(await read(importer, folder));
        const there = await messagesAt(format, folder, { ...files, [path]: changed });
        await writeFile(join(folder, path), content);
        expect({ path, changed, sum: kept + named }).toEqual({ path, changed, sum: there });
      }),
      { numRuns: atLength(15, 60) },
    );
  });
});

/** Changes one value inside of one message, but none by which the look from outside knows a message. */
function withOddity(
  content: string,
  path: string,
  { count, place, oddity }: { count: (value: Shape) => number; place: number; oddity: unknown },
): string | undefined {
  const isLines = path.endsWith('.jsonl');
  const values: unknown[] = isLines
    ? content
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [JSON.parse(content)];
  const places: { owner: Shape; key: string }[] = [];
  const walk = (value: unknown, isInside: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    const inside = isInside || (isShape(value) && count(value) > 0);
    for (const [key, each] of Object.entries(value)) {
      if (inside && isShape(value) && typeof each !== 'object') places.push({ owner: value, key });
      walk(each, inside);
    }
  };
  walk(values, false);
  const chosen = places[place % places.length];
  if (chosen === undefined) return undefined;
  const before = values.reduce((sum: number, each) => sum + countIn(each, count), 0);
  chosen.owner[chosen.key] = oddity;
  const after = values.reduce((sum: number, each) => sum + countIn(each, count), 0);
  if (before !== after) return undefined;
  return isLines ? `${values.map((each) => JSON.stringify(each)).join('\n')}\n` : JSON.stringify(values[0]);
}

describe('a damaged file', () => {
  it.each(Object.entries(all))('of %s never fails, and what is found of it is whole', async (format, write) => {
    const importer = importerOf(format);
    const files = Object.entries(write(known)).filter(([path]) => importer.accepts(path));
    const folder = await written(write(known));
    const damage = fc.record({ file: fc.nat(), cut: fc.nat(), at: fc.nat(), byte: fc.nat(255), keep: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, cut, at, byte, keep }) => {
        const [path = '', content = ''] = files[file % files.length] ?? [];
        const bytes = Buffer.from(content as string);
        const broken = keep ? Buffer.from(bytes) : Buffer.from(bytes.subarray(0, 1 + (cut % bytes.length)));
        broken[at % broken.length] = byte;
        await writeFile(join(folder, path), broken);
        for (const each of await read(importer, folder)) {
          if (each.kind === 'conversation') expect(each.conversation.messages.length).toBeGreaterThan(0);
          if (each.kind === 'skipped') expect(each.reason).not.toBe('');
        }
        await formatsAt(folder);
        await writeFile(join(folder, path), bytes);
      }),
      { numRuns: atLength(10, 40) },
    );
  });
});
