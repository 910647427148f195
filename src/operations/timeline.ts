import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import { invalidInput } from '../model/errors.js';
import { utcRange } from '../model/time.js';
import type { ConversationRow } from '../records/rows.js';
import type { Operation } from './operation.js';
import { decodePageEnd, encodePageEnd } from './page-cursor.js';

const input = z.strictObject({
  day: z
    .string()
    .refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && utcRange(text) !== undefined, 'must be a day: 2026-11-15')
    .describe('A UTC day, such as 2026-11-15'),
  limit: z.int().min(1).max(1_000).default(500),
  cursor: z.string().max(200).optional().describe('The cursor of the page before'),
  project_id: z.string().optional(),
});

const entry = z.object({
  id: z.string(),
  source: z.string(),
  title: z.string().optional(),
  timestamp: z.string(),
  thread_id: z.string().optional(),
  tags: z.array(z.string()).optional(),
  summary: z.string().optional().describe("The client's own hint, else the generated summary"),
  message_count: z.number().int(),
});

const output = z.object({ status: z.literal('ok'), results: z.array(entry), cursor: z.string().nullable() });

export const timeline: Operation<z.infer<typeof input>, z.infer<typeof output>> = {
  name: 'timeline',
  summary: 'The conversations of one UTC day, in order',
  input,
  output,
  async run({ records }, call, { day, limit, cursor, project_id }) {
    const visibility = visibilityOf(call.principal, { projectId: project_id });
    const range = utcRange(day);
    if (range === undefined) throw invalidInput('day', 'must be a day: 2026-11-15');
    const request = { day, limit, project_id };
    const page = { direction: 'asc', limit: limit + 1, after: decodePageEnd(cursor, request) } as const;
    const rows = await records.conversations.inTime(visibility, { from: range.first, to: range.last }, page);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      status: 'ok',
      results: shown.map(present),
      cursor: last === undefined ? null : encodePageEnd({ value: last.at, id: last.id }, request),
    };
  },
};

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
