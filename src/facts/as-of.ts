import { type Fact, largestGroup } from '../model/fact.js';
import { groupOf, judged } from './reconcile.js';

/** A topic of one conversation says nothing about the user. */
const leastTopics = 2;

/**
 * The facts as they were known at a time: only by what had been said and changed by then. They must be whole groups, because
 * what is known of one fact depends on what was said about the others.
 */
export function factsAsOf(facts: readonly Fact[], until: string): Fact[] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts.flatMap((each) => heardBy(each, until))) {
    const { id } = groupOf(fact);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [fact]);
    else group.push(fact);
  }
  return [...groups.values()].flatMap((group) => judged(newestOf(group)));
}

/** As many as are judged when something is said: judging takes longer than their number. */
function newestOf(group: readonly Fact[]): readonly Fact[] {
  if (group.length <= largestGroup) return group;
  const last = ({ sources }: Fact): string =>
    sources
      .map(({ stated_at }) => stated_at)
      .sort()
      .at(-1) ?? '';
  const dated = group.map((fact) => ({ fact, at: last(fact) }));
  const newest = dated.sort((one, other) => (one.at > other.at ? -1 : 1)).slice(0, largestGroup);
  return newest.map(({ fact }) => fact);
}

function heardBy(fact: Fact, until: string): Fact[] {
  const { superseded_by_hand: hand, changes: made = [], ...rest } = fact;
  const sources = fact.sources.filter(({ stated_at }) => stated_at <= until);
  const least = fact.predicate === 'recurring_topic' ? leastTopics : 1;
  if (sources.length < least) return [];
  const changes = made.filter(({ at }) => at <= until);
  return [
    {
      ...rest,
      sources,
      ...(hand !== undefined && hand.superseded_at <= until ? { superseded_by_hand: hand } : {}),
      ...(changes.length === 0 ? {} : { changes }),
    },
  ];
}
