import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTally, type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { jsonColumn, openDatabase } from '../reading/database.js';
import {
  joined,
  list,
  nothing,
  object,
  present,
  readJsonFile,
  type Shape,
  saidAt,
  text,
  time,
} from '../reading/json.js';
import { otherAgents } from '../reading/session-log.js';

/** opencode: its database, or the output of `opencode export`, one JSON file per session. */
export const opencode: Importer = {
  name: 'opencode',
  label: 'opencode',
  howTo:
    'It keeps its sessions in ~/.local/share/opencode/opencode.db; give that file, or what `opencode export` wrote',
  // Of the older storage only the session files: their messages and parts are read along with them.
  accepts: (path) =>
    isStoredSession(path) ||
    (!isBesideSession(path) && (path.endsWith('.json') || /(^|\/)opencode[^/]*\.db$/.test(path))),
  recognises: ({ path, text: head, tables }) =>
    (tables?.has('session') === true && tables.has('part')) ||
    (/"info"\s*:\s*\{/.test(head) && /"messages"\s*:\s*\[/.test(head) && /"ses_|"parts"\s*:/.test(head)) ||
    (isStoredSession(path) && /"id"\s*:\s*"ses_/.test(head)),
  places: ['opencode.db', 'storage', 'project'].map((name) => `.local/share/opencode/${name}`),
  rewrites: true,
  async *read(file) {
    if (isStored(file)) yield* stored(file);
    else if (!file.path.endsWith('.db')) yield* readJsonFile(file, found);
    else for await (const each of opencodeSessions(file)) yield* 'skipped' in each ? [each.skipped] : sessionOf(each);
  },
};

/** A session file that the user named directly has no folders in its path. */
function isStored({ path, onDisk = path }: SourceFile): boolean {
  return isStoredSession(path) || isStoredSession(onDisk.replaceAll('\\', '/'));
}

async function* stored(file: SourceFile): AsyncGenerator<Found> {
  const infos: Shape[] = [];
  yield* readJsonFile(file, (value) => {
    infos.push(object(value));
    return [];
  });
  for (const info of infos) {
    const session = await storedSession(file, info);
    if (session !== undefined) yield* sessionOf({ session, place: file.path, changedAt: file.changedAt });
    else yield { kind: 'skipped', place: file.path, reason: 'its messages lie beside it on disk; unpack them first' };
  }
}

function* found(value: unknown, file: SourceFile): Generator<Found> {
  yield* sessionOf({ session: object(value), place: file.path, changedAt: file.changedAt });
}

/** A session with its messages and their parts, as in the export. */
function* sessionOf({ session, place, changedAt }: { session: Shape; place: string; changedAt: string | undefined }) {
  const info = object(session.info);
  const leftOut = createTally();
  const records = list(session.messages).map(object);
  const messages = records.flatMap((record) => {
    const { role, time: times } = object(record.info);
    const said = joined(list(record.parts).map(object).map(partText));
    if ((role !== 'user' && role !== 'assistant') || said === '') {
      const isWork = list(record.parts).some((part) => object(part).type === 'tool');
      leftOut.add(said !== '' ? notKept.speaker : isWork ? notKept.tool : notKept.empty);
      return [];
    }
    return [{ role, text: said, ...saidAt(object(times).created) } as const];
  });
  if (messages.length === 0) {
    yield { ...nothing(place), ...leftOut.field() };
    return;
  }
  if (text(info.parentID) !== undefined) {
    leftOut.add(notKept.agents, messages.length);
    yield { kind: 'skipped' as const, place, reason: otherAgents, ...leftOut.field() };
    return;
  }
  const answer = records.map((record) => object(record.info)).find(({ role }) => role === 'assistant') ?? {};
  const model = joined([text(answer.providerID), text(answer.modelID)]).replace('\n\n', '/');
  yield {
    kind: 'conversation' as const,
    place,
    conversation: {
      source: 'opencode',
      ...present({ title: text(info.title), timestamp: time(object(info.time).created) ?? changedAt }),
      messages,
      metadata: present({
        upstream_thread_id: text(info.id),
        directory: text(info.directory) ?? text(info.path),
        model: model === '' ? text(info.model) : model,
        importer: 'opencode',
        platform: 'opencode',
      }),
    },
    isComplete: isComplete(records.at(-1)),
    ...leftOut.field(),
  };
}

/** The end of an answer is written after its last part. */
function isComplete(last: Shape | undefined): boolean {
  const { role, time: times } = object(last?.info);
  return role === 'assistant' && object(times).completed !== undefined;
}

/** Text by the user or the model, and files by name. */
function partText({ type, text: said, synthetic, ignored, filename, mime }: Shape): string | undefined {
  if (synthetic === true || ignored === true) return undefined;
  if (type === 'text') return text(said);
  if (type !== 'file') return undefined;
  return text(mime)?.startsWith('image/') === true ? '[image]' : `[file: ${text(filename) ?? 'unnamed'}]`;
}

type Skipped = Extract<Found, { kind: 'skipped' }>;
type FoundSession = { session: Shape; place: string; changedAt: string | undefined } | { skipped: Skipped };

const needed = { session: ['id', 'title'], message: ['id', 'session_id', 'data'], part: ['id', 'message_id', 'data'] };

/** The sessions in opencode's database, each in the shape of its export. */
async function* opencodeSessions(file: SourceFile): AsyncGenerator<FoundSession> {
  const skipped = (reason: string): FoundSession => ({ skipped: { kind: 'skipped', place: file.path, reason } });
  if (file.onDisk === undefined) {
    yield skipped('a database can only be read from disk; unpack it first');
    return;
  }
  const database = await openDatabase(file.onDisk);
  const isOurs = Object.entries(needed).every(([table, columns]) =>
    columns.every((column) => database?.tables.get(table)?.has(column)),
  );
  if (database === undefined || !isOurs) {
    database?.close();
    yield skipped('it is not an opencode database');
    return;
  }
  const { rows } = database;
  try {
    for (const row of [...rows('SELECT * FROM session ORDER BY id')]) {
      const parts = new Map<string, unknown[]>();
      for (const part of rows(
        'SELECT part.message_id, part.data FROM part JOIN message ON message.id = part.message_id WHERE message.session_id = ? ORDER BY part.id',
        String(row.id),
      )) {
        const id = String(part.message_id);
        const known = parts.get(id);
        if (known === undefined) parts.set(id, [jsonColumn(part.data)]);
        else known.push(jsonColumn(part.data));
      }
      const messages = [...rows('SELECT id, data FROM message WHERE session_id = ? ORDER BY id', String(row.id))].map(
        ({ id, data }) => ({ info: object(jsonColumn(data)), parts: parts.get(String(id)) ?? [] }),
      );
      yield {
        place: `${file.path} ${String(row.id)}`,
        changedAt: file.changedAt,
        session: {
          info: { ...row, parentID: row.parent_id, time: { created: row.time_created } },
          messages,
        },
      };
    }
  } catch {
    // Readable sessions were already yielded; the damaged ones cannot be recovered.
    yield skipped('the database is damaged');
  } finally {
    database.close();
  }
}

/** A session in opencode's storage before its database: one file each for sessions, messages and parts. */
function isStoredSession(path: string): boolean {
  return /(^|\/)session\/([^/]+\/)?ses_[^/]+\.json$/.test(path);
}

/** Every other file in that storage belongs to a session or is not a conversation. */
function isBesideSession(path: string): boolean {
  return /(^|\/)(storage|session|message|part|session_diff|session_share|todo|project|migration)(\/|$)/.test(path);
}

/** The session in the shape of an export; undefined where its message files are not accessible. */
async function storedSession(file: SourceFile, info: Shape): Promise<Shape | undefined> {
  const id = text(info.id);
  if (file.onDisk === undefined || id === undefined || !/^[\w-]+$/.test(id)) return undefined;
  // The folder `session`, with those of messages and parts beside it; in the first versions they were inside.
  const sessions = sessionFolder(file.onDisk);
  const root = dirname(sessions);
  const messages: Shape[] = [];
  for (const folder of [join(root, 'message', id), join(sessions, 'message', id)]) {
    for (const message of await jsonIn(folder)) {
      const name = String(message.id);
      if (!/^[\w-]+$/.test(name)) continue;
      const parts = await jsonIn(join(root, 'part', name));
      const older = parts.length > 0 ? [] : await jsonIn(join(sessions, 'part', id, name));
      // The very first versions kept the parts in the message, and its times beside them.
      const inside = parts.length + older.length > 0 ? [] : list(message.parts);
      const times = message.time ?? object(message.metadata).time;
      messages.push({ info: { ...message, time: times }, parts: [...parts, ...older, ...inside] });
    }
  }
  return { info, messages };
}

function sessionFolder(path: string): string {
  const parent = dirname(path);
  return /[\\/]session$/.test(parent) ? parent : dirname(parent);
}

/** The JSON files of a folder, sorted by name, which is chronological. A broken one is an empty object. */
async function jsonIn(folder: string): Promise<Shape[]> {
  const names = await readdir(folder).catch(() => []);
  const found: Shape[] = [];
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    const content = await readFile(join(folder, name), 'utf8').catch(() => '');
    found.push({ id: name.replace(/\.json$/, ''), ...parsed(content) });
  }
  return found;
}

function parsed(content: string): Shape {
  try {
    return object(JSON.parse(content));
  } catch {
    // Partially written or damaged: the message is counted as one without text.
    return {};
  }
}
