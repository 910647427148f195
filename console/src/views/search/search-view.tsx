import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Project } from '../../../../src/operations/projects.js';
import type { SearchOutput } from '../../../../src/operations/search/output.js';
import { atMost, get, post } from '../../api.js';
import { wordsToMark } from '../../components/highlight.js';
import { Failure, Waiting } from '../../components/notice.js';
import { ShowMore } from '../../components/show-more.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useMore } from '../../use-more.js';
import { useTurns } from '../../use-turns.js';
import { ConversationPane } from './conversation-pane.js';
import { FilterBar } from './filter-bar.js';
import { bodyOf, type Filters, filtersIn } from './filters.js';
import { moveBetweenResults } from './keys.js';
import { Recent } from './recent.js';
import { Results, type Target } from './results.js';

const modes = {
  chunks: 'modeChunks',
  compact: 'modeCompact',
  conversations: 'modeConversations',
  threads: 'modeThreads',
} as const;
type Mode = keyof typeof modes;

const pageSize = atMost(20);
/** Long enough to let a word be finished, short enough not to be felt. */
const typingPause = 60;

export function SearchView({ place: { params } }: ViewProps) {
  const query = params.get('q') ?? '';
  const mode = (params.get('mode') ?? 'chunks') as Mode;
  const filters = filtersIn(params);
  const opened = openedIn(params);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => moveBetweenResults(() => input.current), []);
  const link = (changes: Record<string, string | undefined>): string =>
    linkTo('search', { ...Object.fromEntries(params), ...changes });
  const hrefOf = ({ id, turn }: Target): string =>
    link({ open: id, at: turn === undefined ? undefined : String(turn) });
  const changeFilters = (next: Filters): void => {
    goTo(linkTo('search', { q: query, mode: params.get('mode') ?? undefined, ...next }));
  };
  const body = bodyOf(filters);
  const words = wordsToMark(query);
  return (
    <div class={opened === undefined ? 'search' : 'search with-pane'}>
      <div class="list">
        <h1 class="unseen">{t('search')}</h1>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              document.querySelector<HTMLElement>('[data-result]')?.click();
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
              onInput={(event) => {
                goTo(link({ q: event.currentTarget.value, open: undefined, at: undefined }), { replace: true });
              }}
            />
            <kbd>/</kbd>
          </form>
        </search>
        <FilterBar filters={filters} projects={useProjects()} onChange={changeFilters} />
        {query.trim() === '' ? (
          <Recent body={body} opened={opened} hrefOf={hrefOf} />
        ) : (
          <>
            <nav class="modes" aria-label={t('resultMode')}>
              {Object.entries(modes).map(([name, label]) => (
                <a key={name} href={link({ mode: name })} aria-current={name === mode ? 'true' : undefined}>
                  {t(label)}
                </a>
              ))}
            </nav>
            <Found query={query} mode={mode} body={body} words={words} opened={opened} hrefOf={hrefOf} />
          </>
        )}
      </div>
      {opened === undefined ? null : (
        <ConversationPane
          target={opened}
          words={words}
          projectId={filters.project_id}
          hrefOf={hrefOf}
          closeHref={link({ open: undefined, at: undefined })}
        />
      )}
    </div>
  );
}

interface FoundProps {
  query: string;
  mode: Mode;
  body: Record<string, unknown>;
  words: readonly string[];
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
}

function Found({ query, mode, body, words, opened, hrefOf }: FoundProps) {
  const request = { ...body, query, result_mode: mode, limit: pageSize, include_messages: false };
  const key = JSON.stringify(request);
  const inTurn = useTurns<SearchOutput>();
  // Without the signal: the service would go on all the same, and the next one would come on top.
  const search = inTurn(() => post<SearchOutput>('/memory/search', request));
  const called = useCall(key, search, { delay: typingPause });
  const first = answerIn(called);
  const more = useMore(first, (cursor) => post<SearchOutput>('/memory/search', { ...request, cursor }));
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (first === undefined) return <Waiting />;
  const items = more.pages.flatMap(({ results }) => results);
  if (items.length === 0) return <p class="notice">{t('noResults')}</p>;
  return (
    <div aria-busy={called.kind === 'waiting'}>
      {first.diagnostics === undefined ? null : <p class="notice">{t('keywordsOnly')}</p>}
      <Results items={items} words={words} opened={opened} hrefOf={hrefOf} />
      {called.kind === 'done' ? <ShowMore more={more} /> : null}
    </div>
  );
}

function openedIn(params: URLSearchParams): Target | undefined {
  const id = params.get('open');
  if (id === null) return undefined;
  const at = params.get('at');
  return { id, ...(at === null ? {} : { turn: Number(at) }) };
}

/** The person's projects, their own first: it is what a search without a project is about. */
function useProjects(): Project[] {
  const called = useCall('projects', (signal) => get<{ results: Project[] }>('/memory/projects', { signal }));
  return answerIn(called)?.results ?? [];
}
