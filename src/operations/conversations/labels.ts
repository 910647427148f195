import { z } from 'zod';
import { topicsOf } from '../../indexing/rows.js';
import type { LabelledRow } from '../../records/conversations.js';

/** What conversations can be grouped by: where they took place, manual tags, topics found in them, threads. */
const labelKinds = ['source', 'tag', 'topic', 'thread'] as const;
type LabelKind = (typeof labelKinds)[number];

export const labelOutput = z.object({
  kind: z.enum(labelKinds),
  name: z.string().describe('As the filters take it'),
  title: z.string().optional().describe('Of a thread: the title of its newest conversation'),
  conversations: z.number().int(),
  messages: z.number().int(),
  chunks: z.number().int().describe('Passages in the index'),
  first: z.string().describe('The UTC day of the oldest conversation'),
  last: z.string().describe('The UTC day of the newest conversation'),
  months: z
    .array(z.object({ month: z.string(), conversations: z.number().int() }))
    .describe('The months that have conversations, in the order of time'),
});

export type Label = z.infer<typeof labelOutput>;

/** The most frequent of each kind; a memory may have a thread for every conversation. */
const mostOfKind = 500;

/** Counts labels as conversations are added, oldest first. */
export function labelCounter(): { add(row: LabelledRow): void; end(): Label[] } {
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
