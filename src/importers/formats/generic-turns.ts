import type { Role } from '../../model/conversation.js';
import type { ImportedMessage } from '../contract.js';
import { joined, list, object, type Shape, saidAt, text } from '../reading/shape.js';

const reasons = {
  speaker:
    'some of its turns were left out: who speaks is told by no word for a person or an assistant (user, assistant)',
  text: 'some of its turns were left out: their text has no known form',
};

/** What was said, out of the fields that any tool may have filled, and why some of it is left out. */
export function turnsOf(fields: readonly { role: unknown; text: unknown; timestamp: unknown }[]): {
  turns: ImportedMessage[];
  leftOut: string[];
} {
  const turns: ImportedMessage[] = [];
  const leftOut = new Set<string>();
  for (const { role: speaker, text: value, timestamp } of fields) {
    const word = (text(speaker) ?? '').trim().toLowerCase();
    const role = roles.get(word);
    const said = text(textIn(value));
    if (unspoken.has(word)) continue;
    if (said === undefined && !isNothing(value)) leftOut.add(reasons.text);
    else if (said !== undefined && role === undefined) leftOut.add(reasons.speaker);
    else if (said !== undefined && role !== undefined) turns.push({ role, text: said, ...saidAt(timestamp) });
  }
  return { turns, leftOut: [...leftOut] };
}

const roles: ReadonlyMap<string, Role> = new Map([
  ...['user', 'human', 'you', 'me', 'user_message'].map((word) => [word, 'user'] as const),
  ...['assistant', 'ai', 'bot', 'model', 'gpt', 'assistant_message'].map((word) => [word, 'assistant'] as const),
]);

/** Instructions and tools at work are left out of every format, without a word. */
const unspoken = new Set(['system', 'developer', 'tool', 'function']);

/** A text, its parts in a list, or an object around either, as the interfaces of models have them. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value.map(partText));
  const parts = list(object(value).parts);
  return parts.length > 0 ? joined(parts.map(partText)) : (partText(value) ?? '');
}

function partText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const { type, text: said, value } = object(part);
  const kind = typeof type === 'string' ? type : '';
  if (isWork(kind)) return undefined;
  if (kind.includes('image')) return '[image]';
  if (kind.includes('file')) return '[file]';
  return text(said) ?? text(object(said).value) ?? text(value);
}

function isWork(kind: string): boolean {
  return /tool|function|thinking|reasoning/.test(kind);
}

/** There was nothing to lose: no text, or only thinking and tools at work. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  const parts: Shape[] = (Array.isArray(value) ? value : list(object(value).parts)).map(object);
  const isList = Array.isArray(value) || parts.length > 0;
  return isList && parts.every(({ type }) => typeof type === 'string' && isWork(type));
}
