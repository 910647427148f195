import { useLayoutEffect, useState } from 'preact/hooks';
import type { FactOutput } from '../../../../src/operations/facts/present.js';
import type { PersonOutput } from '../../../../src/operations/people.js';
import { atMost, post } from '../../api.js';
import { useChanges } from '../../changes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { linkTo } from '../../router.js';
import { ago, day, t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { AddFact } from '../facts/add-fact.js';
import { useFocusAfterChange } from '../facts/changing.js';
import { FactGroup } from '../facts/fact-group.js';
import { familiesOf } from '../facts/families.js';
import { nameOf, otherNamesOf, relationsOf } from './names.js';

interface PersonPageProps {
  person: PersonOutput;
  asOf: string;
}

/** One person: what they are to the user, since when, what is known about them, and where that was said. */
export function PersonPage({ person, asOf }: PersonPageProps) {
  const called = useCall(JSON.stringify([person, asOf]), (signal) => factsOf(person, { asOf, signal }));
  useChanges(called.reload);
  const facts = answerIn(called);
  useFocusAfterChange(facts);
  const name = nameOf(person);
  useLayoutEffect(() => {
    document.title = `${name} · ${t('people')} · Threadkeep`;
  }, [name]);
  const isFrozen = asOf !== '';
  const others = otherNamesOf(person);
  const sections = [
    { title: 'knownAbout', facts: (facts ?? []).filter(({ subject }) => subject !== 'user') },
    { title: 'knownAs', facts: (facts ?? []).filter(({ subject }) => subject === 'user') },
  ] as const;
  return (
    <section class="page people person-page">
      <p class="crumb">
        <a href={linkTo('people', { as_of: asOf })}>‹ {t('allPeople')}</a>
      </p>
      <h1>
        {name}{' '}
        {person.name === undefined
          ? null
          : relationsOf(person).map((relation) => (
              <span class="state" key={relation}>
                {relation}
              </span>
            ))}
      </h1>
      {isFrozen ? (
        <p class="notice">
          {t('factsAsOf', { day: day(asOf) })}{' '}
          <a href={linkTo('people', { person: person.id, name: person.name })}>{t('backToNow')}</a>
        </p>
      ) : null}
      <dl class="cards">
        {others === '' ? null : <Item name={t('otherNames')} value={others} />}
        <Item name={t('knownSince')} value={day(person.since)} />
        <Item name={t('mentioned')} value={`${day(person.last_confirmed_at)} (${ago(person.last_confirmed_at)})`} />
      </dl>
      {isFrozen || person.name === undefined ? null : (
        <AddFact label={t('addFactAbout', { name: person.name })} subject={person.name} />
      )}
      {called.kind === 'failed' ? <Failure error={called.error} onRetry={called.reload} /> : null}
      {facts === undefined && called.kind === 'waiting' ? <Waiting /> : null}
      {sections.map(({ title, facts: some }) =>
        some.length === 0 ? null : (
          <section key={title}>
            <h2>{t(title)}</h2>
            <div class="fact-groups">
              {familiesOf(some)
                .flatMap(({ groups }) => groups)
                .map((group) => (
                  <FactGroup key={group.key} group={group} everyFact={facts ?? []} isFrozen={isFrozen} isOfOne />
                ))}
            </div>
          </section>
        ),
      )}
      <Conversations ids={person.conversation_ids} name={person.name} />
    </section>
  );
}

function Item({ name, value }: { name: string; value: string }) {
  return (
    <div class="card">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** How many conversations are named at a time: each name is a call. */
const shownAtOnce = 8;

interface Told {
  id: string;
  title?: string;
  source: string;
  timestamp: string;
}

function Conversations({ ids, name }: { ids: readonly string[]; name: string | undefined }) {
  const [most, setMost] = useState(shownAtOnce);
  const shown = ids.slice(0, most);
  const called = useCall(JSON.stringify(shown), (signal) => Promise.all(shown.map((id) => toldIn(id, signal))));
  const told = (answerIn(called) ?? []).filter((each) => each !== undefined);
  return (
    <section>
      <h2>{t('toldIn')}</h2>
      <ul class="plain-list told">
        {told.map(({ id, title, source, timestamp }) => (
          <li key={id}>
            <a href={linkTo('search', { q: name, open: id })}>{title ?? t('untitled')}</a>{' '}
            <span class="about">
              {source} · {day(timestamp)}
            </span>
          </li>
        ))}
      </ul>
      <p class="actions">
        {ids.length > most ? (
          <button type="button" onClick={() => setMost(most + shownAtOnce)}>
            {t('more')}
          </button>
        ) : null}
        {name === undefined ? null : (
          <a href={linkTo('search', { q: `"${name}"` })}>{t('searchFor', { words: name })}</a>
        )}
      </p>
    </section>
  );
}

/** Undefined for a conversation that was forgotten meanwhile. */
async function toldIn(id: string, signal: AbortSignal): Promise<Told | undefined> {
  try {
    return await post<Told>('/memory/context', { id, message_index: 0, before: 0, after: 0 }, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

/** More names than this for one person are a mistake of the reading; their facts are in the facts view. */
const mostSubjects = 12;

/** The facts about a person with their history, and those of the user that say who they are. */
async function factsOf(
  { kind, relations, subjects, fact_ids, facts }: PersonOutput,
  { asOf, signal }: { asOf: string; signal: AbortSignal },
): Promise<FactOutput[]> {
  const own = new Set([...fact_ids, ...facts.map(({ fact_id }) => fact_id)]);
  const families = relations.map(
    (relation) => `${kind === 'pet' ? 'pet' : 'relation'}_${relation.replaceAll(' ', '_')}`,
  );
  const asked = [
    ...subjects.slice(0, mostSubjects).map((subject) => ({ subject })),
    ...[...families, 'family'].map((predicate) => ({ subject: 'user', predicate })),
  ];
  const then = asOf === '' ? {} : { as_of: asOf };
  const answers = await Promise.all(
    asked.map((filter) => {
      const body = { ...filter, ...then, include_superseded: true, limit: atMost(100) };
      return post<{ results: FactOutput[] }>('/memory/facts/search', body, { signal });
    }),
  );
  const found = answers.flatMap(({ results }) => results);
  // Others may share the subject or the relation; what is over belongs to no one in particular, so it comes by subject.
  const theirs = found.filter(({ id, subject, status }) => own.has(id) || (subject !== 'user' && status !== 'active'));
  return [...new Map(theirs.map((fact) => [fact.id, fact])).values()];
}
