import type { SearchOutput } from '../../../../src/operations/search/output.js';
import { excerpt, Highlight } from '../../components/highlight.js';
import { Relevance } from '../../components/relevance.js';
import { day, t } from '../../strings/text.js';

type Item = SearchOutput['results'][number];

export interface Target {
  id: string;
  turn?: number;
}

interface ResultsProps {
  items: readonly Item[];
  words: readonly string[];
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
}

/** Each result is a link, so that it can be opened, copied and walked to with the keyboard. */
export function Results({ items, words, opened, hrefOf }: ResultsProps) {
  return (
    <ol class="results">
      {items.map((item) => {
        const target = targetOf(item);
        return (
          <li
            key={keyOf(item)}
            class={opened?.id === target.id && opened.turn === target.turn ? 'result opened' : 'result'}
          >
            <a href={hrefOf(target)} data-result>
              <Heading item={item} />
              <Passages item={item} words={words} />
            </a>
          </li>
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
        {source} · {day(timestamp)}
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

function Passages({ item, words }: { item: Item; words: readonly string[] }) {
  return (
    <>
      {passagesOf(item).map(({ role, text, chunk_index }) => (
        <span class="passage" key={chunk_index}>
          {role === undefined ? null : <span class="role">{t(role === 'user' ? 'you' : 'assistant')}</span>}
          <Highlight text={excerpt(text, words)} words={words} />
        </span>
      ))}
    </>
  );
}

function passagesOf(item: Item): { role?: string; text: string; chunk_index: number }[] {
  if ('snippet' in item) return [{ text: item.snippet, chunk_index: item.chunk_index }];
  if ('chunks' in item) return item.chunks;
  if ('conversations' in item) return item.conversations.slice(0, 3);
  return [item];
}

function headingOf(item: Item): { title?: string | undefined; source: string; timestamp: string } {
  if ('chunks' in item) return item.conversation;
  if ('conversation' in item) return { ...item.conversation, timestamp: item.timestamp };
  if ('conversations' in item) return item.conversations[0] ?? { source: '', timestamp: '' };
  return item;
}

function targetOf(item: Item): Target {
  return { id: item.id, turn: item.message_index };
}

function keyOf(item: Item): string {
  return 'thread_id' in item ? item.thread_id : `${item.id}:${item.chunk_index}`;
}
