import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { memoryStatuses } from '../../model/conversation.js';
import { filterOf, filterShape } from '../conversation-filter.js';
import { cursorUpTo, projectId } from '../fields.js';
import type { Operation } from '../operation.js';
import { decodePageEnd, encodePageEnd } from '../paging.js';
import { conversationOutput, presentConversation } from '../present.js';
import { labelCounter, labelOutput } from './labels.js';

const input = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId.optional(),
  order: z.enum(['newest', 'oldest']).default('newest'),
  limit: z.int().min(1).max(100).default(20).describe('Conversations per page'),
  cursor: cursorUpTo(500).optional().describe('The cursor of the page before'),
});

const listed = conversationOutput.omit({ messages: true }).extend({ message_count: z.number().int() });

const output = z.object({
  status: z.literal('ok'),
  results: z.array(listed),
  total: z.number().int().describe('How many conversations pass the filters, on all pages'),
  cursor: z.string().nullable().describe('Pass it back to get the next page; null at the end'),
});

export type ConversationList = z.infer<typeof output>;

export const listConversations: Operation<z.infer<typeof input>, ConversationList> = {
  name: 'conversations_list',
  summary: 'The stored conversations in the order of time, without their messages',
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
    .describe('One entry per day and source that has conversations, in the order of time'),
  labels: z.array(labelOutput).optional().describe('Only if asked for; the most frequent of each kind first'),
});

export type Activity = z.infer<typeof activityOutput>;

/** Rows per read: enough to be fast, few enough that other reads run in between. */
const pageSize = 5_000;

export const activity: Operation<z.infer<typeof activityInput>, Activity> = {
  name: 'activity',
  summary: 'How many conversations and messages each day and source has, and with `labels` each tag, topic and thread',
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
