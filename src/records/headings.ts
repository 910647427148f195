import type { Visibility } from '../model/access.js';
import { projectScopes, scopeOf } from '../model/conversation.js';
import type { ConversationRow } from './rows.js';
import type { ChangeOf, Condition, RecordStore } from './store.js';

export type HeadingRecords = ReturnType<typeof headingRecords>;

export function headingRecords(store: RecordStore) {
  return {
    /** The ids of conversations whose heading holds any of the terms, best first. */
    async search(
      visibility: Visibility,
      query: { terms: string[]; conversationIds?: readonly string[] | undefined; limit: number },
    ): Promise<string[]> {
      if (store.searchText === undefined || query.terms.length === 0) return [];
      const where: Condition<'headings'>[] = [{ field: 'scope', is: 'in', value: visibility.scopes }];
      if (query.conversationIds) where.push({ field: 'id', is: 'in', value: query.conversationIds });
      const among = { field: 'scope', values: projectScopes(visibility.projectId) } as const;
      const hits = await store.searchText('headings', { terms: query.terms, where, among, limit: query.limit });
      return hits.map(({ id }) => id);
    },
  };
}

type Headed = Pick<ConversationRow, 'id' | 'project_id' | 'memory_status'>;

/** A conversation without a heading has a row all the same: its status may be decided later, its title given. */
export function putHeading(row: Headed, terms: readonly string[]): ChangeOf<'headings'> {
  const scope = scopeOf(row.project_id, row.memory_status);
  return { kind: 'put', table: 'headings', row: { id: row.id, scope, terms: terms.join(' ') } };
}
