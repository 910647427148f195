import type { Visibility } from '../model/access.js';
import { visibleTo } from './conversations.js';
import type { Condition, RecordStore } from './store.js';

/** From the first to the last value, both included; texts in the order of their characters. */
export interface Span {
  from: string;
  to: string;
}

export type TimelineRecords = ReturnType<typeof timelineRecords>;

/** What is needed to suggest ids and days. */
export function timelineRecords(store: RecordStore) {
  return {
    /** The time of the newest conversation of a period. */
    async latest(visibility: Visibility, span: Span): Promise<string | undefined> {
      const [row] = await store.find('conversations', {
        where: [...visibleTo(visibility), ...within('at', span)],
        order: { by: 'at', direction: 'desc' },
        fields: ['at'],
        limit: 1,
      });
      return row?.at;
    },

    /** The ids in a span of ids, in their order; without one, those of the newest conversations. */
    async ids(visibility: Visibility, span: Span | undefined, limit: number): Promise<string[]> {
      const rows = await store.find('conversations', {
        where: [...visibleTo(visibility), ...(span === undefined ? [] : within('id', span))],
        ...(span === undefined ? { order: { by: 'at', direction: 'desc' } } : {}),
        fields: ['id'],
        limit,
      });
      return rows.map(({ id }) => id);
    },
  };
}

function within(field: 'at' | 'id', { from, to }: Span): Condition<'conversations'>[] {
  return [
    { field, is: 'gte', value: from },
    { field, is: 'lte', value: to },
  ];
}
