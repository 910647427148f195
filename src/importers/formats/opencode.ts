import type { Found, Importer, SourceFile } from '../contract.js';
import { nothing, readJsonFile } from '../reading/json-file.js';
import { createTally, notKept } from '../reading/left-out.js';
import { otherAgents } from '../reading/session-log.js';
import { joined, list, object, present, type Shape, saidAt, text, time } from '../reading/shape.js';
import { opencodeSessions } from './opencode-database.js';
import { isBesideSession, isStoredSession, storedSession } from './opencode-storage.js';

/** opencode: its own database, or what `opencode export` writes, one JSON file a session. */
export const opencode: Importer = {
  name: 'opencode',
  label: 'opencode',
  howTo:
    'It keeps its sessions in ~/.local/share/opencode/opencode.db; give that file, or what `opencode export` wrote',
  // Of the older storage only the sessions: their messages and parts are read with them.
  accepts: (path) =>
    isStoredSession(path) ||
    (!isBesideSession(path) && (path.endsWith('.json') || /(^|\/)opencode[^/]*\.db$/.test(path))),
  recognises: ({ path, text: head, tables }) =>
    (tables?.has('session') === true && tables.has('part')) ||
    (/"info"\s*:\s*\{/.test(head) && /"messages"\s*:\s*\[/.test(head) && /"ses_|"parts"\s*:/.test(head)) ||
    (isStoredSession(path) && /"id"\s*:\s*"ses_/.test(head)),
  places: ['.local/share/opencode/opencode.db', '.local/share/opencode/storage'],
  rewrites: true,
  async *read(file) {
    if (isStored(file)) yield* stored(file);
    else if (!file.path.endsWith('.db')) yield* readJsonFile(file, found);
    else for await (const each of opencodeSessions(file)) yield* 'skipped' in each ? [each.skipped] : sessionOf(each);
  },
};

/** A session that is named alone has no folders in its name. */
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

/** A session with its messages and their parts, as the export has it. */
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
    ...leftOut.field(),
  };
}

/** Text that somebody wrote, and files by name. */
function partText({ type, text: said, synthetic, ignored, filename, mime }: Shape): string | undefined {
  if (synthetic === true || ignored === true) return undefined;
  if (type === 'text') return text(said);
  if (type !== 'file') return undefined;
  return text(mime)?.startsWith('image/') === true ? '[image]' : `[file: ${text(filename) ?? 'unnamed'}]`;
}
