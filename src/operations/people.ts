import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import { type Person, peopleOf } from '../facts/people.js';
import { factsSettled } from '../indexing/facts/tagging.js';
import type { Visibility } from '../model/access.js';
import { type Fact, factConfidences } from '../model/fact.js';
import { asOfField, momentOf, serviceAsOf } from './as-of.js';
import { projectId } from './fields.js';
import type { Operation } from './operation.js';
import type { Service } from './service.js';

const input = z.strictObject({ as_of: asOfField, project_id: projectId.optional() });

const personOutput = z.object({
  id: z.string(),
  kind: z.enum(['person', 'pet']),
  name: z.string().optional().describe('Absent for a person who is known only by relation'),
  other_names: z.array(z.string()),
  relations: z.array(z.string()).describe('Their relation to the user: sister, boss, dog'),
  confidence: z.enum(factConfidences),
  since: z.string().describe('The time of the oldest message that mentions them'),
  last_confirmed_at: z.string(),
  conversation_ids: z.array(z.string()).describe('The conversations that mention them'),
  fact_ids: z.array(z.string()).describe('The facts that mention them'),
  months: z
    .array(z.object({ month: z.string(), mentions: z.number().int() }))
    .describe('The UTC months in which messages mention them, oldest first'),
  subjects: z.array(z.string()).describe('The names that facts about them use as subject, for a fact search'),
  facts: z
    .array(z.object({ fact_id: z.string(), predicate: z.string(), value: z.string() }))
    .describe('Other facts about them'),
});

const output = z.object({ status: z.literal('ok'), results: z.array(personOutput) });

export type PeopleOutput = z.infer<typeof output>;
export type PersonOutput = z.infer<typeof personOutput>;

export const listPeople: Operation<z.infer<typeof input>, PeopleOutput> = {
  name: 'people_list',
  summary: 'The people the user mentioned and their relation to the user, most recently mentioned first',
  input,
  output,
  async run(service, call, { as_of, project_id }) {
    await factsSettled(service);
    const visibility = visibilityOf(call.principal, { projectId: project_id });
    const facts = await activeFacts(serviceAsOf(service, visibility, momentOf(as_of)), visibility);
    return { status: 'ok', results: peopleOf(visibility.projectId, facts).map(presentPerson) };
  },
};

const pageSize = 500;

/** Only the newest facts are read; this is far more than people mention. */
const mostRead = 10_000;

async function activeFacts({ records }: Service, visibility: Visibility): Promise<Fact[]> {
  const all: Fact[] = [];
  let page: Fact[];
  do {
    const last = all.at(-1);
    const after = last === undefined ? undefined : { value: last.stated_at, id: last.id };
    page = await records.facts.search(visibility, { status: 'active' }, { limit: pageSize, after });
    all.push(...page);
  } while (page.length === pageSize && all.length < mostRead);
  return all;
}

const mostFacts = 50;
const mostConversations = 100;

function presentPerson({ id, kind, name, otherNames, relations, confidence, known, about }: Person): PersonOutput {
  const ids = [...new Set(known.flatMap(({ conversation_ids }) => conversation_ids))];
  const times = known.flatMap(({ created_at, last_confirmed_at }) => [created_at, last_confirmed_at]).sort();
  return {
    id,
    kind,
    ...(name === undefined ? {} : { name }),
    other_names: otherNames,
    relations,
    confidence,
    since: times[0] ?? '',
    last_confirmed_at: times.at(-1) ?? '',
    conversation_ids: ids.slice(0, mostConversations),
    fact_ids: known.map((fact) => fact.id),
    months: monthsOf([...known, ...about]),
    subjects: [...new Set([...known, ...about].map(({ subject }) => subject))].filter((subject) => subject !== 'user'),
    facts: about.slice(0, mostFacts).map((fact) => ({
      fact_id: fact.id,
      predicate: fact.predicate,
      value: fact.object_normalized,
    })),
  };
}

function monthsOf(facts: readonly Fact[]): PersonOutput['months'] {
  const counts = new Map<string, number>();
  for (const { stated_at } of facts.flatMap(({ sources }) => sources)) {
    const month = stated_at.slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([month, mentions]) => ({ month, mentions }));
}
