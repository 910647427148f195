import { derived, isPlain, plainFold } from '../language/languages.js';
import { portionsOf } from '../language/terms.js';
import type { Role } from '../model/conversation.js';
import type { Steps } from '../model/steps.js';

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

const topicRules = derived((languages) => {
  const topicsOf = new Map<string, string[]>();
  const phraseStarts = new Set<string>();
  const given = languages.flatMap(({ topics = {} }) => Object.entries(topics));
  for (const [topic, phrases] of given) {
    for (const phrase of phrases.split(', ')) {
      topicsOf.set(phrase, [...(topicsOf.get(phrase) ?? []), topic]);
      const [first = '', second] = phrase.split(' ');
      if (second !== undefined) phraseStarts.add(first);
    }
  }
  return { topics: new Set(given.map(([topic]) => topic)), topicsOf, phraseStarts };
});

const plainWord = /[a-z0-9]+(?:[-.'][a-z0-9]+)*/g;
const anyWord = /[\p{L}\p{N}]+(?:[-.'][\p{L}\p{N}]+)*/gu;

interface Mentions {
  phrases: Set<string>;
  count: number;
}

/**
 * In a longer text, a single phrase that occurs only once or twice is a remark, and the text is about something else.
 */
const longWords = 120;

/** The client's own topics first, then those found by the rules, in the order of the locales. */
export function* findTopics(texts: readonly string[], given: readonly string[] = []): Steps<string[]> {
  const { topics, topicsOf, phraseStarts } = topicRules();
  const found = new Map<string, Mentions>();
  let count = 0;
  const add = (phrase: string): void => {
    for (const topic of topicsOf.get(phrase) ?? []) {
      const mentions = found.get(topic) ?? { phrases: new Set(), count: 0 };
      mentions.phrases.add(phrase);
      mentions.count += 1;
      found.set(topic, mentions);
    }
  };
  for (const text of texts) {
    let previous = '';
    for (const portion of portionsOf(text)) {
      for (const word of plainFold(portion).match(isPlain(portion) ? plainWord : anyWord) ?? []) {
        count += 1;
        add(word);
        if (phraseStarts.has(previous)) add(`${previous} ${word}`);
        previous = word;
      }
      yield;
    }
  }
  const isAbout = (mentions: Mentions | undefined): boolean =>
    mentions !== undefined && (count <= longWords || mentions.phrases.size >= 2 || mentions.count >= 3);
  const named = [...topics].filter((topic) => isAbout(found.get(topic)));
  return [...new Set([...given, ...named])];
}
