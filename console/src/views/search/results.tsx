import { Fragment } from 'preact';
import type { SearchOutput } from '../../../../src/operations/search/shapes.js';
import { Marked, type Span } from '../../components/highlight.js';
import { Relevance } from '../../components/relevance.js';
import { Source } from '../../components/source.js';
import type { Target } from '../../reading/target.js';
import { lately, moment, t } from '../../strings/text.js';
import { readable } from './readable.js';

export type Item = SearchOutput['results'][number];

interface ResultsProps {
  items: readonly Item[];
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
  /** Whether the best come first: then there is a line between what matches and what is only near. */
  byRelevance: boolean;
}

/** Each result is a link, so that it can be opened, copied and walked to with the keyboard. */
export function Results({ items, opened, hrefOf, byRelevance }: ResultsProps) {
  const firstWeak = byRelevance ? items.findIndex(({ match }) => match === 'weak') : -1;
  return (
    <ol class="results">
      {items.map((item, index) => {
        const target = targetOf(item);
        return (
          <Fragment key={keyOf(item)}>
            {index === firstWeak ? <li class="divider">{t(firstWeak === 0 ? 'onlyWeak' : 'weakBelow')}</li> : null}
            <li
              class={`result${kindOf(item)}${opened?.id === target.id && opened.turn === target.turn ? ' opened' : ''}`}
            >
              <a href={hrefOf(target)} data-result>
                <Heading item={item} />
                <Passages item={item} />
              </a>
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}

function Heading({ item }: { item: Item }) {
  const { title, source, timestamp } = headingOf(item);
  return (
    <span class="heading">
      <strong>{title ?? t('untitled')}</strong>
      <span class="about">
        <Source name={source} /> ·{' '}
        <time dateTime={timestamp} title={moment(timestamp)}>
          {lately(timestamp)}
        </time>
        {'conversation_count' in item && item.conversation_count > 1
          ? ` · ${t('conversationsInThread', { n: item.conversation_count })}`
          : ''}
        {'chunks' in item && item.conversation_match_count > 1
          ? ` · ${t('matches', { n: item.conversation_match_count })}`
          : ''}
      </span>
      <Relevance value={item.relevance} />
    </span>
  );
}

interface Passage {
  role?: string;
  title?: string | undefined;
  text: string;
  highlights: Span[];
  excerpt?: Span;
  key: string;
}

function Passages({ item }: { item: Item }) {
  return (
    <>
      {passagesOf(item).map(({ role, title, key, ...passage }) => {
        const { text, highlights, excerpt } = readable(passage);
        return (
          <span class="passage" key={key}>
            {title === undefined ? null : <span class="in-thread">{title}</span>}
            {role === undefined ? null : <span class="role">{t(role === 'user' ? 'you' : 'assistant')}</span>}
            <Marked text={text} spans={highlights} part={excerpt} />
          </span>
        );
      })}
    </>
  );
}

function passagesOf(item: Item): Passage[] {
  if ('snippet' in item) return [{ text: item.snippet, highlights: item.highlights, key: '' }];
  if ('chunks' in item) return item.chunks.slice(0, 3).map((chunk) => ({ ...chunk, key: String(chunk.chunk_index) }));
  if ('conversations' in item) {
    const alone = item.conversations.length === 1;
    return item.conversations.slice(0, 3).map(({ title, ...each }) => {
      return { ...each, ...(alone ? {} : { title }), key: `${each.id}:${each.chunk_index}` };
    });
  }
  return [{ ...item, key: '' }];
}

function headingOf(item: Item): { title?: string | undefined; source: string; timestamp: string } {
  if ('chunks' in item) return item.conversation;
  if ('conversation' in item) return { ...item.conversation, timestamp: item.timestamp };
  if ('conversations' in item) return item.conversations[0] ?? { source: '', timestamp: '' };
  return item;
}

/** Longer messages have many places with the same words: the passage says which one it was. */
const longText = 600;

export function targetOf(item: Item): Target {
  const place = { id: item.id, turn: item.message_index };
  if (!('text' in item) || item.text.length < longText) return place;
  const mark = item.text.slice(item.excerpt.start, item.excerpt.end).trim();
  return mark === '' ? place : { ...place, mark };
}

function kindOf(item: Item): string {
  if ('snippet' in item) return ' compact';
  if ('chunks' in item) return ' whole';
  return 'conversations' in item ? ' threaded' : '';
}

function keyOf(item: Item): string {
  return 'thread_id' in item ? item.thread_id : `${item.id}:${item.chunk_index}`;
}
