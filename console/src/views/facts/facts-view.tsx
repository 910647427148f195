import { useEffect, useState } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import type { ProfileOutput } from '../../../../src/operations/facts/profile.js';
import { atMost, post } from '../../api.js';
import { tellChange } from '../../changes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { ShowMore } from '../../components/show-more.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useMore } from '../../use-more.js';
import { FactGroup } from './fact-group.js';
import { familiesOf } from './families.js';

interface FactPage {
  facts: FactOutput[];
  cursor: string | null;
  known?: number;
}

const pagesUnasked = 5;

/** What the memory knows: about the person, or about everyone and everything. */
export function FactsView({ place: { params } }: ViewProps) {
  const query = params.get('q') ?? '';
  const everything = params.get('about') === 'all';
  const key = JSON.stringify([query, everything]);
  const called = useCall(key, (signal) => fetchPage({ query, everything }, undefined, signal), { delay: 60 });
  const [failure, setFailure] = useState<Error>();
  const first = answerIn(called);
  const more = useMore(first, (cursor) => fetchPage({ query, everything }, cursor));
  const facts = more.pages.flatMap((page) => page.facts);
  const change = (work: Promise<unknown>): void => {
    setFailure(undefined);
    work.then(() => {
      tellChange();
      called.reload();
    }, setFailure);
  };
  // One page may end in the middle of a history, so a few more come by themselves, behind what is already shown.
  useEffect(() => {
    if (called.kind === 'done' && more.pages.length < pagesUnasked) more.load();
  }, [called.kind, more.pages.length]);
  return (
    <section class="page facts">
      <h1>
        {t('facts')} {first?.known === undefined ? null : <span class="about">{first.known}</span>}
      </h1>
      <FactSearch query={query} everything={everything} />
      {failure === undefined ? null : <Failure error={failure} />}
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {first === undefined && called.kind === 'waiting' ? <Waiting /> : null}
      {first !== undefined && facts.length === 0 ? <p class="notice">{t('noFacts')}</p> : null}
      {familiesOf(facts).map(({ name, groups }) => (
        <section key={name}>
          <h2>{t(name)}</h2>
          <div class="fact-groups">
            {groups.map((group) => (
              <FactGroup key={group.key} group={group} everyFact={facts} onChange={change} />
            ))}
          </div>
        </section>
      ))}
      {called.kind === 'done' ? <ShowMore more={more} /> : null}
    </section>
  );
}

function FactSearch({ query, everything }: { query: string; everything: boolean }) {
  const about = everything ? 'all' : undefined;
  return (
    <div class="fact-search">
      <input
        type="search"
        aria-label={t('searchFacts')}
        placeholder={t('searchFacts')}
        value={query}
        autocomplete="off"
        onInput={(event) => goTo(linkTo('facts', { q: event.currentTarget.value, about }), { replace: true })}
      />
      <nav class="years" aria-label={t('factsAbout')}>
        <a href={linkTo('facts', { q: query })} aria-current={everything ? undefined : 'true'}>
          {t('factsAboutMe')}
        </a>
        <a href={linkTo('facts', { q: query, about: 'all' })} aria-current={everything ? 'true' : undefined}>
          {t('factsAboutAll')}
        </a>
      </nav>
    </div>
  );
}

async function fetchPage(
  { query, everything }: { query: string; everything: boolean },
  cursor?: string,
  signal?: AbortSignal,
): Promise<FactPage> {
  const page = { include_superseded: true, limit: atMost(100), ...(cursor === undefined ? {} : { cursor }) };
  const options = signal === undefined ? {} : { signal };
  if (query.trim() === '' && !everything) {
    const { facts, cursor: next, summary } = await post<ProfileOutput>('/memory/profile/get', page, options);
    return { facts, cursor: next, known: summary.active_fact_count };
  }
  const words = query.trim() === '' ? {} : { query };
  const body = { ...page, ...words, ...(everything ? {} : { subject: 'user' }) };
  const found = await post<{ results: FactOutput[]; cursor: string | null }>('/memory/facts/search', body, options);
  return { facts: found.results, cursor: found.cursor };
}
