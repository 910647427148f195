import { createHash } from 'node:crypto';
import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { factsSettled } from '../../indexing/facts/tagging.js';
import type { Visibility } from '../../model/access.js';
import type { Fact } from '../../model/fact.js';
import type { FactFilter } from '../../records/facts.js';
import { momentOf, serviceAsOf } from '../as-of.js';
import { countWanted } from '../fields.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { factOutput, presentFact } from './present.js';
import { factFilter, factPage, type ProfileInput, profileInput, usualFacts } from './search.js';

const counts = z.record(z.string(), z.number().int());

const summaryOutput = z.object({
  id: z.string(),
  type: z.literal('profile'),
  target_id: z.string().describe('The subject'),
  project_id: z.string(),
  text: z.string(),
  basis: z.literal('active_facts'),
  provenance_status: z.literal('fact_ids'),
  fact_count: z.number().int().describe('Facts that match the filters'),
  active_fact_count: z.number().int(),
  freshest_at: z.string().nullable().describe('The newest confirmation among the active facts'),
  source_quality_counts: counts,
  confidence_counts: counts,
  filters: z.record(z.string(), z.string()),
  save_intent_filters: z.record(z.string(), z.string()),
  provenance: z.array(
    z.object({
      fact_id: z.string(),
      predicate: z.string(),
      source_conversation_id: z.string(),
      source_message_indexes: z.array(z.number().int()),
      source: z.string(),
      last_confirmed_at: z.string(),
    }),
  ),
  generated_at: z.string(),
});

const output = z.object({
  status: z.literal('ok'),
  subject: z.string(),
  summary: summaryOutput,
  facts: z.array(factOutput),
  cursor: z.string().nullable().describe('Send it to get the next page; null on the last page'),
});

export type ProfileOutput = z.infer<typeof output>;

/** The summary covers at most this many facts; paging continues beyond. */
const mostSummarised = 1_000;
const mostShown = 12;

export const getProfile: Operation<ProfileInput, ProfileOutput> = {
  name: 'profile_get',
  summary: 'The facts about a subject, with a summary',
  input: profileInput,
  output,
  async run(service, call, input) {
    await factsSettled(service);
    const visibility = visibilityOf(call.principal, { projectId: input.project_id });
    const filter = factFilter(input);
    const { cursor, limit: asked, ...rest } = input;
    const limit = countWanted(service, asked, { field: 'limit', usual: usualFacts.profile });
    const then = serviceAsOf(service, visibility, momentOf(input.as_of));
    const [page, all] = await Promise.all([
      factPage(then, { visibility, filter, limit, cursor, of: { limit, ...rest } }),
      summarisedFacts(then, visibility, filter),
    ]);
    const place = { projectId: visibility.projectId, now: service.now() };
    return {
      status: 'ok',
      subject: input.subject,
      summary: summarised(all, input, place),
      facts: page.facts.map(presentFact),
      cursor: page.cursor,
    };
  },
};

async function summarisedFacts(service: Service, visibility: Visibility, filter: FactFilter): Promise<Fact[]> {
  const search = (pinned: boolean, limit: number) =>
    service.records.facts.search(visibility, { ...filter, pinned }, { limit });
  const first = await search(true, mostSummarised);
  return [...first, ...(await search(false, mostSummarised)).slice(0, mostSummarised - first.length)];
}

/** Computed for each response; a read writes nothing. */
function summarised(
  facts: readonly Fact[],
  input: ProfileInput,
  { projectId, now }: { projectId: string; now: string },
): z.infer<typeof summaryOutput> {
  const active = facts.filter(({ status }) => status === 'active');
  const filters = filtersOf(input);
  const { save_intent, save_intent_source } = filters;
  return {
    id: summaryId(projectId, input.subject, filters),
    type: 'profile',
    target_id: input.subject,
    project_id: projectId,
    text: textOf(active),
    basis: 'active_facts',
    provenance_status: 'fact_ids',
    fact_count: facts.length,
    active_fact_count: active.length,
    freshest_at:
      active
        .map(({ last_confirmed_at }) => last_confirmed_at)
        .sort()
        .at(-1) ?? null,
    source_quality_counts: countsOf(active.map(({ source_quality }) => source_quality)),
    confidence_counts: countsOf(active.map(({ confidence }) => confidence)),
    filters,
    save_intent_filters: {
      ...(save_intent === undefined ? {} : { save_intent }),
      ...(save_intent_source === undefined ? {} : { save_intent_source }),
    },
    provenance: active.slice(0, mostShown).flatMap(provenanceOf),
    generated_at: now,
  };
}

function filtersOf({ subject: _, cursor: __, limit: ___, include_superseded, ...given }: ProfileInput) {
  const entries = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const filters: Record<string, string> = Object.fromEntries(entries);
  return { ...filters, status: filters.status ?? (include_superseded ? 'all' : 'active') } as Record<string, string>;
}

function textOf(active: readonly Fact[]): string {
  if (active.length === 0) return 'No active facts match.';
  const shown = active.slice(0, mostShown).map((fact) => `${fact.predicate}: ${fact.object_normalized}`);
  const rest = active.length - shown.length;
  return rest === 0 ? `${shown.join('; ')}.` : `${shown.join('; ')}; and ${rest} more.`;
}

function provenanceOf(fact: Fact) {
  const heard = fact.sources.filter(({ by_hand }) => !by_hand);
  const newest = heard.at(-1);
  if (newest === undefined) return [];
  const indexes = heard
    .filter(({ conversation_id }) => conversation_id === newest.conversation_id)
    .map(({ message_index }) => message_index);
  return [
    {
      fact_id: fact.id,
      predicate: fact.predicate,
      source_conversation_id: newest.conversation_id,
      source_message_indexes: [...new Set(indexes)],
      source: newest.source,
      last_confirmed_at: fact.last_confirmed_at,
    },
  ];
}

function countsOf(values: readonly string[]): Record<string, number> {
  const tally = new Map<string, number>();
  for (const value of values) tally.set(value, (tally.get(value) ?? 0) + 1);
  return Object.fromEntries(tally);
}

function summaryId(projectId: string, subject: string, filters: Record<string, string>): string {
  const key = JSON.stringify([projectId, subject, Object.entries(filters).sort()]);
  return `summary:${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
}
