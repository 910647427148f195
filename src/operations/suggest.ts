import { z } from 'zod';
import { visibilityOf } from '../auth/access.js';
import type { Visibility } from '../model/access.js';
import type { Records } from '../records/open.js';
import type { Operation } from './operation.js';

const input = z.strictObject({
  kind: z.enum(['id', 'day']),
  prefix: z.string().max(64).default(''),
  limit: z.int().min(1).max(100).default(20),
  project_id: z.string().optional(),
});

const output = z.object({ status: z.literal('ok'), values: z.array(z.string()), more: z.boolean() });

/** Completions for a client while the user types an id or a day. */
export const suggest: Operation<z.infer<typeof input>, z.infer<typeof output>> = {
  name: 'suggest',
  summary: 'Ids and days of stored conversations that begin with a text',
  input,
  output,
  async run({ records }, call, { kind, prefix, limit, project_id }) {
    const visibility = visibilityOf(call.principal, { projectId: project_id });
    const find = kind === 'id' ? idsLike : daysLike;
    const values = await find(records, visibility, { prefix: prefix.trim().toLowerCase(), limit: limit + 1 });
    return { status: 'ok', values: values.slice(0, limit), more: values.length > limit };
  },
};

type Wanted = { prefix: string; limit: number };

async function idsLike(records: Records, visibility: Visibility, { prefix, limit }: Wanted): Promise<string[]> {
  if (!/^[0-9a-f-]*$/.test(prefix)) return [];
  const span = prefix === '' ? undefined : { from: prefix, to: `${prefix}${afterEvery}` };
  return records.timeline.ids(visibility, span, limit);
}

/** Newest days first, with one index lookup each: from a day's newest conversation to the day before. */
async function daysLike(records: Records, visibility: Visibility, { prefix, limit }: Wanted): Promise<string[]> {
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
