import { useState } from 'preact/hooks';
import type { PeopleOutput, PersonOutput } from '../../../../src/operations/people.js';
import { get } from '../../api.js';
import { useChanges } from '../../changes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { ago, day, number, t } from '../../strings/text.js';
import { undoLast } from '../../undo-toast.js';
import { answerIn, useCall } from '../../use-call.js';
import { useKeys } from '../../use-keys.js';
import { nameOf, otherNamesOf, relationsOf } from './names.js';
import { PersonPage } from './person-page.js';

/** Who is known; each has an address of their own. */
export function PeopleView({ place: { params } }: ViewProps) {
  const asOf = params.get('as_of') ?? '';
  const called = useCall(`people ${asOf}`, (signal) => {
    const query = asOf === '' ? '' : `?${new URLSearchParams({ as_of: asOf })}`;
    return get<PeopleOutput>(`/memory/people${query}`, { signal });
  });
  useChanges(called.reload);
  useKeys({ u: undoLast });
  const people = answerIn(called)?.results;
  const [person, name] = [params.get('person'), params.get('name')];
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (people === undefined) return <Waiting />;
  if (person === null && name === null) return <PeopleList people={people} asOf={asOf} />;
  const found = foundIn(people, { id: person, name });
  if (found !== undefined) return <PersonPage key={found.id} person={found} asOf={asOf} />;
  return (
    <section class="page people">
      <h1>{name ?? t('people')}</h1>
      <p class="notice">
        {t('personUnknown')}{' '}
        {name === null ? null : (
          <a href={linkTo('facts', { about: 'all', q: name, as_of: asOf })}>{t('searchFacts')}</a>
        )}{' '}
        <a href={linkTo('people', { as_of: asOf })}>{t('allPeople')}</a>
      </p>
    </section>
  );
}

/** By id; after a change of the facts the id may be another one, and then the name says who was meant, if only one has it. */
function foundIn(
  people: readonly PersonOutput[],
  { id, name }: { id: string | null; name: string | null },
): PersonOutput | undefined {
  const same = people.find((each) => each.id === id);
  if (same !== undefined || name === null) return same;
  const wanted = name.toLocaleLowerCase();
  const [only, second] = people.filter((each) =>
    [each.name, ...each.other_names, ...each.subjects].some((word) => word?.toLocaleLowerCase() === wanted),
  );
  return second === undefined ? only : undefined;
}

const shownAtFirst = 60;

function PeopleList({ people, asOf }: { people: readonly PersonOutput[]; asOf: string }) {
  const [typed, setTyped] = useState('');
  const [most, setMost] = useState(shownAtFirst);
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fitting = people.filter((person) => {
    const named = [nameOf(person), ...person.other_names, ...relationsOf(person)].join(' ').toLocaleLowerCase();
    return words.every((word) => named.includes(word));
  });
  const shown = fitting.slice(0, most);
  return (
    <section class="page people">
      <h1>
        {t('people')} <span class="about">{number(people.length)}</span>
      </h1>
      <div class="fact-search">
        <input
          type="search"
          aria-label={t('findPerson')}
          placeholder={t('findPerson')}
          value={typed}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <label class="as-of">
          {t('asOf')}
          <input
            type="date"
            value={asOf}
            max={new Date().toISOString().slice(0, 10)}
            onChange={(event) => goTo(linkTo('people', { as_of: event.currentTarget.value }))}
          />
        </label>
      </div>
      {people.length === 0 ? <p class="notice">{t('noPeople')}</p> : null}
      {people.length > 0 && fitting.length === 0 ? <p class="notice">{t('noPersonFound')}</p> : null}
      {(['person', 'pet'] as const).map((kind) => {
        const some = shown.filter((person) => person.kind === kind);
        if (some.length === 0) return null;
        return (
          <section key={kind}>
            <h2>{t(kind === 'person' ? 'peoplePersons' : 'peoplePets')}</h2>
            <ul class="people-list">
              {some.map((person) => (
                <li key={person.id}>
                  <PersonCard person={person} asOf={asOf} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {fitting.length > most ? (
        <button type="button" class="more" onClick={() => setMost(most + shownAtFirst)}>
          {t('more')}
        </button>
      ) : null}
    </section>
  );
}

function PersonCard({ person, asOf }: { person: PersonOutput; asOf: string }) {
  const relations = relationsOf(person).join(', ');
  const others = otherNamesOf(person);
  return (
    <a class="card person" href={linkTo('people', { person: person.id, name: person.name, as_of: asOf })}>
      <strong>{nameOf(person)}</strong>
      {person.name === undefined || relations === '' ? null : <span class="state">{relations}</span>}
      {others === '' ? null : <span class="about">{t('alsoCalled', { names: others })}</span>}
      <span class="about">
        {t('since', { day: day(person.since) })} · {t('lastMentioned', { when: ago(person.last_confirmed_at) })}
      </span>
      {person.facts.length === 0 ? null : <span class="about">{t('countFacts', { n: person.facts.length })}</span>}
    </a>
  );
}
