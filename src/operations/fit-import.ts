import type { ImportedConversation } from '../importers/contract.js';
import type { Alias } from '../model/conversation.js';
import type { Limits } from '../model/limits.js';

type ImportLimits = Pick<Limits, 'max_messages' | 'max_message_bytes' | 'max_title_length' | 'max_source_length'>;

/**
 * What other programs kept is not refused for its size: a turn that is too long becomes several of the same role, and a
 * conversation with too many turns becomes several of one thread. The same export is always cut at the same places.
 */
export function fitted(conversation: ImportedConversation, limits: ImportLimits): ImportedConversation[] {
  const { title, source, aliases } = conversation;
  const messages = conversation.messages.flatMap((message) =>
    pieces(message.text, limits.max_message_bytes).map((piece) => ({ ...message, text: piece })),
  );
  const short = {
    ...conversation,
    source: source.slice(0, limits.max_source_length),
    ...(title === undefined ? {} : { title: cut(title, limits.max_title_length) }),
    ...(aliases === undefined ? {} : { aliases: aliases.map((alias) => named(alias, limits)) }),
  };
  if (messages.length <= limits.max_messages) return [{ ...short, messages }];
  const parts = Array.from({ length: Math.ceil(messages.length / limits.max_messages) }, (_, index) =>
    messages.slice(index * limits.max_messages, (index + 1) * limits.max_messages),
  );
  return parts.map((part, index) => (index === 0 ? { ...short, messages: part } : laterPart(short, part, index + 1)));
}

function named(alias: Alias, limits: ImportLimits): Alias {
  const source = alias.source.slice(0, limits.max_source_length);
  return {
    ...alias,
    source,
    ...(alias.title === undefined ? {} : { title: cut(alias.title, limits.max_title_length) }),
  };
}

function laterPart(
  { id: _, aliases: __, ...conversation }: ImportedConversation,
  messages: ImportedConversation['messages'],
  part: number,
): ImportedConversation {
  const { upstream_thread_id: thread, ...metadata } = conversation.metadata;
  if (thread === undefined) return { ...conversation, messages, metadata: { ...metadata, part } };
  const thread_id = metadata.thread_id ?? `${conversation.source}:${thread}`;
  return {
    ...conversation,
    messages,
    metadata: { ...metadata, part, upstream_thread_id: `${thread}#part${part}`, thread_id },
  };
}

/** Of at most so many bytes each, at the end of a line where there is one near. */
function pieces(text: string, maxBytes: number): string[] {
  // A sign has at most three bytes for each unit of a string's length.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return [text];
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    let end = Math.min(from + maxBytes, bytes.length);
    // Not inside a sign of several bytes.
    while (end < bytes.length && end > from && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
    const line = end < bytes.length ? bytes.lastIndexOf(0x0a, end - 1) + 1 : 0;
    if (line > from + maxBytes * 0.75) end = line;
    found.push(bytes.toString('utf8', from, end));
    from = end;
  }
  return found.filter((piece) => piece.trim() !== '');
}

function cut(text: string, most: number): string {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join('')}…`;
}
