import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { jsonColumn, openDatabase } from '../reading/database.js';
import { firstWords, readSessionLog, say } from '../reading/session-log.js';
import { object, present, type Shape, saidAt, text, time } from '../reading/shape.js';
import { chatOf, type Judged, saidIn } from '../reading/turns.js';

/** Cursor's agent for the command line: a database for each chat, and transcripts beside its projects. */
export const cursorAgent: Importer = {
  name: 'cursor-agent',
  label: "Cursor's agent CLI",
  howTo: 'It keeps its chats in ~/.cursor/chats; give that folder',
  accepts: (path) => /(^|\/)store\.db$/.test(path) || /(^|\/)agent-transcripts\/.+\.jsonl$/.test(path),
  recognises: ({ path, text: head, tables }) =>
    (tables?.has('blobs') === true && tables.has('meta')) ||
    (/agent-transcripts\//.test(path) && /^\s*\{"role"\s*:/.test(head)),
  places: ['.cursor/chats'],
  rewrites: true,
  read: (file) => (file.path.endsWith('.db') ? fromStore(file) : fromTranscript(file)),
};

async function* fromStore(file: SourceFile): AsyncGenerator<Found> {
  const skipped = (reason: string): Found => ({ kind: 'skipped', place: file.path, reason });
  if (file.onDisk === undefined) {
    yield skipped('a database can only be read from disk; unpack it first');
    return;
  }
  const database = await openDatabase(file.onDisk);
  if (database?.tables.get('blobs')?.has('data') !== true || !database.tables.has('meta')) {
    database?.close();
    yield skipped('it is not a chat of Cursor');
    return;
  }
  const { rows, close } = database;
  try {
    const [first] = [...rows("SELECT value FROM meta WHERE key = '0'")];
    const about = metaOf(first?.value);
    const blob = (id: string): unknown => [...rows('SELECT data FROM blobs WHERE id = ?', id)][0]?.data;
    const judged = idsIn(blob(text(about.latestRootBlobId) ?? '')).map((id) => turnOf(blob(id)));
    const messages = judged.filter((each) => typeof each !== 'string');
    yield chatOf(judged, file.path, {
      source: 'cursor-agent',
      ...present({
        title: titleOf(about) ?? firstWords({ messages }),
        timestamp: time(about.createdAt) ?? file.changedAt,
      }),
      metadata: present({
        upstream_thread_id: text(about.agentId) ?? nameOf(file),
        model: text(about.lastUsedModel),
        importer: 'cursor-agent',
        platform: 'cursor',
      }),
    });
  } catch {
    // The file is one chat, so a failure leaves no part to keep.
    yield skipped('the database is damaged');
  } finally {
    close();
  }
}

/** JSON, written as hexadecimal digits. */
function metaOf(value: unknown): Shape {
  const digits = text(value) ?? '';
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) return object(jsonColumn(value));
  return object(jsonColumn(Buffer.from(digits, 'hex')));
}

function titleOf({ name }: Shape): string | undefined {
  return name === 'New Agent' || name === 'Untitled' ? undefined : text(name);
}

/** The root is a list of the hashes of its messages, in the wire format of Protocol Buffers: field 1, of 32 bytes. */
function idsIn(root: unknown): string[] {
  if (!(root instanceof Uint8Array)) return [];
  const bytes = Buffer.from(root);
  const ids: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const key = varint(bytes, at);
    const length = key === undefined ? undefined : varint(bytes, key.next);
    if (key === undefined || length === undefined) break;
    const kind = key.value & 7;
    const end = kind === 2 ? length.next + length.value : kind === 0 ? length.next : key.next + (kind === 1 ? 8 : 4);
    if (key.value === 0x0a && length.value === 32) ids.push(bytes.toString('hex', length.next, end));
    if (end <= at) break;
    at = end;
  }
  return ids;
}

function varint(bytes: Buffer, from: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = bytes[from + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: from + index + 1 };
  }
  return undefined;
}

function turnOf(data: unknown): Judged {
  if (data === undefined) return notKept.missing;
  return saidBy(object(jsonColumn(data)));
}

function saidBy({ role, content }: Shape): Judged {
  if (role === 'system') return notKept.program;
  if (role === 'tool') return notKept.tool;
  if (role !== 'user' && role !== 'assistant') return role === undefined ? notKept.form : notKept.speaker;
  const { said, why } = saidIn(content);
  const asked = role === 'user' ? promptIn(said) : said;
  if (asked === '') return said === '' ? why : notKept.program;
  return { role, text: asked };
}

/** The program puts a description of the machine before a prompt and tags around the prompt. */
function promptIn(said: string): string {
  const query = /<user_query>\s*(.*?)\s*<\/user_query>/s.exec(said)?.[1];
  if (query !== undefined) return query;
  return /^<(user_info|environment|system_reminder|open_files|rules|project_layout)\b/.test(said) ? '' : said;
}

function fromTranscript(file: SourceFile): AsyncGenerator<Found> {
  return readSessionLog(file, {
    line(record, session) {
      if (record.role === undefined) return;
      const turn = saidBy({ role: record.role, content: object(record.message).content ?? record.content });
      if (typeof turn === 'string') session.leftOut.add(turn);
      else say(session, { ...turn, ...saidAt(record.timestamp) });
    },
    finish: (session) => ({
      source: 'cursor-agent',
      ...present({ title: firstWords(session), timestamp: file.changedAt }),
      metadata: present({ upstream_thread_id: nameOf(file), importer: 'cursor-agent', platform: 'cursor' }),
    }),
  });
}

/** A chat is named by its folder, a transcript by its file. */
function nameOf({ onDisk, path }: SourceFile): string | undefined {
  const parts = (onDisk ?? path).replaceAll('\\', '/').split('/');
  return path.endsWith('.db') ? parts.at(-2) : parts.at(-1)?.replace(/\.jsonl$/, '');
}
