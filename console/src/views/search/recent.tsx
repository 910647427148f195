import type { ConversationList } from '../../../../src/operations/conversations/list.js';
import { post } from '../../api.js';
import { useChanges } from '../../changes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { Source } from '../../components/source.js';
import { VirtualList } from '../../components/virtual-list.js';
import { useLeaving } from '../../reading/forgetting.js';
import type { Target } from '../../reading/target.js';
import { linkTo } from '../../router.js';
import { dayGroup, lately, moment, number, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useMore } from '../../use-more.js';

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
  useChanges(first.reload);
  const leaving = useLeaving();
  const head = answerIn(first);
  const more = useMore(head, (cursor) => fetchPage(body, cursor));
  if (first.kind === 'failed') return <Failure error={first.error} onRetry={first.reload} />;
  if (head === undefined) return <Waiting />;
  if (head.total === 0) {
    const filtered = Object.keys(body).length > 0;
    return (
      <div class="notice">
        <p>{t(filtered ? 'noResults' : 'emptyMemory')}</p>
        {filtered ? null : (
          <p>
            <a href={linkTo('keep')}>{t('emptyMemoryHint')}</a>
          </p>
        )}
      </div>
    );
  }
  // What is still shown of the filters before has no next page under the new ones.
  const loadMore = (): void => (first.kind === 'done' ? more.load() : undefined);
  const listed = more.pages.flatMap(({ results }) => results).filter(({ id }) => id !== leaving);
  return (
    <section>
      <h2 class="count">
        {t('recent')} <span class="about">{number(head.total)}</span>
      </h2>
      <VirtualList
        items={listed}
        rowHeight={rowHeight}
        label={t('recent')}
        onEnd={loadMore}
        render={({ id, title, source, timestamp, message_count, metadata }, index) => {
          const group = dayGroup(timestamp);
          const starts = index === 0 || group !== dayGroup(listed[index - 1]?.timestamp ?? '');
          return (
            <a
              class={`row${opened?.id === id ? ' opened' : ''}${starts ? ' starts' : ''}`}
              href={hrefOf({ id })}
              data-result
            >
              {starts ? <span class="about group">{group}</span> : null}
              <strong>{title ?? String(metadata.generated_summary ?? t('untitled'))}</strong>
              <span class="about">
                <Source name={source} /> ·{' '}
                <time dateTime={timestamp} title={moment(timestamp)}>
                  {lately(timestamp)}
                </time>{' '}
                · {t('messages', { n: message_count })}
              </span>
            </a>
          );
        }}
      />
      {more.failure === undefined ? null : <Failure error={more.failure} onRetry={more.load} />}
    </section>
  );
}

function fetchPage(body: object, cursor?: string, signal?: AbortSignal): Promise<ConversationList> {
  const page = { ...body, limit: 50, ...(cursor === undefined ? {} : { cursor }) };
  return post<ConversationList>('/memory/conversations/list', page, signal === undefined ? {} : { signal });
}
