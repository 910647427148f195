import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Project } from '../../../../src/operations/accounts.js';
import type { SearchOutput } from '../../../../src/operations/search/shapes.js';
import { atMost, get, post } from '../../api.js';
import { useChanges } from '../../changes.js';
import { wordsToMark } from '../../components/highlight.js';
import { Failure, Waiting } from '../../components/notice.js';
import { ShowMore } from '../../components/show-more.js';
import { ConversationPane } from '../../reading/conversation-pane.js';
import { useLeaving } from '../../reading/forgetting.js';
import { paramsOf, type Target, targetIn } from '../../reading/target.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useMore } from '../../use-more.js';
import { useSources } from '../../use-sources.js';
import { useTurns } from '../../use-turns.js';
import { Browse } from './browse.js';
import { Completions, completionsOf } from './completions.js';
import { ExportFound } from './export-found.js';
import { FilterBar } from './filter-bar.js';
import { bodyOf, type Filters, filtersIn } from './filters.js';
import { moveBetweenResults } from './keys.js';
import { QueryChips, understood, wordsOf } from './query-chips.js';
import { Recent } from './recent.js';
import { Results, targetOf } from './results.js';
import { SavedSearches, SaveSearch } from './saved-searches.js';

const modes = {
  chunks: 'modeChunks',
  compact: 'modeCompact',
  conversations: 'modeConversations',
  threads: 'modeThreads',
} as const;
type Mode = keyof typeof modes;

const sorts = { relevance: 'sortRelevance', newest: 'sortNewest', oldest: 'sortOldest' } as const;
type Sort = keyof typeof sorts;

const pageSize = atMost(20);
/** Long enough to let a word be finished, short enough not to be felt. */
const typingPause = 60;

export function SearchView({ place: { params } }: ViewProps) {
  const query = params.get('q') ?? '';
  const mode = (params.get('mode') ?? 'chunks') as Mode;
  const sort = (params.get('sort') ?? 'relevance') as Sort;
  const filters = filtersIn(params);
  const opened = targetIn(params);
  const input = useRef<HTMLInputElement>(null);
  /** The query whose first result is to be opened as soon as it is there. */
  const wantsFirst = useRef<string>();
  const link = (changes: Record<string, string | undefined>): string =>
    linkTo('search', { ...Object.fromEntries(params), ...changes });
  const hrefOf = (target: Target): string => link(paramsOf(target));
  const changeFilters = (next: Filters): void => {
    const kept = { mode: params.get('mode') ?? undefined, sort: params.get('sort') ?? undefined };
    goTo(linkTo('search', { q: query, ...kept, ...next }));
  };
  const search = (next: string): void => {
    wantsFirst.current = undefined;
    goTo(link({ q: next, ...paramsOf(undefined) }), { replace: true });
  };
  const clear = (): boolean => {
    if (query !== '') search('');
    return query !== '';
  };
  const latest = useRef(clear);
  latest.current = clear;
  useLayoutEffect(() => moveBetweenResults({ box: () => input.current, clear: () => latest.current() }), []);
  const sources = useSources(/source:\S*$/i.test(query));
  const body = bodyOf(filters);
  const words = wordsToMark(wordsOf(query));
  const openFirst = (): void => {
    // Results that are shown may still be those of the words before.
    const first = document.querySelector<HTMLElement>('[aria-busy=false] [data-result], .virtual [data-result]');
    const answered = document.querySelector<HTMLElement>('[data-query]')?.dataset.query;
    if (query.trim() === '' || answered === query) first?.click();
    else wantsFirst.current = query;
  };
  return (
    <div class={opened === undefined ? 'search' : 'search with-pane'}>
      <div class="list">
        <h1 class="unseen">{t('search')}</h1>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              openFirst();
            }}
          >
            <input
              ref={input}
              type="search"
              class="query"
              aria-label={t('searchLabel')}
              placeholder={t('searchPlaceholder')}
              value={query}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => search(event.currentTarget.value)}
              onKeyDown={(event) => {
                const [first] = event.key === 'Tab' && !event.shiftKey ? completionsOf(query, sources) : [];
                if (first === undefined) return;
                event.preventDefault();
                search(first);
              }}
            />
            <kbd>/</kbd>
          </form>
          <Completions
            query={query}
            sources={sources}
            onChoose={(next) => {
              search(next);
              input.current?.focus();
            }}
          />
        </search>
        <QueryChips query={query} onChange={search} />
        <div class="filter-line">
          <FilterBar filters={filters} projects={useProjects()} onChange={changeFilters} />
          <SaveSearch
            query={query}
            filters={filters}
            mode={params.get('mode') ?? undefined}
            sort={params.get('sort') ?? undefined}
          />
        </div>
        {query.trim() === '' && Object.keys(filters).length === 0 ? (
          <>
            <SavedSearches />
            <Browse />
          </>
        ) : null}
        {query.trim() === '' ? (
          <Recent body={body} opened={opened} hrefOf={hrefOf} />
        ) : (
          <>
            <div class="result-bar">
              <nav class="modes" aria-label={t('resultMode')}>
                {Object.entries(modes).map(([name, label]) => (
                  <a key={name} href={link({ mode: name })} aria-current={name === mode ? 'true' : undefined}>
                    {t(label)}
                  </a>
                ))}
              </nav>
              <select
                aria-label={t('sort')}
                value={sort}
                onChange={({ currentTarget: { value } }) => {
                  goTo(link({ sort: value === 'relevance' ? undefined : value }), { replace: true });
                }}
              >
                {Object.entries(sorts).map(([name, label]) => (
                  <option key={name} value={name}>
                    {t(label)}
                  </option>
                ))}
              </select>
            </div>
            <Found
              query={query}
              mode={mode}
              sort={sort}
              body={body}
              opened={opened}
              hrefOf={hrefOf}
              wantsFirst={wantsFirst}
            />
          </>
        )}
      </div>
      {opened === undefined ? null : (
        <ConversationPane
          target={opened}
          words={words}
          projectId={filters.project_id}
          hrefOf={hrefOf}
          closeHref={link(paramsOf(undefined))}
        />
      )}
    </div>
  );
}

interface FoundProps {
  query: string;
  mode: Mode;
  sort: Sort;
  body: Record<string, unknown>;
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
  wantsFirst: { current: string | undefined };
}

function Found({ query, mode, sort, body, opened, hrefOf, wantsFirst }: FoundProps) {
  const request = { ...body, query, result_mode: mode, sort, limit: pageSize, include_messages: false };
  const key = JSON.stringify(request);
  const inTurn = useTurns<SearchOutput>();
  // Without the signal: the service would go on all the same, and the next one would come on top.
  const search = inTurn(() => post<SearchOutput>('/memory/search', request));
  const called = useCall(key, search, { delay: typingPause });
  useChanges(called.reload);
  const leaving = useLeaving();
  const first = answerIn(called);
  const more = useMore(first, (cursor) => post<SearchOutput>('/memory/search', { ...request, cursor }));
  const items = more.pages.flatMap(({ results }) => results).filter(({ id }) => id !== leaving);
  const done = called.kind === 'done';
  useEffect(() => {
    if (!done || wantsFirst.current !== query) return;
    wantsFirst.current = undefined;
    const [best] = items;
    if (best !== undefined) goTo(hrefOf(targetOf(best)));
  }, [done, key]);
  if (called.kind === 'failed') {
    // What is wrong is already shown on the part of the query that is wrong.
    if (understood(query).some(({ wrong }) => wrong !== undefined)) return <p class="notice">{t('queryWrong')}</p>;
    return <Failure error={called.error} onRetry={called.reload} />;
  }
  if (first === undefined) return <Waiting />;
  return (
    <div aria-busy={!done} data-query={done ? query : undefined}>
      {first.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
      {items.length === 0 ? (
        <NothingFound query={query} />
      ) : (
        <>
          <div class="about found">
            <p class="totals" role="status">
              {t('results', { n: first.total })}
            </p>
            <ExportFound ids={[...new Set(items.map(({ id }) => id))]} body={body} />
          </div>
          <Results items={items} opened={opened} hrefOf={hrefOf} byRelevance={sort === 'relevance'} />
        </>
      )}
      {done ? <ShowMore more={more} /> : null}
    </div>
  );
}

/** The words that were typed may still be a question. */
function NothingFound({ query }: { query: string }) {
  return (
    <div class="notice">
      <p>{t('noResults')}</p>
      <p>
        <a href={linkTo('ask', { q: query })}>{t('askInstead')}</a>
      </p>
    </div>
  );
}

/** The person's projects, their own first: it is what a search without a project is about. */
function useProjects(): Project[] {
  const called = useCall('projects', (signal) => get<{ results: Project[] }>('/memory/projects', { signal }));
  return answerIn(called)?.results ?? [];
}
