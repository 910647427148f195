import { type Found, type Importer, notKept, type SourceFile } from '../contract.js';
import { chatOf, type Judged, saidIn } from '../reading/chats.js';
import { jsonColumn, openDatabase } from '../reading/database.js';
import { list, object, present, type Shape, saidAt, text, time } from '../reading/json.js';
import { firstWords, readSessionLog, say } from '../reading/session-log.js';

/** Goose: its session database, or the logs of earlier versions. */
export const goose: Importer = {
  name: 'goose',
  label: 'Goose',
  howTo: 'It keeps its sessions in ~/.local/share/goose/sessions; give that folder',
  accepts: (path) => /(^|\/)sessions\.db$/.test(path) || path.endsWith('.jsonl'),
  recognises: ({ text: head, tables }) =>
    tables?.get('messages')?.has('content_json') === true ||
    (/^\s*\{[^\n]*"working_dir"\s*:/.test(head) && /"(message_count|description)"\s*:/.test(head)),
  places: ['.local/share/goose/sessions', 'AppData/Roaming/Block/goose/data/sessions'],
  read: (file) => (file.path.endsWith('.db') ? fromDatabase(file) : fromLog(file)),
};

/** The first line describes the session, every other one is a message. */
function fromLog(file: SourceFile): AsyncGenerator<Found> {
  return readSessionLog(file, {
    line(record, session) {
      if (record.role === undefined) {
        Object.assign(session.about, record);
        return;
      }
      const turn = turnOf(record, record.content, record.created);
      if (typeof turn === 'string') session.leftOut.add(turn);
      else say(session, { ...turn, key: text(record.id) });
    },
    finish: (session) => aboutOf(session.about, session, file),
  });
}

async function* fromDatabase(file: SourceFile): AsyncGenerator<Found> {
  const skipped = (reason: string): Found => ({ kind: 'skipped', place: file.path, reason });
  if (file.onDisk === undefined) {
    yield skipped('a database can only be read from disk; unpack it first');
    return;
  }
  const database = await openDatabase(file.onDisk);
  const { tables, rows, close } = database ?? {};
  const isOurs = tables?.get('messages')?.has('content_json') === true && tables.has('sessions');
  if (rows === undefined || !isOurs) {
    close?.();
    yield skipped('it is not a Goose database');
    return;
  }
  try {
    for (const about of [...rows('SELECT * FROM sessions ORDER BY id')]) {
      const records = [...rows('SELECT * FROM messages WHERE session_id = ? ORDER BY id', String(about.id))];
      const judged = records.map((row) =>
        turnOf(row, jsonColumn(row.content_json), row.created_timestamp ?? row.timestamp),
      );
      const messages = judged.filter((each) => typeof each !== 'string');
      yield chatOf(judged, `${file.path} ${String(about.id)}`, aboutOf(about, { messages }, file));
    }
  } catch {
    // Readable sessions were already yielded; the damaged ones cannot be recovered.
    yield skipped('the database is damaged');
  } finally {
    close?.();
  }
}

function aboutOf(about: Shape, session: Parameters<typeof firstWords>[0], file: SourceFile) {
  const name = file.path
    .split('/')
    .at(-1)
    ?.replace(/\.jsonl$/, '');
  return {
    source: 'goose',
    ...present({
      title: text(about.name) ?? text(about.description) ?? firstWords(session),
      timestamp: time(about.created_at) ?? session.messages[0]?.timestamp ?? file.changedAt,
    }),
    metadata: present({
      upstream_thread_id: text(about.id) ?? name,
      directory: text(about.working_dir),
      importer: 'goose',
      platform: 'goose',
    }),
  };
}

/** Messages for the model or the program only are marked as such. */
function turnOf({ role, ...record }: Shape, content: unknown, at: unknown): Judged {
  if (role !== 'user' && role !== 'assistant') return role === 'system' ? notKept.program : notKept.speaker;
  const shown = object(record.metadata ?? jsonColumn(record.metadata_json)).userVisible;
  if (shown === false) return notKept.program;
  const { said, why } = saidIn(list(content));
  return said === '' ? why : { role, text: said, ...saidAt(at) };
}
