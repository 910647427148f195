import { createHash } from 'node:crypto';
import type { SummaryRow } from './rows.js';
import type { Change, RecordStore } from './store.js';

export type SummaryRecords = ReturnType<typeof summaryRecords>;

export function summaryRecords(store: RecordStore) {
  return {
    async put(rows: readonly SummaryRow[]): Promise<void> {
      if (rows.length > 0) await store.write(rows.map(putSummary));
    },

    async remove(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await store.write([{ kind: 'remove', table: 'summaries', ids: [...ids] }]);
    },

    async find(projectId: string, kind: SummaryRow['kind']): Promise<SummaryRow[]> {
      const rows = await store.find('summaries', {
        where: [
          { field: 'project_id', is: 'eq', value: projectId },
          { field: 'kind', is: 'eq', value: kind },
        ],
      });
      return rows;
    },

    /** When a digest of this project was last written; conversations saved later are not in it yet. */
    async projectDigest(projectId: string): Promise<SummaryRow | undefined> {
      const id = summaryId(projectId, 'project', projectId);
      const [row] = await store.find('summaries', { where: [{ field: 'id', is: 'eq', value: id }], limit: 1 });
      return row;
    },
  };
}

export function putSummary(row: SummaryRow): Change {
  return { kind: 'put', table: 'summaries', row: row };
}

export function summaryId(projectId: string, kind: SummaryRow['kind'], targetId: string): string {
  const digest = createHash('sha256').update(`${projectId}\n${kind}\n${targetId}`).digest('hex');
  return `summary:${digest.slice(0, 32)}`;
}
