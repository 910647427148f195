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

/** A session log is a file of JSON lines about one conversation. */
export interface SessionLog {
  /** Looks at one line; what it says goes into the session. */
  line(record: Shape, session: Session): void;
  /** The finished conversation, without its messages. */
  finish(
    session: Session,
    file: SourceFile,
  ): Omit<ImportedConversation, 'messages'> | Promise<Omit<ImportedConversation, 'messages'>>;
  /** Why the whole session is left out, where it is. */
  leaveOut?(session: Session): string | undefined;
}

export interface Session {
  messages: Said[];
  /** The same once more in another form, for logs that have only that. */
  spare: Said[];
  /** What the log tells about the session itself, by name. */
  about: Shape;
  /** Ids that were taken already: logs repeat themselves when a session is resumed. */
  seen: Set<string>;
  /** Every record of a message that is not kept. */
  leftOut: Tally;
}

interface Said extends ImportedMessage {
  key?: string;
}

/** Reads a log to its end. Broken lines, which a log that is being written may end with, are reported and passed over. */
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

/** Takes a message once. */
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

/** Why a session of an agent that was sent by another one is left out. */
export const otherAgents = 'it is what other agents said among themselves';
