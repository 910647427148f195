import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import { memoryStatuses } from '../../model/conversation.js';
import { filterOf, filterShape } from '../conversation-filter.js';
import { projectId } from '../fields.js';
import type { Operation } from '../operation.js';

const input = z.strictObject({
  ...filterShape,
  memory_status: z.enum([...memoryStatuses, 'all']).default('active'),
  project_id: projectId.optional(),
});

const output = z.object({
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
});

export type Activity = z.infer<typeof output>;

/** Rows read at a time: enough to be quick, few enough that other reads run in between. */
const pageSize = 5_000;

export const activity: Operation<z.infer<typeof input>, Activity> = {
  name: 'activity',
  summary: 'How many conversations and messages each day and source has',
  input,
  output,
  async run({ records }, call, request) {
    const visibility = visibilityOf(call.principal, { projectId: request.project_id, status: request.memory_status });
    const filter = filterOf(request);
    const { from, to } = filter;
    const isAsked = (at: string): boolean => (from === undefined || at >= from) && (to === undefined || at <= to);
    const days = new Map<string, Activity['days'][number]>();
    let after: { value: string; id: string } | undefined;
    do {
      const rows = await records.conversations.moments(visibility, filter, { limit: pageSize, after });
      for (const { at, source, message_count } of rows) {
        // An alias may be of that time; the calendar has every conversation once.
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
    return { status: 'ok', days: [...days.values()].sort(byDayAndSource) };
  },
};

function byDayAndSource(one: Activity['days'][number], other: Activity['days'][number]): number {
  if (one.day !== other.day) return one.day < other.day ? -1 : 1;
  return one.source < other.source ? -1 : 1;
}
