import { useEffect, useRef } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import type { ProfileOutput } from '../../../../src/operations/facts/profile.js';
import { atMost, post } from '../../api.js';
import { useChanges } from '../../changes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { ShowMore } from '../../components/show-more.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { day, number, t } from '../../strings/text.js';
import { undoLast } from '../../undo-toast.js';
import { answerIn, useCall } from '../../use-call.js';
import { useKeys } from '../../use-keys.js';
import { useMore } from '../../use-more.js';
import { AddFact } from './add-fact.js';
import { useFocusAfterChange } from './changing.js';
import { Conflicts, useConflicts } from './conflicts.js';
import { FactGroup } from './fact-group.js';
import { familiesOf } from './families.js';

interface FactPage {
  facts: FactOutput[];
  cursor: string | null;
  known?: number;
}

/** What the address asks for. */
interface Wanted {
  q: string;
  about: string;
  as_of: string;
}

const pagesUnasked = 5;

/** The facts, or the queue of those that contradict each other. */
export function FactsView(props: ViewProps) {
  return props.place.params.get('about') === 'conflicts' ? <ConflictsView /> : <FactList {...props} />;
}

function ConflictsView() {
  useKeys({ u: undoLast });
  return (
    <section class="page facts">
      <h1>{t('facts')}</h1>
      <FactSearch wanted={{ q: '', about: 'conflicts', as_of: '' }} />
      <Conflicts />
    </section>
  );
}

/** What the memory knows: about the user, or about everyone and everything; now, or as it was known on a day. */
function FactList({ place: { params } }: ViewProps) {
  const wanted: Wanted = {
    q: params.get('q') ?? '',
    about: params.get('about') ?? '',
    as_of: params.get('as_of') ?? '',
  };
  const key = JSON.stringify(wanted);
  const shownPages = useRef({ key, count: 1 });
  // Read again after a change, a list stays as long as it was.
  const count = shownPages.current.key === key ? shownPages.current.count : 1;
  const called = useCall(key, (signal) => fetchPages(wanted, { count, signal }), { delay: 60 });
  const first = answerIn(called);
  const more = useMore(first, (cursor) => fetchPage(wanted, { cursor }));
  const facts = more.pages.flatMap((page) => page.facts);
  shownPages.current = { key, count: Math.max(count, Math.ceil(facts.length / pageSize())) };
  useChanges(called.reload);
  useFocusAfterChange(first);
  useKeys({ u: undoLast });
  const isFrozen = wanted.as_of !== '';
  // One page may end in the middle of a history, so a few more come by themselves, behind what is already shown.
  useEffect(() => {
    if (called.kind === 'done' && more.pages.length < pagesUnasked) more.load();
  }, [called.kind, more.pages.length]);
  return (
    <section class="page facts">
      <h1>
        {t('facts')} {first?.known === undefined ? null : <span class="about">{number(first.known)}</span>}
      </h1>
      <FactSearch wanted={wanted} />
      {isFrozen ? (
        <p class="notice">
          {t('factsAsOf', { day: day(wanted.as_of) })}{' '}
          <a href={linkTo('facts', { ...wanted, as_of: undefined })}>{t('backToNow')}</a>
        </p>
      ) : (
        <>
          <ConflictNotice />
          <AddFact label={t('addFact')} />
        </>
      )}
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {first === undefined && called.kind === 'waiting' ? <Waiting /> : null}
      {first !== undefined && facts.length === 0 ? (
        <p class="notice">{t(wanted.q.trim() === '' ? 'noFacts' : 'noFactsFound')}</p>
      ) : null}
      {familiesOf(facts).map(({ name, groups }) => (
        <section key={name}>
          <h2>{t(name)}</h2>
          <div class="fact-groups">
            {groups.map((group) => (
              <FactGroup key={group.key} group={group} everyFact={facts} isFrozen={isFrozen} />
            ))}
          </div>
        </section>
      ))}
      {called.kind === 'done' ? <ShowMore more={more} /> : null}
    </section>
  );
}

function ConflictNotice() {
  const found = answerIn(useConflicts()) ?? [];
  if (found.length === 0) return null;
  return (
    <p class="notice conflicts-found">
      {t('conflictsFound', { n: found.length })}{' '}
      <a href={linkTo('facts', { about: 'conflicts' })}>{t('resolveThem')}</a>
    </p>
  );
}

function FactSearch({ wanted }: { wanted: Wanted }) {
  const { q, about, as_of } = wanted;
  // A search is among all facts: it leaves the queue.
  const found = { ...wanted, about: about === 'conflicts' ? 'all' : about };
  return (
    <div class="fact-search">
      <input
        type="search"
        aria-label={t('searchFacts')}
        placeholder={t('searchFacts')}
        value={q}
        autocomplete="off"
        onInput={(event) => goTo(linkTo('facts', { ...found, q: event.currentTarget.value }), { replace: true })}
      />
      <nav class="years" aria-label={t('factsAbout')}>
        <a href={linkTo('facts', { q, as_of })} aria-current={about === '' ? 'true' : undefined}>
          {t('factsAboutMe')}
        </a>
        <a href={linkTo('facts', { q, as_of, about: 'all' })} aria-current={about === 'all' ? 'true' : undefined}>
          {t('factsAboutAll')}
        </a>
        <a href={linkTo('facts', { about: 'conflicts' })} aria-current={about === 'conflicts' ? 'true' : undefined}>
          {t('conflicts')}
        </a>
      </nav>
      <label class="as-of">
        {t('asOf')}
        <input
          type="date"
          value={as_of}
          max={new Date().toISOString().slice(0, 10)}
          onChange={(event) => goTo(linkTo('facts', { ...found, as_of: event.currentTarget.value }))}
        />
      </label>
    </div>
  );
}

function pageSize(): number {
  return atMost(100);
}

/** As many pages as were shown, as one. */
async function fetchPages(
  wanted: Wanted,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<FactPage> {
  let page = await fetchPage(wanted, { signal });
  for (let read = 1; read < count && page.cursor !== null; read++) {
    const next = await fetchPage(wanted, { cursor: page.cursor, signal });
    page = { ...page, facts: [...page.facts, ...next.facts], cursor: next.cursor };
  }
  return page;
}

async function fetchPage(
  { q, about, as_of }: Wanted,
  { cursor, signal }: { cursor?: string; signal?: AbortSignal },
): Promise<FactPage> {
  const page = {
    include_superseded: true,
    limit: pageSize(),
    ...(as_of === '' ? {} : { as_of }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  const options = signal === undefined ? {} : { signal };
  if (q.trim() === '' && about !== 'all') {
    const { facts, cursor: next, summary } = await post<ProfileOutput>('/memory/profile/get', page, options);
    return { facts, cursor: next, known: summary.active_fact_count };
  }
  const words = q.trim() === '' ? {} : { query: q };
  const body = { ...page, ...words, ...(about === 'all' ? {} : { subject: 'user' }) };
  const found = await post<{ results: FactOutput[]; cursor: string | null }>('/memory/facts/search', body, options);
  return { facts: found.results, cursor: found.cursor };
}
