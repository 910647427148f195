import type { z } from 'zod';
import { factsAsOf, groupOf } from '../facts/reconcile.js';
import type { Visibility } from '../model/access.js';
import { timeOf } from '../model/conversation.js';
import { type Fact, largestGroup, subjectKeyOf } from '../model/fact.js';
import { utcRange } from '../model/time.js';
import type { SaidMessage } from '../records/conversations.js';
import type { FactFilter, FactRecords } from '../records/facts.js';
import type { Records } from '../records/open.js';
import type { ConversationRow } from '../records/store.js';
import { date } from './fields.js';
import type { Service } from './service.js';

export const asOfField: z.ZodOptional<z.ZodString> = date
  .optional()
  .describe('The state at this time: later messages and changes are ignored. A plain date means the whole UTC day');

/** The last moment to include; undefined for the current state. */
export function momentOf(asOf: string | undefined): string | undefined {
  return asOf === undefined ? undefined : utcRange(asOf)?.last;
}

/**
 * The service as it would have answered at a given time. Its records return no later messages, derive facts only from
 * statements and changes up to then, and leave out data generated from a conversation that was continued later. Code
 * that reads through it cannot see anything newer.
 */
export function serviceAsOf(service: Service, visibility: Visibility, until: string | undefined): Service {
  if (until === undefined) return service;
  const now = service.now();
  return {
    ...service,
    now: () => (until < now ? until : now),
    records: recordsAsOf(service.records, visibility, until),
  };
}

function recordsAsOf(records: Records, visibility: Visibility, until: string): Records {
  const { conversations } = records;
  const rows = new Map<string, ConversationRow>();
  const rowsOf = async (ids: readonly string[]): Promise<ReadonlyMap<string, ConversationRow>> => {
    const unread = [...new Set(ids)].filter((id) => !rows.has(id));
    for (const row of await conversations.byIds(visibility, unread)) rows.set(row.id, row);
    return rows;
  };
  const saidBy = async <Message extends SaidMessage>(messages: readonly Message[]): Promise<Message[]> => {
    const known = await rowsOf(messages.map(({ conversation_id }) => conversation_id));
    return messages.filter((message) => {
      const row = known.get(message.conversation_id);
      return row !== undefined && timeOf(message, row).at <= until;
    });
  };
  return {
    ...records,
    facts: { ...records.facts, ...factsReadAsOf(records, visibility, until) },
    headings: {
      async search(seen, query) {
        const ids = await records.headings.search(seen, query);
        const known = await rowsOf(ids);
        return ids.filter((id) => {
          const row = known.get(id);
          return row !== undefined && row.aliases === undefined && !isChangedAfter(row, until);
        });
      },
    },
    conversations: {
      ...conversations,
      async byIds(seen, ids, filter) {
        const { saidTo } = filter ?? {};
        const found = await conversations.byIds(seen, ids, {
          ...filter,
          saidTo: saidTo !== undefined && saidTo < until ? saidTo : until,
          own: true,
        });
        const asked = filter?.tags === undefined ? found : found.filter((row) => !isChangedAfter(row, until));
        return asked.map((row) => rowAsOf(row, until));
      },
      idsMatching: (seen, filter, limit) => conversations.idsMatching(seen, { ...filter, own: true }, limit),
      async messagesOf(ids) {
        const found = await conversations.messagesOf(ids);
        const kept = new Set(await saidBy([...found.values()].flat()));
        return new Map([...found].map(([id, messages]) => [id, messages.filter((message) => kept.has(message))]));
      },
      async messagesAt(places) {
        const found = await conversations.messagesAt(places);
        return new Map((await saidBy([...found.values()])).map((message) => [message.id, message]));
      },
    },
  };
}

/**
 * Leaves out data generated from the whole conversation if it was continued later, and the title and tags if they
 * were changed later, because only their latest version is stored. Aliases have no known time.
 */
function rowAsOf({ aliases: _, ...row }: ConversationRow, until: string): ConversationRow {
  const wentOn = (row.last_at ?? row.at) > until;
  const isChanged = isChangedAfter(row, until);
  if (!wentOn && !isChanged) return row;
  const { generated_summary: __, auto_tags: ___, tag_sources: ____, updated_at: _____, ...kept } = row.metadata;
  const { summary: ______, ...unsummed } = kept;
  const metadata = wentOn ? unsummed : kept;
  return isChanged ? withoutHeading({ ...row, metadata }) : { ...row, metadata };
}

/** Changes made in the same write as the insert belong to the capture, however long after the conversation it was. */
function isChangedAfter({ created_at, updated_at }: ConversationRow, until: string): boolean {
  return updated_at > until && updated_at > created_at;
}

function withoutHeading({ title: _, tags: __, ...row }: ConversationRow): ConversationRow {
  const { tags: ___, ...metadata } = row.metadata;
  return { ...row, metadata };
}

const pageSize = 500;

/** The fact reads that answers are made from. */
function factsReadAsOf(
  { facts }: Records,
  visibility: Visibility,
  until: string,
): Pick<FactRecords, 'search' | 'matching' | 'byIds' | 'ofConversation'> {
  const read = new Map<string, Promise<Fact[]>>();
  /** Facts of a subject are judged independently of other subjects, so one subject can be read alone. */
  const known = (subject: string | undefined): Promise<Fact[]> => {
    const key = subject === undefined ? '' : subjectKeyOf(subject);
    const reading = read.get(key) ?? readAll(subject);
    read.set(key, reading);
    return reading;
  };
  const readAll = async (subject: string | undefined): Promise<Fact[]> => {
    const filter: FactFilter = { createdTo: until, ...(subject === undefined ? {} : { subject }) };
    const all: Fact[] = [];
    const isWithin = bound(until);
    let after: { value: string; id: string } | undefined;
    do {
      const page = await facts.search(visibility, filter, { limit: pageSize, after });
      all.push(...page.filter(isWithin));
      const last = page.length < pageSize ? undefined : page.at(-1);
      after = last && { value: last.stated_at, id: last.id };
    } while (after !== undefined);
    return factsAsOf(all, until).sort(newestFirst);
  };
  return {
    async search(_, filter, { limit, after }) {
      const found = (await known(filter.subject)).filter((fact) => passes(fact, filter));
      const rest = after === undefined ? found : found.filter((fact) => isBehind(fact, after));
      return rest.slice(0, limit);
    },
    /** The text index only knows the current facts, so the caller has to read and match them itself. */
    matching: async () => undefined,
    async byIds(_, ids) {
      return (await known(undefined)).filter(({ id }) => ids.includes(id));
    },
    async ofConversation(_, conversationId, status) {
      const found = await facts.ofConversation(visibility, conversationId, 'all');
      const subjects = [...new Set(found.map(({ subject }) => subject))];
      const then = (await Promise.all(subjects.map(known))).flat();
      return then.filter(
        (fact) => fact.conversation_ids.includes(conversationId) && (status === 'all' || fact.status === status),
      );
    },
  };
}

/**
 * Keeps the newest facts of each group, as many as are judged together. Facts are ordered by their last statement, so
 * those stated again after that time come first and are counted separately.
 */
function bound(until: string): (fact: Fact) => boolean {
  const counts = new Map<string, number>();
  return (fact) => {
    const key = `${groupOf(fact).id}\n${fact.stated_at > until}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= largestGroup;
  };
}

function newestFirst(one: Fact, other: Fact): number {
  if (one.stated_at !== other.stated_at) return one.stated_at < other.stated_at ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

function isBehind(fact: Fact, { value, id }: { value: string; id: string }): boolean {
  return fact.stated_at < value || (fact.stated_at === value && fact.id < id);
}

/** Applies the conditions of a fact search to facts that are not in a store. */
function passes(fact: Fact, filter: FactFilter): boolean {
  const isIn = (value: string, from: string | undefined, to: string | undefined): boolean =>
    (from === undefined || value >= from) && (to === undefined || value <= to);
  const equals = (wanted: string | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted === value;
  return (
    equals(filter.status, fact.status) &&
    equals(filter.confidence, fact.confidence) &&
    equals(filter.sourceQuality, fact.source_quality) &&
    equals(filter.saveIntent, fact.save_intent) &&
    equals(filter.saveIntentSource, fact.save_intent_source) &&
    isIn(fact.stated_at, filter.from, filter.to) &&
    isIn(fact.last_confirmed_at, filter.freshFrom, filter.freshTo) &&
    (filter.predicates === undefined || filter.predicates.includes(fact.predicate)) &&
    (filter.source === undefined || fact.source_names.includes(filter.source)) &&
    (filter.pinned === undefined || filter.pinned === (fact.pinned_at !== undefined))
  );
}
