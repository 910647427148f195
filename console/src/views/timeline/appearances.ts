import type { Label } from '../../../../src/operations/conversations/list.js';
import type { PersonOutput } from '../../../../src/operations/people.js';

/** One row of the map: a person or a topic, and how often it appears in each month. */
export interface Appearance {
  kind: 'person' | 'topic' | 'tag';
  name: string;
  /** One count per month, in the order of the months. */
  counts: readonly number[];
  total: number;
}

/** More rows, or columns, than these cannot be read. */
const mostRows = { person: 12, tag: 6, topic: 14 } as const;
export const mostMonths = 24;

/** The people, topics and tags that appear most in these months, each kind in the order of how often. */
export function appearancesIn(
  months: readonly string[],
  {
    people,
    labels,
    nameOf,
  }: { people: readonly PersonOutput[]; labels: readonly Label[]; nameOf: (person: PersonOutput) => string },
): Appearance[] {
  const rowOf = (kind: Appearance['kind'], name: string, found: readonly (readonly [string, number])[]): Appearance => {
    const byMonth = new Map(found);
    const counts = months.map((month) => byMonth.get(month) ?? 0);
    return { kind, name, counts, total: counts.reduce((sum, count) => sum + count, 0) };
  };
  const labelled = (kind: 'topic' | 'tag'): Appearance[] =>
    labels
      .filter((label) => label.kind === kind)
      .map((label) =>
        rowOf(
          kind,
          label.name,
          label.months.map(({ month, conversations }) => [month, conversations] as const),
        ),
      );
  const persons = people.map((person) =>
    rowOf(
      'person',
      nameOf(person),
      person.months.map(({ month, mentions }) => [month, mentions] as const),
    ),
  );
  const tags = labelled('tag');
  const named = new Set(tags.map(({ name }) => name.toLowerCase()));
  // A tag is often a topic as well; once is enough.
  const topics = labelled('topic').filter(({ name }) => !named.has(name.toLowerCase()));
  return [persons, tags, topics].flatMap((rows) =>
    rows
      .filter(({ total }) => total > 0)
      .sort((one, other) => other.total - one.total)
      .slice(0, mostRows[rows[0]?.kind ?? 'topic']),
  );
}
