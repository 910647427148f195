import type { Role } from '../model/conversation.js';

interface Summarisable {
  source: string;
  title?: string;
  messages: readonly { role: Role; text: string }[];
  topics: readonly string[];
}

const longestSentence = 220;
const longestSummary = 600;

/** A one-line description of a conversation for people. It is metadata, never evidence. */
export function conversationSummary(conversation: Summarisable): string {
  const subject = subjectOf(conversation);
  const snippets = conversation.messages.slice(0, 3).map(({ role, text }) => `${role}: ${firstSentence(text)}`);
  return cut(`${subject}: ${snippets.join('; ')}`, longestSummary);
}

/** A description of a topic or project from its newest conversations; `total` counts all of them. */
export function digestSummary(name: string, total: number, titles: readonly string[]): string {
  const noun = total === 1 ? 'conversation' : 'conversations';
  return cut(`${name}: ${total} ${noun}; latest: ${titles.map((title) => cut(title, 80)).join('; ')}`, longestSummary);
}

function subjectOf(conversation: Summarisable): string {
  if (conversation.title !== undefined) return conversation.title;
  if (conversation.topics.length > 0) return `Conversation about ${conversation.topics.slice(0, 4).join(', ')}`;
  return `${conversation.source} conversation`;
}

function firstSentence(text: string): string {
  // Only the beginning is read: a longer sentence is cut anyway.
  const flat = text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
  const end = /[.!?。！？](?=\s|$|[^\p{P}\s]{2})/u.exec(flat);
  return cut(end === null ? flat : flat.slice(0, end.index + 1), longestSentence);
}

/** Cuts between characters; the ellipsis counts towards the length. */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
