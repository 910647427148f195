import { contentTerms } from '../language/query-terms.js';
import { indexTerms } from '../language/terms.js';
import type { SearchInput } from '../operations/search/input.js';
import type { SearchOutput, ThreadItem } from '../operations/search/output.js';
import type { FilterOptions } from './filters.js';
import { commandLine, counted, printable, type Style } from './terminal.js';

export interface SearchOptions extends FilterOptions {
  topK?: number;
  limit?: number;
  cursor?: string;
  resultMode?: SearchInput['result_mode'];
  memoryStatus?: SearchInput['memory_status'];
  projectId?: string;
  referenceDate?: string;
  explain?: boolean;
  includeFacts?: boolean;
  sort?: SearchInput['sort'];
  match?: SearchInput['match'];
  rerank?: boolean;
}

interface Asked {
  query: string;
  options: SearchOptions;
  shared: { config?: string; data?: string };
}

/** One numbered block per result, then how to get the next page. */
export function searchText(found: SearchOutput, asked: Asked, style: Style): string {
  const parts = found.results.map((item, index) =>
    blockText(blockOf(item), index + 1, contentTerms(asked.query), style),
  );
  if (parts.length === 0) parts.push('no results');
  if (found.diagnostics?.embedding !== undefined) {
    parts.push(style.faint('The embedding model did not answer: these are keyword matches only.'));
  }
  if (found.diagnostics?.rerank === 'off') {
    parts.push(style.faint('Not re-ranked: models.reader is off.'));
  }
  if (found.diagnostics?.rerank === 'unavailable') {
    parts.push(style.faint('Not re-ranked: the reading model did not answer.'));
  }
  if (found.cursor !== null) parts.push(style.faint(`next page: ${nextPage(asked, found.cursor)}`));
  return parts.join('\n\n');
}

/** What all result modes have in common: the origin and the matching passages. */
interface Block {
  heading: string[];
  passages: { role?: string; text: string; place: string }[];
}

function blockOf(item: SearchOutput['results'][number]): Block {
  if ('thread_id' in item) return threadBlock(item);
  if ('snippet' in item) return { heading: headingOf(item), passages: [{ text: item.snippet, place: placeOf(item) }] };
  const chunks = 'chunks' in item ? item.chunks : [item];
  // A single hit shows the date of its message; several hits of a conversation show the conversation's date.
  const { timestamp } = 'chunks' in item ? item.conversation : item;
  return {
    heading: headingOf({ ...item.conversation, timestamp }),
    passages: chunks.map((chunk) => passage({ ...chunk, id: item.id })),
  };
}

/** A conversation without a thread forms its own thread, named by its id; its title says more. */
function threadBlock({ thread_id, conversations }: ThreadItem): Block {
  const [only] = conversations;
  const single = conversations.length === 1 && only !== undefined && thread_id === `conversation:${only.id}`;
  const heading = single ? headingOf(only) : [thread_id, counted(conversations.length, 'conversation')];
  const passages = conversations.map((each) => {
    const place = single ? placeOf(each) : [placeOf(each), ...headingOf(each)].join(' · ');
    return { ...passage(each), place };
  });
  return { heading, passages };
}

function passage(chunk: { id: string; chunk_index: number; role: string; text: string }): Block['passages'][number] {
  return { role: chunk.role, text: chunk.text, place: placeOf(chunk) };
}

function placeOf({ id, chunk_index }: { id: string; chunk_index: number }): string {
  return `${id} chunk ${chunk_index}`;
}

function headingOf({
  title,
  source,
  timestamp,
}: {
  title?: string | undefined;
  source: string;
  timestamp: string;
}): string[] {
  return [...(title === undefined ? [] : [title]), source, timestamp.slice(0, 10)];
}

function blockText({ heading, passages }: Block, rank: number, terms: readonly string[], style: Style): string {
  const [first = '', ...rest] = heading.map(oneLine);
  const lines = passages.flatMap(({ role, text, place }) => {
    const said = passageOf(printable(text), terms, style.match);
    return [`   ${role === undefined ? '' : `${role}: `}${said}`, `   ${style.faint(oneLine(place))}`];
  });
  return [[`${rank}. ${style.strong(first)}`, ...rest].join(' · '), ...lines].join('\n');
}

/** Titles, sources and thread ids are untrusted client input. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}

/** The same command with the cursor, because a cursor is valid only for the request it came from. */
function nextPage({ query, options, shared: { config, data } }: Asked, cursor: string): string {
  const flags = Object.entries({ ...options, cursor, config, data }).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    if (value === false) return [flag.replace('--', '--no-')];
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.flatMap((each) => [flag, String(each)]);
  });
  return commandLine(['threadkeep', 'search', ...flags, '--', query]);
}

const longest = 240;
const before = 80;
/** The first match is searched for only this far into a text; beyond it, the start of the text is shown. */
const searched = 50_000;
/** The segmenter copies the whole text for each word, so it is given one piece of this length at a time. */
const pieceLength = 512;

/** Also finds words in scripts without spaces. */
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * A one-line excerpt around the first query term. Matches are marked by the search's own analyser, so `cats` is marked
 * for `cat`.
 */
export function passageOf(text: string, queryTerms: readonly string[], mark: (word: string) => string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const wanted = new Set(queryTerms);
  const start = startOf(flat, wanted);
  const shown = headOf(flat.slice(start), longest);
  const marked = [...words.segment(shown)].map(({ segment }) => (isWanted(segment, wanted) ? mark(segment) : segment));
  const cutAtEnd = start + shown.length < flat.length;
  return `${start > 0 ? '…' : ''}${marked.join('')}${cutAtEnd ? '…' : ''}`;
}

/** The start of a word some way before the first match, so that the excerpt shows its context. */
function startOf(text: string, wanted: ReadonlySet<string>): number {
  if (text.length <= longest) return 0;
  for (const { segment, index } of segmentsOf(text.slice(0, searched))) {
    if (isWanted(segment, wanted)) return index <= before ? 0 : wordAt(text, index - before);
  }
  return 0;
}

/** The words of a text and their offsets. A piece ends at a space if it has one, so that no word is split. */
function* segmentsOf(text: string): Generator<{ segment: string; index: number }> {
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + pieceLength);
    const blank = from + piece.length < text.length ? piece.lastIndexOf(' ') : -1;
    const whole = blank > 0 ? piece.slice(0, blank) : piece;
    for (const { segment, index } of words.segment(whole)) yield { segment, index: from + index };
    from += whole.length;
  }
}

/** Where the word at an index starts, judging by the piece of text around it. */
function wordAt(text: string, index: number): number {
  const from = Math.max(0, index - pieceLength / 2);
  const piece = text.slice(from, from + pieceLength);
  return from + (words.segment(piece).containing(index - from)?.index ?? 0);
}

/** Counts whole characters, so that no surrogate pair is split. */
function headOf(text: string, length: number): string {
  return text.length <= length ? text : [...text.slice(0, length * 2)].slice(0, length).join('').trimEnd();
}

function isWanted(segment: string, wanted: ReadonlySet<string>): boolean {
  return indexTerms(segment).some((term) => wanted.has(term));
}
