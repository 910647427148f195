import type { Change, RecordStore } from './store.js';

export type SpeakerRecords = ReturnType<typeof speakerRecords>;

export function speakerRecords(store: RecordStore) {
  return {
    /** Those of the terms that are part of a speaker's name in this project. */
    async among(projectId: string, terms: readonly string[]): Promise<string[]> {
      if (terms.length === 0) return [];
      const rows = await store.find('speakers', {
        where: [
          { field: 'project_id', is: 'eq', value: projectId },
          { field: 'term', is: 'in', value: terms },
        ],
      });
      return rows.map((row) => row.term);
    },
  };
}

/** Repeating them changes nothing. */
export function putSpeakers(projectId: string, terms: readonly string[]): Change[] {
  return [...new Set(terms)].map((term) => ({
    kind: 'put',
    table: 'speakers',
    row: { id: `${projectId}:${term}`, project_id: projectId, term },
  }));
}
