import type { Role } from '../model/conversation.js';
import { invalidInput } from '../model/errors.js';
import { isObject } from '../model/json.js';
import { suggestion } from '../model/parse.js';
import { storableText } from '../model/text.js';
import { normaliseTimestamp } from './normalise-timestamp.js';

export interface NormalisedMessage {
  role: Role;
  text: string;
  timestamp?: string;
}

/** A map, because an object would also answer for "constructor". */
export const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['human', 'user'],
  ['user_message', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['model', 'assistant'],
  ['assistant_message', 'assistant'],
]);

const knownKeys = new Set(['role', 'text', 'content', 'timestamp', 'hash']);

/**
 * Repeated identical turns are kept: saying "yes" twice is part of the conversation. So are turns without text, such as
 * a shared picture or an answer that was stopped, as long as some turn has text: refusing them would lose the rest.
 */
export function normaliseMessages(messages: readonly unknown[], maxBytes: number): NormalisedMessage[] {
  const normal = messages.map((message, index) => normaliseMessage(message, `messages[${index}]`, maxBytes));
  if (normal.some(({ text }) => /\S/.test(text))) return normal;
  throw invalidInput('messages[0].text', 'must hold more than white space in at least one turn');
}

function normaliseMessage(message: unknown, path: string, maxBytes: number): NormalisedMessage {
  if (!isObject(message)) throw invalidInput(path, 'must be an object with role and text');
  for (const [key, value] of Object.entries(message)) {
    if (!knownKeys.has(key)) {
      throw invalidInput(`${path}.${key}`, `is not a field of a message${suggestion(key, knownKeys)}`);
    }
    if (value === null) throw invalidInput(`${path}.${key}`, 'must be omitted rather than null');
  }
  // The client's hash is dropped: hashes are ours, and a wrong one must not pass for content.
  const normal = { role: roleOf(message.role, path), text: textOf(message, path, maxBytes) };
  if (message.timestamp === undefined) return normal;
  return { ...normal, timestamp: normaliseTimestamp(message.timestamp, `${path}.timestamp`) };
}

function roleOf(role: unknown, path: string): Role {
  const known = typeof role === 'string' ? roles.get(role.trim().toLowerCase()) : undefined;
  if (known === undefined) {
    throw invalidInput(`${path}.role`, 'must be user or assistant (or human, ai, bot, model); send no other turns');
  }
  return known;
}

/** A turn without either name has no text. */
function textOf({ text, content }: Record<string, unknown>, path: string, maxBytes: number): string {
  if (text !== undefined && content !== undefined && text !== content) {
    throw invalidInput(`${path}.content`, 'is another name for text and differs from it; send one of the two');
  }
  const named = `${path}.${text === undefined && content !== undefined ? 'content' : 'text'}`;
  const sent = text ?? content ?? '';
  if (typeof sent !== 'string') throw invalidInput(named, 'must be a string');
  const clean = storableText(sent).replace(/^[\uFEFF\r\n]+|(?<![\uFEFF\r\n])[\uFEFF\r\n]+$/g, '');
  if (Buffer.byteLength(clean) > maxBytes) {
    throw invalidInput(named, `must be at most ${maxBytes} bytes (limits.max_message_bytes)`);
  }
  return clean;
}
