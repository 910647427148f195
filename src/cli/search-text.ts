import type { SearchInput, SearchOutput, ThreadItem } from '../operations/search/shapes.js';
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
  const parts = found.results.map((item, index) => blockText(blockOf(item), index + 1, style));
  if (parts.length === 0) parts.push(noResults(asked, style));
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

/** Without filters, a memory that holds anything has results, if only weak ones. */
function noResults({ options, shared: { config, data } }: Asked, style: Style): string {
  const isFiltered = Object.values(options).some((value) => value !== undefined);
  if (isFiltered) return 'no results';
  const places = Object.entries({ config, data }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return `no results\n${style.faint(`If nothing is stored yet: ${commandLine(['threadkeep', 'import', 'auto', ...places])}`)}`;
}

/** What all result modes have in common: the origin and the matching passages. */
interface Block {
  heading: string[];
  passages: (Passage & { role?: string; place: string })[];
}

/** A text, the positions of the query's words in it, and the part to show; by default the whole text. */
interface Passage {
  text: string;
  highlights: readonly Span[];
  excerpt?: Span;
}

interface Span {
  start: number;
  end: number;
}

function blockOf(item: SearchOutput['results'][number]): Block {
  if ('thread_id' in item) return threadBlock(item);
  if ('snippet' in item) {
    const { snippet: text, highlights } = item;
    return { heading: headingOf(item), passages: [{ text, highlights, place: placeOf(item) }] };
  }
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

function passage(chunk: Passage & { id: string; chunk_index: number; role: string }): Block['passages'][number] {
  return { ...chunk, place: placeOf(chunk) };
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

function blockText({ heading, passages }: Block, rank: number, style: Style): string {
  const [first = '', ...rest] = heading.map(flat);
  const lines = passages.flatMap(({ role, place, ...shown }) => [
    `   ${role === undefined ? '' : `${role}: `}${passageOf(shown, style.match)}`,
    `   ${style.faint(flat(place))}`,
  ]);
  return [[`${rank}. ${style.strong(first)}`, ...rest].join(' · '), ...lines].join('\n');
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

/**
 * The excerpt on one line, with the words of the query marked. The positions come from the search, because loading
 * its analyser here would take longer than the response of a running server.
 */
export function passageOf(
  { text, highlights, excerpt = { start: 0, end: text.length } }: Passage,
  mark: (word: string) => string,
): string {
  let shown = '';
  let at = excerpt.start;
  for (const { start, end } of highlights) {
    if (start < at || end > excerpt.end) continue;
    // Offsets refer to the stored text, so it is made printable piece by piece.
    shown += `${flat(text.slice(at, start))}${mark(flat(text.slice(start, end)))}`;
    at = end;
  }
  shown += flat(text.slice(at, excerpt.end));
  return `${excerpt.start > 0 ? '…' : ''}${shown.trim()}${excerpt.end < text.length ? '…' : ''}`;
}

/** On one line; messages, titles, sources and thread ids are untrusted client input. */
function flat(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
