import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { topicsOf } from '../../indexing/rows.js';
import type { Visibility } from '../../model/access.js';
import { memoryStatuses } from '../../model/conversation.js';
import type { LabelledRow } from '../../records/conversations.js';
import type { Records } from '../../records/open.js';
import { cursorUpTo, decodePageEnd, encodePageEnd, filterOf, filterShape, projectId } from '../fields.js';
import type { Operation } from '../operation.js';
import { conversationOutput, presentConversation } from '../present.js';

/** What conversations can be grouped by: source, manual tags, generated topics, threads. */
const labelKinds = ['source', 'tag', 'topic', 'thread'] as const;
type LabelKind = (typeof labelKinds)[number];

const labelOutput = z.object({
  kind: z.enum(labelKinds),
  name: z.string().describe('The name, as used in filters'),
  title: z.string().optional().describe('Of a thread: the title of its newest conversation'),
  conversations: z.number().int(),
  messages: z.number().int(),
  chunks: z.number().int().describe('Chunks in the index'),
  first: z.string().describe('The UTC day of the oldest conversation'),
  last: z.string().describe('The UTC day of the newest conversation'),
  months: z
    .array(z.object({ month: z.string(), conversations: z.number().int() }))
    .describe('The months with conversations, oldest first'),
});

export type Label = z.infer<typeof labelOutput>;

/** Limits each kind to the most frequent labels, because a memory may have a thread for every conversation. */
const mostOfKind = 500;

/** Counts labels as conversations are added, oldest first. */
function labelCounter(): { add(row: LabelledRow): void; end(): Label[] } {
  const found = new Map<string, Label & { byMonth: Map<string, number> }>();
  const count = (kind: LabelKind, name: string, row: LabelledRow): void => {
    const key = `${kind}\n${name}`;
    const day = row.at.slice(0, 10);
    const label = found.get(key) ?? {
      kind,
      name,
      conversations: 0,
      messages: 0,
      chunks: 0,
      first: day,
      last: day,
      months: [],
      byMonth: new Map<string, number>(),
    };
    label.conversations += 1;
    label.messages += row.message_count;
    label.chunks += row.chunk_count;
    label.last = day;
    const month = day.slice(0, 7);
    label.byMonth.set(month, (label.byMonth.get(month) ?? 0) + 1);
    if (kind === 'thread' && row.title !== undefined) label.title = row.title;
    found.set(key, label);
  };
  return {
    add(row) {
      count('source', row.source, row);
      for (const tag of new Set(row.tags)) count('tag', tag, row);
      for (const topic of new Set(topicsOf(row))) count('topic', topic, row);
      if (row.thread_id !== undefined) count('thread', row.thread_id, row);
    },
    end: () =>
      labelKinds.flatMap((kind) =>
        [...found.values()]
          .filter((label) => label.kind === kind)
          .sort((one, other) => other.conversations - one.conversations || (one.name < other.name ? -1 : 1))
          .slice(0, mostOfKind)
          .map(({ byMonth, ...label }) => ({
            ...label,
            months: [...byMonth].map(([month, conversations]) => ({ month, conversations })),
          })),
      ),
  };
}

const input = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId.optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
  limit: z.int().min(1).max(100).default(20).describe('Conversations per page'),
  cursor: cursorUpTo(500).optional().describe('The cursor of the previous page'),
});

const listed = conversationOutput.omit({ messages: true }).extend({ message_count: z.number().int() });

const output = z.object({
  status: z.literal('ok'),
  results: z.array(listed),
  total: z.number().int().describe('The number of conversations that match the filters, on all pages'),
  cursor: z.string().nullable().describe('Send it to get the next page; null on the last page'),
});

export type ConversationList = z.infer<typeof output>;

export const listConversations: Operation<z.infer<typeof input>, ConversationList> = {
  name: 'conversations_list',
  summary: 'The stored conversations in time order, without their messages',
  input,
  output,
  async run({ records }, call, { cursor, ...request }) {
    const visibility = visibilityOf(call.principal, { projectId: request.project_id, status: request.memory_status });
    const filter = filterOf(request);
    const direction = request.order === 'newest' ? 'desc' : 'asc';
    // Reads one more than requested, to know whether there is a next page.
    const page = { direction, limit: request.limit + 1, after: decodePageEnd(cursor, request) } as const;
    const [rows, total] = await Promise.all([
      records.conversations.inTime(visibility, filter, page),
      records.conversations.countVisible(visibility, filter),
    ]);
    const shown = rows.slice(0, request.limit);
    const last = rows.length > request.limit ? shown.at(-1) : undefined;
    return {
      status: 'ok',
      results: shown.map((row) => ({ ...presentConversation(row), message_count: row.message_count })),
      total,
      cursor: last === undefined ? null : encodePageEnd({ value: last.at, id: last.id }, request),
    };
  },
};

const activityInput = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId.optional(),
  labels: z
    .boolean()
    .default(false)
    .describe('true also counts sources, tags, topics and threads: the 500 most frequent of each'),
});

const activityOutput = z.object({
  status: z.literal('ok'),
  days: z
    .array(
      z.object({
        day: z.string().describe('A UTC day'),
        source: z.string(),
        conversations: z.number().int(),
        messages: z.number().int(),
      }),
    )
    .describe('One entry per day and source with conversations, oldest first'),
  labels: z.array(labelOutput).optional().describe('Only if requested; the most frequent of each kind first'),
});

export type Activity = z.infer<typeof activityOutput>;

/** Rows per read: enough to be fast, few enough that other reads run in between. */
const pageSize = 5_000;

export const activity: Operation<z.infer<typeof activityInput>, Activity> = {
  name: 'activity',
  summary: 'The number of conversations and messages per day and source, and with `labels` per tag, topic and thread',
  input: activityInput,
  output: activityOutput,
  async run({ records }, call, request) {
    const visibility = visibilityOf(call.principal, { projectId: request.project_id, status: request.memory_status });
    const filter = filterOf(request);
    const { from, to } = filter;
    const isAsked = (at: string): boolean => (from === undefined || at >= from) && (to === undefined || at <= to);
    const days = new Map<string, Activity['days'][number]>();
    const labels = request.labels ? labelCounter() : undefined;
    const read = async (page: { limit: number; after: { value: string; id: string } | undefined }) => {
      if (labels === undefined) return records.conversations.moments(visibility, filter, page);
      const rows = await records.conversations.labelled(visibility, filter, page);
      for (const row of rows) if (isAsked(row.at)) labels.add(row);
      return rows;
    };
    let after: { value: string; id: string } | undefined;
    do {
      const rows = await read({ limit: pageSize, after });
      for (const { at, source, message_count } of rows) {
        // An alias may match the time filter; the calendar counts each conversation once, by its own time.
        if (!isAsked(at)) continue;
        const day = at.slice(0, 10);
        const key = `${day}\n${source}`;
        const entry = days.get(key) ?? { day, source, conversations: 0, messages: 0 };
        entry.conversations += 1;
        entry.messages += message_count;
        days.set(key, entry);
      }
      const last = rows.at(-1);
      after = last === undefined || rows.length < pageSize ? undefined : { value: last.at, id: last.id };
    } while (after !== undefined);
    const sorted = [...days.values()].sort(byDayAndSource);
    return { status: 'ok', days: sorted, ...(labels === undefined ? {} : { labels: labels.end() }) };
  },
};

function byDayAndSource(one: Activity['days'][number], other: Activity['days'][number]): number {
  if (one.day !== other.day) return one.day < other.day ? -1 : 1;
  return one.source < other.source ? -1 : 1;
}

const suggestInput = z.strictObject({
  kind: z.enum(['id', 'day']),
  prefix: z.string().max(64).default(''),
  limit: z.int().min(1).max(100).default(20),
  project_id: z.string().optional(),
});

const suggestOutput = z.object({ status: z.literal('ok'), values: z.array(z.string()), more: z.boolean() });

/** Completions for a client while the user types an id or a day. */
export const suggest: Operation<z.infer<typeof suggestInput>, z.infer<typeof suggestOutput>> = {
  name: 'suggest',
  summary: 'Ids and days of stored conversations that begin with a text',
  input: suggestInput,
  output: suggestOutput,
  async run({ records }, call, { kind, prefix, limit, project_id }) {
    const visibility = visibilityOf(call.principal, { projectId: project_id });
    const find = kind === 'id' ? idsLike : daysLike;
    const values = await find(records, visibility, { prefix: prefix.trim().toLowerCase(), limit: limit + 1 });
    return { status: 'ok', values: values.slice(0, limit), more: values.length > limit };
  },
};

type WantedValues = { prefix: string; limit: number };

async function idsLike(records: Records, visibility: Visibility, { prefix, limit }: WantedValues): Promise<string[]> {
  if (!/^[0-9a-f-]*$/.test(prefix)) return [];
  const span = prefix === '' ? undefined : { from: prefix, to: `${prefix}${afterEvery}` };
  return records.timeline.ids(visibility, span, limit);
}

/** Newest days first, with one index lookup each: from a day's newest conversation to the day before. */
async function daysLike(records: Records, visibility: Visibility, { prefix, limit }: WantedValues): Promise<string[]> {
  if (!/^[0-9-]{0,10}$/.test(prefix)) return [];
  const days: string[] = [];
  let to = `${prefix}${afterEvery}`;
  while (days.length < limit) {
    const at = await records.timeline.latest(visibility, { from: prefix, to });
    if (at === undefined) break;
    const day = at.slice(0, 10);
    days.push(day);
    // A time on the same day is longer than the day alone, so the next result is before it.
    to = day;
  }
  return days;
}

/** Sorts after every character of an id or a time. */
const afterEvery = '~';
