import * as zlib from 'node:zlib';
import { createTally, type Found, type Importer, limits, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged } from '../reading/chats.js';
import { jsonColumn, openDatabase } from '../reading/database.js';
import { joined, list, object, present, readJsonFile, type Shape, saidAt, text, time } from '../reading/json.js';
import { otherAgents } from '../reading/session-log.js';

const roots = ['.local/share/zed', 'Library/Application Support/Zed', 'AppData/Local/Zed'];

/** Zed: the database of its agent threads, and the files of its text threads. */
export const zed: Importer = {
  name: 'zed',
  label: 'Zed',
  howTo: 'It keeps its threads in ~/.local/share/zed; give threads/threads.db or the folder conversations',
  accepts: (path) => /(^|\/)threads\.db$/.test(path) || path.endsWith('.zed.json'),
  recognises: ({ text: head, tables }) =>
    tables?.get('threads')?.has('data_type') === true ||
    (/"zed"\s*:\s*"context"/.test(head) && /"messages"\s*:/.test(head)),
  places: roots.flatMap((root) => [`${root}/threads`, `${root}/conversations`]),
  rewrites: true,
  read: (file) => (file.path.endsWith('.db') ? threads(file) : readJsonFile(file, textThread)),
};

async function* threads(file: SourceFile): AsyncGenerator<Found> {
  const skipped = (reason: string, place = file.path): Found => ({ kind: 'skipped', place, reason });
  if (file.onDisk === undefined) {
    yield skipped('a database can only be read from disk; unpack it first');
    return;
  }
  const database = await openDatabase(file.onDisk);
  if (database?.tables.get('threads')?.has('data') !== true) {
    database?.close();
    yield skipped('it is not a Zed database');
    return;
  }
  try {
    for (const row of [...database.rows('SELECT * FROM threads ORDER BY id')]) {
      const place = `${file.path} ${String(row.id)}`;
      const thread = threadIn(row);
      if (typeof thread === 'string') yield skipped(thread, place);
      else yield threadOf(thread, row, place);
    }
  } catch {
    // Readable threads were already yielded; the damaged ones cannot be recovered.
    yield skipped('the database is damaged');
  } finally {
    database.close();
  }
}

type Unpack = (data: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Threads are compressed with Zstandard, which Node.js supports since 22.15. */
function threadIn({ data, data_type }: Shape): Shape | string {
  if (data_type !== 'zstd') return object(jsonColumn(data));
  const unpack = (zlib as unknown as { zstdDecompressSync?: Unpack }).zstdDecompressSync;
  if (unpack === undefined) return 'it is compressed; Node.js 22.15 or newer can read it';
  try {
    return object(jsonColumn(unpack(data as Uint8Array, { maxOutputLength: limits.fileBytes })));
  } catch {
    // Not a thread, or larger than the limit.
    return 'it is damaged';
  }
}

function threadOf(thread: Shape, row: Shape, place: string): Found {
  const judged = list(thread.messages).map((message) => agentTurn(object(message)));
  const leftOut = createTally();
  if (text(row.parent_id) !== undefined) {
    leftOut.add(notKept.agents, judged.length);
    return { kind: 'skipped', place, reason: otherAgents, ...leftOut.field() };
  }
  const model = object(thread.model);
  return chatOf(judged, place, {
    source: 'zed',
    ...present({
      title: text(thread.title) ?? text(thread.summary) ?? text(row.summary),
      timestamp: time(row.created_at) ?? time(thread.updated_at) ?? time(row.updated_at),
    }),
    metadata: present({
      upstream_thread_id: text(row.id),
      model: joined([text(model.provider), text(model.model)]).replace('\n\n', '/') || undefined,
      importer: 'zed',
      platform: 'zed',
    }),
  });
}

/** `{User: …}` and `{Agent: …}`; in older versions, a role with segments. */
function agentTurn(message: Shape): Judged {
  const { User: asked, Agent: answered, role } = message;
  if (asked !== undefined || answered !== undefined) {
    const parts = list(object(asked ?? answered).content).map(object);
    const said = joined(
      parts.map(
        ({ Text, Image, Mention }) => text(Text) ?? mentionOf(Mention) ?? ((Image && '[image]') as string | undefined),
      ),
    );
    if (said !== '') return { role: asked === undefined ? 'assistant' : 'user', text: said };
    if (parts.some(({ ToolUse }) => ToolUse !== undefined)) return notKept.tool;
    return parts.some(({ Thinking }) => Thinking !== undefined) ? notKept.thinking : notKept.empty;
  }
  const segments = list(message.segments).map(object);
  const said = joined(segments.filter(({ type }) => type === 'text').map((segment) => text(segment.text)));
  if (role !== 'user' && role !== 'assistant') return role === 'system' ? notKept.program : notKept.speaker;
  if (said !== '') return { role, text: said };
  if (list(message.tool_uses).length > 0) return notKept.tool;
  return segments.length > 0 ? notKept.thinking : notKept.empty;
}

/** A file or symbol mentioned in a prompt, with its content. */
function mentionOf(mention: unknown): string | undefined {
  const { uri } = object(mention);
  if (mention === undefined) return undefined;
  const target = Object.values(object(uri)).map(object)[0] ?? {};
  return `[file: ${text(target.name) ?? text(target.abs_path)?.split('/').at(-1) ?? 'unnamed'}]`;
}

/** A text thread is a single text; its messages are given by byte offsets. */
function* textThread(value: unknown, file: SourceFile): Generator<Found> {
  const thread = object(value);
  const whole = Buffer.from(typeof thread.text === 'string' ? thread.text : '');
  const records = list(thread.messages).map(object);
  const starts = records.map(({ start }) => (typeof start === 'number' ? start : 0));
  const judged = records.map((record, index): Judged => {
    const metadata = object(record.metadata);
    const said = whole.toString('utf8', starts[index] ?? 0, starts[index + 1] ?? whole.length).trim();
    const role = metadata.role ?? record.role;
    if (role !== 'user' && role !== 'assistant') return role === 'system' ? notKept.program : notKept.speaker;
    return said === '' ? notKept.empty : { role, text: said, ...saidAt(clockTime(metadata.timestamp)) };
  });
  yield chatOf(judged, file.path, {
    source: 'zed',
    ...present({ title: text(thread.summary), timestamp: file.changedAt }),
    metadata: present({ upstream_thread_id: text(thread.id), importer: 'zed', platform: 'zed' }),
  });
}

/** Most versions store a Lamport clock here, which is not a time. */
function clockTime(value: unknown): unknown {
  return typeof value === 'string' ? value : undefined;
}
