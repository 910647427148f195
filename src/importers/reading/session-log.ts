import {
  createTally,
  type Found,
  type ImportedConversation,
  type ImportedMessage,
  limits,
  notKept,
  type SourceFile,
  type Tally,
} from '../contract.js';
import { jsonLines, object, type Shape } from './json.js';

/** The format of a session log: a file of JSON lines about one conversation. */
export interface SessionLog {
  /** Reads one line into the session. */
  line(record: Shape, session: Session): void;
  /** The finished conversation, without its messages. */
  finish(
    session: Session,
    file: SourceFile,
  ): Omit<ImportedConversation, 'messages'> | Promise<Omit<ImportedConversation, 'messages'>>;
  /** The reason to skip the whole session, if there is one. */
  leaveOut?(session: Session): string | undefined;
}

export interface Session {
  messages: Said[];
  /** The same messages in another form, for logs that have only that. */
  spare: Said[];
  /** The session's own properties, by name. */
  about: Shape;
  /** Ids of recorded messages: logs repeat themselves when a session is resumed. */
  seen: Set<string>;
  /** Counts the message records that are not kept. */
  leftOut: Tally;
}

interface Said extends ImportedMessage {
  key?: string;
}

/** Reads a log to its end. Broken lines, with which a log that is being written may end, are reported and skipped. */
export async function* readSessionLog(file: SourceFile, log: SessionLog): AsyncGenerator<Found> {
  const session: Session = { messages: [], spare: [], about: {}, seen: new Set(), leftOut: createTally() };
  for await (const line of jsonLines(file.read(), limits.lineBytes)) {
    if ('broken' in line) yield { kind: 'skipped', place: `${file.path} line ${line.number}`, reason: line.broken };
    else log.line(object(line.value), session);
  }
  if (session.messages.length === 0) session.messages = session.spare;
  const messages = session.messages.map(({ key: _, ...message }) => message);
  const reason = messages.length === 0 ? 'it has no messages' : log.leaveOut?.(session);
  if (reason !== undefined) {
    session.leftOut.add(notKept.agents, messages.length);
    yield { kind: 'skipped', place: file.path, reason, ...session.leftOut.field() };
    return;
  }
  const conversation = { ...(await log.finish(session, file)), messages };
  yield { kind: 'conversation', place: file.path, conversation, ...session.leftOut.field() };
}

/** Adds a message unless its key was seen before. */
export function say(session: Session, { key, ...message }: ImportedMessage & { key?: string | undefined }): void {
  if (key !== undefined && session.seen.has(key)) {
    session.leftOut.add(notKept.repeated);
    return;
  }
  if (message.text.trim() === '') {
    session.leftOut.add(notKept.empty);
    return;
  }
  if (key !== undefined) session.seen.add(key);
  session.messages.push({ ...message, ...(key === undefined ? {} : { key }) });
}

/** The title of a session without one: the first words of its first question. */
export function firstWords(session: Pick<Session, 'messages'>, length = 80): string | undefined {
  const [line = ''] = (session.messages.find(({ role }) => role === 'user')?.text ?? '').trim().split('\n');
  const flat = [...line.replace(/\s+/g, ' ')];
  if (flat.length === 0) return undefined;
  return flat.length <= length ? flat.join('') : `${flat.slice(0, length - 1).join('')}…`;
}

/** Why a session between agents is skipped. */
export const otherAgents = 'it is a session between agents';
