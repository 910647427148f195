import { useRef, useState } from 'preact/hooks';
import type { ConversationList } from '../../../../src/operations/conversations/list.js';
import { post } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { VirtualList } from '../../components/virtual-list.js';
import { day, t } from '../../strings/text.js';
import { useCall } from '../../use-call.js';
import type { Target } from './results.js';

interface RecentProps {
  /** The filters in the words of the interface. */
  body: Record<string, unknown>;
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
}

const rowHeight = 64;

/** What there is before anything was asked: the conversations, the newest first, page after page as one scrolls. */
export function Recent({ body, opened, hrefOf }: RecentProps) {
  const key = JSON.stringify(body);
  const first = useCall(key, (signal) => fetchPage(body, undefined, signal));
  const [rest, setRest] = useState<{ key: string; pages: ConversationList[] }>({ key, pages: [] });
  const busy = useRef(false);
  if (first.kind === 'failed') return <Failure error={first.error} onRetry={first.reload} />;
  if (first.kind === 'waiting' && first.last === undefined) return <Waiting />;
  const head = first.kind === 'done' ? first.answer : first.last;
  if (head === undefined) return null;
  if (head.total === 0) {
    const filtered = Object.keys(body).length > 0;
    return (
      <div class="notice">
        <p>{t(filtered ? 'noResults' : 'emptyMemory')}</p>
        {filtered ? null : <p>{t('emptyMemoryHint')}</p>}
      </div>
    );
  }
  const pages = [head, ...(rest.key === key ? rest.pages : [])];
  const items = pages.flatMap(({ results }) => results);
  const cursor = pages.at(-1)?.cursor ?? null;
  const loadMore = (): void => {
    if (cursor === null || busy.current) return;
    busy.current = true;
    fetchPage(body, cursor)
      .then((page) => setRest((before) => ({ key, pages: [...(before.key === key ? before.pages : []), page] })))
      // A page that did not come is asked for again at the next scroll.
      .catch(() => undefined)
      .finally(() => {
        busy.current = false;
      });
  };
  return (
    <section>
      <h2 class="count">
        {t('recent')} <span class="about">{head.total}</span>
      </h2>
      <VirtualList
        items={items}
        rowHeight={rowHeight}
        label={t('recent')}
        onEnd={loadMore}
        render={({ id, title, source, timestamp, message_count, metadata }) => (
          <a class={opened?.id === id ? 'row opened' : 'row'} href={hrefOf({ id })} data-result>
            <strong>{title ?? String(metadata.generated_summary ?? t('untitled'))}</strong>
            <span class="about">
              {source} · {day(timestamp)} · {t('messages', { n: message_count })}
            </span>
          </a>
        )}
      />
    </section>
  );
}

function fetchPage(body: object, cursor?: string, signal?: AbortSignal): Promise<ConversationList> {
  const page = { ...body, limit: 50, ...(cursor === undefined ? {} : { cursor }) };
  return post<ConversationList>('/memory/conversations/list', page, signal === undefined ? {} : { signal });
}
