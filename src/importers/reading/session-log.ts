import type { Role } from '../../model/conversation.js';
import type { Found, ImportedConversation, SourceFile } from '../contract.js';
import { limits } from '../limits.js';
import { jsonLines } from './json-lines.js';
import { object, type Shape } from './shape.js';

/** A session log is a file of JSON lines about one conversation. */
export interface SessionLog {
  /** Looks at one line; what it says goes into the session. */
  line(record: Shape, session: Session): void;
  /** The finished conversation, without its messages. */
  finish(session: Session, file: SourceFile): Omit<ImportedConversation, 'messages'>;
}

export interface Session {
  messages: { role: Role; text: string; key?: string }[];
  /** What the log tells about the session itself, by name. */
  about: Shape;
  /** Ids that were taken already: logs repeat themselves when a session is resumed. */
  seen: Set<string>;
}

/** Reads a log to its end. Broken lines, which a log that is being written may end with, are reported and passed over. */
export async function* readSessionLog(file: SourceFile, log: SessionLog): AsyncGenerator<Found> {
  const session: Session = { messages: [], about: {}, seen: new Set() };
  for await (const line of jsonLines(file.read(), limits.lineBytes)) {
    if ('broken' in line) yield { kind: 'skipped', place: `${file.path} line ${line.number}`, reason: line.broken };
    else log.line(object(line.value), session);
  }
  const messages = session.messages.map(({ role, text }) => ({ role, text }));
  if (messages.length === 0) {
    yield { kind: 'skipped', place: file.path, reason: 'it has no messages' };
    return;
  }
  yield { kind: 'conversation', place: file.path, conversation: { ...log.finish(session, file), messages } };
}

/** Takes a message once. */
export function say(session: Session, message: { role: Role; text: string; key?: string | undefined }): void {
  const { role, text, key } = message;
  if (text.trim() === '' || (key !== undefined && session.seen.has(key))) return;
  if (key !== undefined) session.seen.add(key);
  session.messages.push({ role, text, ...(key === undefined ? {} : { key }) });
}

/** The title of a session without one: the first words of its first question. */
export function firstWords(session: Session, length = 80): string | undefined {
  const [line = ''] = (session.messages.find(({ role }) => role === 'user')?.text ?? '').trim().split('\n');
  const flat = [...line.replace(/\s+/g, ' ')];
  if (flat.length === 0) return undefined;
  return flat.length <= length ? flat.join('') : `${flat.slice(0, length - 1).join('')}…`;
}
