import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import type { Visibility } from '../model/access.js';
import { invalidInput } from '../model/errors.js';
import { noted } from '../model/parse.js';
import { utcRange } from '../model/time.js';
import type { ConversationRecords } from '../records/conversations.js';
import type { ConversationRow } from '../records/store.js';
import { cursorUpTo, dayPattern, decodePageEnd, encodePageEnd, projectId } from './fields.js';
import type { Operation } from './operation.js';

const input = z.strictObject({
  day: noted(
    z
      .string()
      .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && utcRange(text) !== undefined, 'must be a day: 2026-11-15'),
    { pattern: dayPattern },
  ).describe('A UTC day, such as 2026-11-15'),
  limit: z.int().min(1).max(1_000).default(500),
  cursor: cursorUpTo(200).optional().describe('The cursor of the previous page'),
  project_id: projectId.optional(),
});

const entry = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string().optional(),
  timestamp: z.string(),
  thread_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
  summary: z.string().optional().describe('The summary sent by the client, else the generated one'),
  message_count: z.number().int(),
});

const output = z.object({ status: z.literal('ok'), results: z.array(entry), cursor: z.string().nullable() });

export const timeline: Operation<z.infer<typeof input>, z.infer<typeof output>> = {
  name: 'timeline',
  summary: 'The conversations that began or were continued on a UTC day, in order',
  input,
  output,
  async run({ records }, call, { day, limit, cursor, project_id }) {
    const visibility = visibilityOf(call.principal, { projectId: project_id });
    const range = utcRange(day);
    if (range === undefined) throw invalidInput('day', 'must be a day: 2026-11-15');
    const request = { day, limit, project_id };
    const after = decodePageEnd(cursor, request);
    const page = { direction: 'asc', limit: limit + 1, after } as const;
    const [begun, continued] = await Promise.all([
      records.conversations.inTime(visibility, { from: range.first, to: range.last, own: true }, page),
      continuedIn(records.conversations, visibility, range),
    ]);
    const entries = [...begun.map((row) => ({ row, at: row.at })), ...continued]
      .filter((each) => after === undefined || compare(each, { at: after.value, row: after }) > 0)
      .sort(compare);
    const shown = entries.slice(0, limit);
    const last = entries.length > limit ? shown.at(-1) : undefined;
    return {
      status: 'ok',
      results: shown.map(({ row }) => present(row)),
      cursor: last === undefined ? null : encodePageEnd({ value: last.at, id: last.row.id }, request),
    };
  },
};

/** The maximum number of long conversations searched for messages of a day. */
const mostContinued = 1_000;

/** Conversations of other days with messages on this day, each at its first message of the day. */
async function continuedIn(
  conversations: ConversationRecords,
  visibility: Visibility,
  { first, last }: { first: string; last: string },
): Promise<{ row: ConversationRow; at: string }[]> {
  const rows = await conversations.spanning(visibility, { first, last }, mostContinued);
  const others = rows.filter(({ at }) => at < first || at > last);
  const times = await conversations.timesOf(others.map(({ id }) => id));
  return others.flatMap((row) => {
    const [at] = (times.get(row.id) ?? []).filter((each) => each >= first && each <= last).sort();
    return at === undefined ? [] : [{ row, at }];
  });
}

function compare(one: { at: string; row: { id: string } }, other: { at: string; row: { id: string } }): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.row.id < other.row.id ? -1 : one.row.id > other.row.id ? 1 : 0;
}

function present(row: ConversationRow): z.infer<typeof entry> {
  const { summary, generated_summary: generated } = row.metadata;
  const hint = typeof summary === 'string' ? summary : generated;
  return {
    id: row.id,
    source: row.source,
    ...(row.title === undefined ? {} : { title: row.title }),
    timestamp: row.timestamp,
    ...(row.thread_id === undefined ? {} : { thread_id: row.thread_id }),
    ...(row.tags === undefined ? {} : { tags: row.tags }),
    ...(typeof hint === 'string' ? { summary: hint } : {}),
    message_count: row.message_count,
  };
}
