import {
  createTally,
  type Found,
  type ImportedConversation,
  type ImportedMessage,
  type NotKept,
  notKept,
  type Tally,
} from '../contract.js';
import { joined, list, object, type Shape, saidAt, text } from './shape.js';

/** The result of reading a record: a message, or why it is not one. */
export type Judged = ImportedMessage | NotKept;

/** The messages among them; the others are counted. */
export function kept(judged: readonly Judged[], leftOut: Tally): ImportedMessage[] {
  return judged.flatMap((each) => {
    if (typeof each !== 'string') return [each];
    leftOut.add(each);
    return [];
  });
}

/** A conversation of these records, or that it has no messages. */
export function chatOf(
  judged: readonly Judged[],
  place: string,
  about: Omit<ImportedConversation, 'messages'>,
  leftOut: Tally = createTally(),
): Found {
  const messages = kept(judged, leftOut);
  if (messages.length === 0) return { kind: 'skipped', place, reason: 'it has no messages', ...leftOut.field() };
  return { kind: 'conversation', place, conversation: { ...about, messages }, ...leftOut.field() };
}

/** A text, or the blocks that the interfaces of models have for one. */
export function saidIn(content: unknown): { said: string; why: NotKept } {
  if (typeof content === 'string') return { said: content.trim(), why: notKept.empty };
  const blocks = list(content).map(object);
  const said = joined(blocks.map(blockText));
  const kinds = blocks.map(({ type }) => text(type) ?? '');
  if (kinds.some((kind) => /tool|function/i.test(kind))) return { said, why: notKept.tool };
  return { said, why: kinds.some((kind) => /think|reason/i.test(kind)) ? notKept.thinking : notKept.empty };
}

function blockText({ type, text: said, ...block }: Shape): string | undefined {
  const kind = text(type) ?? 'text';
  if (/tool|function|think|reason/i.test(kind)) return undefined;
  if (/image/i.test(kind)) return '[image]';
  if (/file|document/i.test(kind)) return `[file: ${text(block.name) ?? text(block.filename) ?? 'unnamed'}]`;
  return text(said) ?? text(object(said).value) ?? text(block.content);
}

/** Where a program notes only when it began to answer: the prompt was sent at that moment. */
export function withPromptTimes(messages: readonly ImportedMessage[]): ImportedMessage[] {
  return messages.map((message, index) => {
    const answer = messages[index + 1];
    if (message.role !== 'user' || message.timestamp !== undefined) return message;
    return answer?.role === 'assistant' && answer.timestamp !== undefined
      ? { ...message, timestamp: answer.timestamp }
      : message;
  });
}

/**
 * A message between people. The text begins with the speaker's name, as in every conversation with more than two
 * people, because no export says which of them is the user.
 */
export function spoken(name: string, said: string, at?: unknown): ImportedMessage {
  return { role: 'user', text: `${speakerOf(name)}: ${said}`, ...saidAt(at) };
}

/** The name as a label that is recognised as one: up to three words of letters, the first letters large. */
function speakerOf(name: string): string {
  const words = name.slice(0, 200).match(/[\p{L}\p{M}'’.-]+/gu) ?? [];
  const label = words
    .map((word) => word.replace(/^[^\p{L}]+/u, ''))
    .filter((word) => word !== '')
    .slice(0, 3)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return label.length === 0 ? 'Unknown' : label.join(' ');
}
