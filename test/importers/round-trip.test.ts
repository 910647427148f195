import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import type { Found, Importer, SourceFile } from '../../src/importers/contract.js';
import { filesAt } from '../../src/importers/reading/files.js';
import { importers } from '../../src/importers/table.js';
import { importConversations } from '../../src/operations/import-conversations.js';
import fc from '../support/properties.js';
import { aFolder, aService, type TestService } from '../support/service.js';
import { exportAs, type Files, imageNotes, type Known, keepsBranches, timesOfTurns } from './exports.js';

const id = (number: number) => `0b6d1b3e-3c5e-4a8e-9c41-${String(number).padStart(12, '0')}`;
const awkward: Known[] = [
  {
    id: id(1),
    title: 'Bicycle 🚲',
    time: '2026-03-01T10:00:00.000Z',
    turns: [
      { role: 'user', text: 'My chain squeaks. 🛠️ What now?', image: true },
      { role: 'assistant', text: 'Oil it:\n\n```sh\necho "oil, please" | tee chain\n```' },
    ],
    left: { role: 'assistant', text: 'Buy a new one. 🤷🏽‍♀️' },
  },
  {
    id: id(2),
    title: 'ملاحظة',
    time: '2026-03-02T11:30:00.000Z',
    turns: [
      { role: 'user', text: 'مرحبا، كيف الحال؟' },
      { role: 'assistant', text: 'بخير، شكرا! "quoted", \\back\\slash\\ and [brackets] {braces}' },
    ],
  },
  {
    id: id(3),
    title: 'Long',
    time: '2026-03-03T00:00:00.000Z',
    turns: [
      { role: 'user', text: 'Tell me everything.' },
      { role: 'assistant', text: 'word '.repeat(60_000).trim() },
    ],
  },
];

/** What must be stored, in the words of the format: images noted, empty turns nothing, branches beside. */
function expected(format: string, conversations: readonly Known[]): string[] {
  const [name = ''] = format.split('/');
  return conversations.flatMap(({ turns, left }) => {
    const [first, ...rest] = turns
      // Our own export keeps a turn without text; in those of others it means nothing.
      .filter(({ text }) => text !== '' || name === 'threadkeep')
      .map(({ role, text, image }) => {
        const note = image && imageNotes[name] !== undefined ? `\n\n${imageNotes[name]}` : '';
        return `${role}: ${text}${note}`;
      });
    if (first === undefined) return [];
    const beside = left !== undefined && keepsBranches.has(name) ? [first, `${left.role}: ${left.text}`] : [];
    return [first, ...rest, ...beside];
  });
}

async function written(files: Files): Promise<string> {
  const folder = await aFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

async function* readAll(importer: Importer, path: string): AsyncGenerator<Found> {
  for await (const file of filesAt(path, importer)) yield* importer.read(file);
}

function importInto({ service }: TestService, importer: Importer, path: string) {
  return importConversations(service, { principal: localPrincipal, defaultSource: 'cli' }, readAll(importer, path));
}

async function storedTurns(service: TestService): Promise<string[]> {
  const { body } = await service.request('/memory/conversations/list', { order: 'oldest', limit: 100 });
  const turns: string[] = [];
  for (const { id } of body.results as { id: string }[]) {
    const { body: found } = await service.request('/memory/retrieve', { id });
    const { messages } = found.memory as { messages: { role: string; text: string }[] };
    turns.push(...messages.map(({ role, text }) => `${role}: ${text}`));
  }
  return turns;
}

function importerOf(format: string): Importer {
  const found = importers.find(({ name }) => name === format.split('/')[0]);
  if (found === undefined) throw new Error(`no importer ${format}`);
  return found;
}

describe.each(Object.entries(exportAs))('import %s', (name, write) => {
  const importer = importerOf(name);

  it('brings in every message once, and a second time nothing', async () => {
    const folder = await written(write(awkward));
    const service = await aService();
    const wanted = expected(name, awkward);
    const found = keepsBranches.has(name) ? 4 : 3;
    const report = await importInto(service, importer, folder);
    expect(report).toMatchObject({ read: found, imported: found, duplicates: 0, skipped: 0, messages: wanted.length });
    expect((await storedTurns(service)).sort()).toEqual([...wanted].sort());
    const again = await importInto(service, importer, folder);
    expect(again).toMatchObject({ read: found, imported: 0, appended: 0, duplicates: found, messages: 0 });
  });

  it('keeps when each message was said', async () => {
    const time = '2025-01-10T09:00:00.000Z';
    const said = ['2026-05-03T10:00:00.000Z', '2026-05-03T10:00:07.000Z'];
    const turns = [
      { role: 'user' as const, text: 'I live in Inverness now.', time: said[0] ?? '' },
      { role: 'assistant' as const, text: 'Noted.', time: said[1] ?? '' },
    ];
    const folder = await written(write([{ id: id(5), title: 'Moving', time, turns }]));
    const service = await aService();
    await importInto(service, importer, folder);
    const { body: list } = await service.request('/memory/conversations/list', {});
    const [stored] = list.results as { id: string }[];
    const { body } = await service.request('/memory/retrieve', { id: stored?.id });
    const wanted = timesOfTurns[name]?.(said, time) ?? said;
    expect(body.memory).toMatchObject({ messages: wanted.map((timestamp) => ({ timestamp })) });
  });

  it('after an import of a part of the export gives what the whole gives', async () => {
    const [first, second] = awkward;
    if (first === undefined || second === undefined) throw new Error('nothing to write');
    // An answer without text: stopped, or only a tool at work.
    const empty: Known = {
      ...second,
      id: id(4),
      turns: [
        { role: 'user', text: 'And then?' },
        { role: 'assistant', text: '' },
      ],
    };
    const known = [first, second, empty];
    const files = write(known);
    const wanted = [...expected(name, known)].sort();
    const random = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), { numRuns: 2, seed: 11 });
    for (const share of random) {
      const service = await aService();
      const cut = Object.fromEntries(
        Object.entries(files).map(([path, content]) => {
          const bytes = Buffer.from(content as string);
          return [path, bytes.subarray(0, Math.floor(bytes.length * share))] as const;
        }),
      );
      const partial = await importInto(service, importer, await written(cut));
      expect(partial.duplicates).toBe(0);
      const stored = await storedTurns(service);
      expect(stored.filter((turn) => !wanted.includes(turn))).toEqual([]);
      await importInto(service, importer, await written(files));
      expect((await storedTurns(service)).sort()).toEqual(wanted);
    }
  });

  it('never fails on a damaged export, and keeps what is whole', async () => {
    const [[path, content] = ['', '']] = Object.entries(write(awkward.slice(0, 2)));
    const bytes = Buffer.from(content as string);
    const folder = await aFolder();
    const damage = fc.record({ cut: fc.nat(), at: fc.nat(), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(damage, async ({ cut, at, byte }) => {
        const broken = Buffer.from(bytes.subarray(0, 1 + (cut % bytes.length)));
        broken[at % broken.length] = byte;
        const onDisk = join(folder, 'broken');
        await writeFile(onDisk, broken);
        const file: SourceFile = {
          path,
          onDisk,
          async *read() {
            yield broken;
          },
        };
        for await (const found of importer.read(file)) {
          if (found.kind === 'conversation') expect(found.conversation.messages.length).toBeGreaterThan(0);
          else if (found.kind === 'skipped') expect(found.reason).not.toBe('');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('passes over what is broken and keeps the rest', async () => {
    const [broken, ...whole] = awkward.map(({ left: _, ...each }): Known => ({ ...each, title: 'T' }));
    if (broken === undefined) throw new Error('nothing to write');
    const marked: Known = { ...broken, turns: [{ role: 'user', text: 'B-R-O-K-E-N' }] };
    const files = Object.entries(write([marked, ...whole])).map(([path, content]) => {
      const bytes = Buffer.from(content as string);
      // The quote that ends the text is gone, and the line or conversation around it is not JSON any more.
      const at = bytes.indexOf('B-R-O-K-E-N');
      if (at >= 0) bytes.write('B-R-"O"-K-E', at);
      return [path, bytes] as const;
    });
    const service = await aService();
    const report = await importInto(service, importer, await written(Object.fromEntries(files)));
    expect(report.skipped).toBeGreaterThan(0);
    expect(report.examples[0]?.place).not.toContain('B-R');
    expect((await storedTurns(service)).sort()).toEqual(expected(name, whole).sort());
  });
});

describe('a turn that is longer than the limit', () => {
  it('arrives as several turns, and a second time as nothing', async () => {
    if (json === undefined) throw new Error('no importer');
    const service = await aService({ limits: { max_message_bytes: 10_000, max_messages: 4 } });
    const line = 'A line of the very long text.\n';
    const messages = [
      { role: 'user', text: line.repeat(1_000) },
      { role: 'assistant', text: 'Short.' },
    ];
    const folder = await written({ 'chats.json': JSON.stringify([{ id: 'x', messages }]) });
    expect(await importInto(service, json, folder)).toMatchObject({ imported: 2, skipped: 0 });
    const text = (await storedTurns(service)).map((turn) => turn.replace(/^\w+: /, '')).join('\n');
    expect(text.split('\n').filter((each) => each === line.trim())).toHaveLength(1_000);
    expect(await importInto(service, json, folder)).toMatchObject({ imported: 0, duplicates: 2 });
  });
});

const chatgpt = importers.find(({ name }) => name === 'chatgpt');
const json = importers.find(({ name }) => name === 'json');

describe('branches of a ChatGPT conversation', () => {
  it('arrive whole: what was shown as one conversation, what was left beside it under the same thread', async () => {
    if (chatgpt === undefined) throw new Error('no importer');
    const node = (id: string, parent: string | null, children: string[], role: string, text: string) => ({
      id,
      parent,
      children,
      message: { author: { role }, content: { content_type: 'text', parts: [text] }, recipient: 'all', metadata: {} },
    });
    const chat = {
      conversation_id: 'c1',
      title: 'Soup',
      create_time: 1_772_000_000,
      current_node: 'answer-2',
      mapping: Object.fromEntries(
        [
          node('question', null, ['answer-1', 'answer-2'], 'user', 'Which soup?'),
          node('answer-1', 'question', ['follow'], 'assistant', 'Tomato.'),
          node('follow', 'answer-1', [], 'user', 'No tomatoes, please.'),
          node('answer-2', 'question', [], 'assistant', 'Leek.'),
        ].map((each) => [each.id, each]),
      ),
    };
    const service = await aService();
    const report = await importInto(service, chatgpt, await written({ 'conversations.json': JSON.stringify([chat]) }));
    expect(report).toMatchObject({ imported: 2, messages: 5 });
    const { body } = await service.request('/memory/conversations/list', { thread_id: 'chatgpt:c1' });
    expect(body.total).toBe(2);
    expect((await storedTurns(service)).sort()).toEqual([
      'assistant: Leek.',
      'assistant: Tomato.',
      'user: No tomatoes, please.',
      'user: Which soup?',
      'user: Which soup?',
    ]);
  });
});

describe('a conversation that has grown since the last import', () => {
  it('is continued; one whose beginning was changed is kept beside the old one', async () => {
    if (json === undefined) throw new Error('no importer');
    const service = await aService();
    const first = { id: 'x', messages: [{ role: 'user', text: 'one' }] };
    const grown = { id: 'x', messages: [...first.messages, { role: 'assistant', text: 'two' }] };
    const other = { id: 'x', messages: [{ role: 'user', text: 'another beginning' }] };
    const run = async (chat: object) =>
      importInto(service, json, await written({ 'chats.json': JSON.stringify([chat]) }));
    expect(await run(first)).toMatchObject({ imported: 1, messages: 1 });
    expect(await run(grown)).toMatchObject({ imported: 0, appended: 1, messages: 1 });
    expect(await run(other)).toMatchObject({ imported: 1, messages: 1 });
    expect((await storedTurns(service)).sort()).toEqual(['assistant: two', 'user: another beginning', 'user: one']);
  });
});

describe('rows of a table', () => {
  it('become conversations by their field names, including custom ones', async () => {
    if (json === undefined) throw new Error('no importer');
    const csv =
      'Conversation,Time,Author,Message\nTrip,2026-03-01T10:00:00Z,Human,"Where to, then?"\nTrip,2026-03-01T10:00:05Z,AI,"Say ""Lisbon"".\nOr Porto."\n';
    const folder = await written({ 'activity.csv': csv, 'odd.CSV': 'who,body\nme,Hello there\n' });
    const collected: Found[] = [];
    for await (const file of filesAt(folder, json)) {
      for await (const found of json.read(file, {
        fields: file.path === 'odd.CSV' ? { role: 'who', text: 'body' } : {},
      })) {
        collected.push(found);
      }
    }
    expect(collected).toMatchObject([
      {
        conversation: {
          timestamp: '2026-03-01T10:00:00.000Z',
          messages: [
            { role: 'user', text: 'Where to, then?' },
            { role: 'assistant', text: 'Say "Lisbon".\nOr Porto.' },
          ],
          metadata: { upstream_thread_id: 'Trip' },
        },
      },
      { conversation: { messages: [{ role: 'user', text: 'Hello there' }] } },
    ]);
  });
});
