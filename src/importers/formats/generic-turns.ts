import type { Role } from '../../model/conversation.js';
import type { ImportedMessage } from '../contract.js';
import { notKept, type Tally } from '../reading/left-out.js';
import { joined, list, object, type Shape, saidAt, text } from '../reading/shape.js';

/** What was said, out of the fields that any tool may have filled; what is left out is counted. */
export function turnsOf(
  fields: readonly { role: unknown; text: unknown; timestamp: unknown }[],
  leftOut: Tally,
): ImportedMessage[] {
  return fields.flatMap(({ role: speaker, text: value, timestamp }): ImportedMessage[] => {
    const word = (text(speaker) ?? '').trim().toLowerCase();
    const role = roles.get(word);
    const said = text(textIn(value));
    if (said !== undefined && role !== undefined) return [{ role, text: said, ...saidAt(timestamp) }];
    if (unspoken.has(word)) leftOut.add(word === 'tool' || word === 'function' ? notKept.tool : notKept.program);
    else if (said === undefined) leftOut.add(isNothing(value) ? notKept.empty : notKept.form);
    else leftOut.add(notKept.speaker);
    return [];
  });
}

/** Whether an object looks like a message: somebody that is known speaks, and there is something to be said. */
export function isMessageShaped(role: unknown, value: unknown): boolean {
  const word = typeof role === 'string' ? role.trim().toLowerCase() : '';
  return (roles.has(word) || unspoken.has(word)) && text(textIn(value)) !== undefined;
}

const roles: ReadonlyMap<string, Role> = new Map([
  ...['user', 'human', 'you', 'me', 'user_message'].map((word) => [word, 'user'] as const),
  ...['assistant', 'ai', 'bot', 'model', 'gpt', 'assistant_message'].map((word) => [word, 'assistant'] as const),
]);

/** Instructions and tools at work are left out of every format. */
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
