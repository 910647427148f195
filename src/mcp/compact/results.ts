import type { ConversationOutput } from '../../operations/present.js';
import type {
  ChunkItem,
  CompactItem,
  ConversationItem,
  SearchOutput,
  ThreadItem,
} from '../../operations/search/shapes.js';

type Item = SearchOutput['results'][number];

/** A result in both formats: with every field of the interface, and as lines for a model to read. */
export interface ShownResult {
  fields: object;
  told: object;
}

/** Limit on stored text per answer, in characters: five results of 200 with their dates, titles and ids make 2,000. */
const mostText = 1_000;

/** Shows every message once, cut around its relevant part; a conversation is described where it first occurs. */
export function shownResults(items: readonly Item[], focusIn: FocusIn = byWords): ShownResult[] {
  const texts = shortened(
    items.flatMap(messagesIn).map((message) => longOf(message, focusIn)),
    mostText,
  );
  const described = new Set<string>();
  const next = (): string => texts.shift() ?? '';
  return items.map((item) => shownItem(item, { next, described }));
}

/** A message within a result. */
export interface ItemMessage {
  id: string;
  message_index: number;
  text: string;
  excerpt?: { start: number; end: number };
}

/** The part of a message that must stay visible. */
export type FocusIn = (message: ItemMessage) => { start: number; end: number };

const byWords: FocusIn = ({ excerpt }) => excerpt ?? { start: 0, end: 0 };

function longOf(message: ItemMessage, focusIn: FocusIn): Long {
  return { text: message.text, focus: focusIn(message) };
}

/** In the order in which `shownItem` consumes their texts. */
function messagesIn(item: Item): ItemMessage[] {
  if ('snippet' in item) return [{ ...item, text: item.snippet }];
  if ('thread_id' in item) return item.conversations;
  if ('chunks' in item) return item.chunks.map((chunk) => ({ ...chunk, id: item.id }));
  return [item];
}

interface Showing {
  next: () => string;
  described: Set<string>;
}

function shownItem(item: Item, showing: Showing): ShownResult {
  if ('snippet' in item) return compactItem(item, showing);
  if ('thread_id' in item) return threadItem(item, showing);
  if ('chunks' in item) return conversationItem(item, showing);
  return chunkItem(item, showing);
}

function chunkItem(item: ChunkItem, { next, described }: Showing): ShownResult {
  const text = next();
  return {
    fields: {
      ...placeOf(item),
      ...messageOf(item, text),
      conversation: conversationOf(item.conversation, described),
      ...countsOf(item),
    },
    told: toldMessage({ ...item, title: item.conversation.title }, text),
  };
}

function compactItem(item: CompactItem, { next }: Showing): ShownResult {
  const { message_index, chunk_index, title, source, timestamp } = item;
  const snippet = next();
  const heading = { ...(title === undefined ? {} : { title }), source, timestamp };
  return {
    fields: { ...placeOf(item), ...heading, chunk_index, message_index, snippet, ...countsOf(item) },
    told: toldMessage(item, snippet),
  };
}

function conversationItem(item: ConversationItem, { next, described }: Showing): ShownResult {
  const { id, conversation, chunks } = item;
  const shown = chunks.map((chunk) => ({ chunk, text: next() }));
  const best = shown.find(({ chunk }) => chunk.chunk_index === item.chunk_index)?.text ?? cutTo(item.text, 160);
  return {
    fields: {
      ...placeOf(item),
      ...messageOf(item, best),
      conversation: conversationOf(conversation, described),
      chunks: shown.map(({ chunk, text }) => ({ ...messageOf(chunk, text), score: rounded(chunk.score) })),
      ...countsOf(item),
    },
    told: {
      id,
      ...titled(conversation.title),
      source: conversation.source,
      messages: shown.map(({ chunk, text }) => saidIn(chunk, text)),
    },
  };
}

function threadItem(item: ThreadItem, { next }: Showing): ShownResult {
  const { thread_id, conversation_count, match_count, conversations } = item;
  const shown = conversations.map((each) => ({ each, text: next() }));
  const best = shown.find(({ each }) => each.id === item.id)?.text ?? cutTo(item.text, 160);
  return {
    fields: {
      ...placeOf(item),
      thread_id,
      ...messageOf(item, best),
      conversation_count,
      match_count,
      conversations: shown.map(({ each, text }) => ({
        ...placeOf(each),
        ...titled(each.title),
        source: each.source,
        ...messageOf(each, text),
        ...countsOf(each),
      })),
    },
    told: { thread_id, conversations: shown.map(({ each, text }) => toldMessage(each, text)) },
  };
}

type ScoredChunk = Pick<ChunkItem, 'id' | 'score' | 'match' | 'explanation'>;

/** Without the relevance, which the order tells. */
function placeOf({ id, score, match, explanation }: ScoredChunk) {
  const explained = explanation === undefined ? {} : { explanation };
  return { id, score: rounded(score), match, ...explained };
}

type Message = Pick<ChunkItem, 'chunk_index' | 'message_index' | 'role' | 'timestamp'>;

function messageOf({ chunk_index, message_index, role, timestamp }: Message, text: string) {
  return { chunk_index, message_index, role, text, timestamp };
}

function countsOf(item: Pick<ChunkItem, 'conversation_score' | 'conversation_match_count'>) {
  return {
    conversation_score: rounded(item.conversation_score),
    conversation_match_count: item.conversation_match_count,
  };
}

/** A conversation is known by its title; `memory_retrieve` returns the rest. */
const shortSummary = 60;
const mostTags = 3;

/** Describes a conversation once; later occurrences have only its id. */
function conversationOf(conversation: ConversationOutput, described: Set<string>): object {
  const { id, source, title, timestamp, metadata } = conversation;
  if (described.has(id)) return { id };
  described.add(id);
  const { memory_status, thread_id, tags, auto_tags, generated_summary } = metadata;
  const held = memory_status === 'active' ? {} : { memory_status };
  const summary =
    typeof generated_summary === 'string' ? { generated_summary: cutTo(generated_summary, shortSummary) } : {};
  const kept = { thread_id, tags, auto_tags: Array.isArray(auto_tags) ? auto_tags.slice(0, mostTags) : undefined };
  const others = Object.entries(kept).filter(([, value]) => value !== undefined);
  return {
    id,
    source,
    ...titled(title),
    timestamp,
    metadata: { ...held, ...summary, ...Object.fromEntries(others) },
  };
}

function toldMessage(
  item: { id: string; title?: string | undefined; message_index: number; role?: string; timestamp: string },
  text: string,
): object {
  return { id: item.id, ...titled(item.title), ...saidIn(item, text) };
}

function saidIn(
  { message_index, role, timestamp }: { message_index: number; role?: string; timestamp: string },
  text: string,
): object {
  return { message_index, ...(role === undefined ? {} : { role }), timestamp: toTheMinute(timestamp), text };
}

const longestTitle = 80;

function titled(title: string | undefined): { title?: string } {
  return title === undefined ? {} : { title: cutTo(title, longestTitle) };
}

/** Drops seconds, which do not help a reader. */
export function toTheMinute(timestamp: string): string {
  return timestamp.slice(0, 'YYYY-MM-DDTHH:MM'.length);
}

/** Four digits are enough to order the results. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** A text and the part of it that must stay visible. */
interface Long {
  text: string;
  focus: { start: number; end: number };
}

/** Fewer characters of a message are not understandable. */
const leastShown = 120;

/**
 * Cuts the texts to `most` characters in total. Short texts stay whole; the long ones share the rest, each keeping at
 * least a sentence or two.
 */
function shortened(texts: readonly Long[], most: number): string[] {
  const sizes = sharesOf(
    texts.map(({ text }) => text.length),
    most,
  );
  return texts.map((long, at) => cutAround(long, sizes[at] ?? leastShown));
}

function sharesOf(lengths: readonly number[], most: number): number[] {
  const shares = new Array<number>(lengths.length).fill(0);
  const byLength = lengths.map((length, at) => ({ length, at })).sort((one, other) => one.length - other.length);
  let left = most;
  for (const [position, { length, at }] of byLength.entries()) {
    const even = Math.max(leastShown, Math.floor(left / (byLength.length - position)));
    shares[at] = Math.min(length, even);
    left -= shares[at];
  }
  return shares;
}

/** At most `length` characters around the focus, with an ellipsis for each omission. */
export function cutAround({ text, focus }: Long, length: number): string {
  if (text.length <= length) return text;
  const spare = Math.max(0, length - (focus.end - focus.start));
  const first = Math.max(0, Math.min(focus.start - Math.floor(spare / 3), text.length - length));
  const start = first === 0 ? 0 : afterBlank(text, first);
  const end = Math.min(text.length, start + length);
  const shown = text.slice(start, end < text.length ? beforeBlank(text, start, end) : end);
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
}

export function cutTo(text: string, length: number): string {
  return cutAround({ text, focus: { start: 0, end: 0 } }, length);
}

/** How far a cut may move to avoid splitting a word. */
const nearBlank = 24;

function afterBlank(text: string, at: number): number {
  const blank = text.slice(at, at + nearBlank).search(/\s/);
  return blank < 0 ? wholeCharacter(text, at) : at + blank + 1;
}

function beforeBlank(text: string, start: number, at: number): number {
  for (let place = at; place > Math.max(start, at - nearBlank); place--) {
    if (/\s/.test(text.charAt(place))) return place;
  }
  return wholeCharacter(text, at);
}

/** Avoids splitting a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
}
