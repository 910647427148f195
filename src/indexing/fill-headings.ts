import { memoryStatuses } from '../model/conversation.js';
import type { Records } from '../records/open.js';
import type { ConversationRow } from '../records/rows.js';
import type { Change } from '../records/store.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { headingChange } from './rows.js';

/** Set once every conversation has its heading; a copy of the store makes its headings itself. */
export const headingsMark = 'headings';

const pageSize = 500;

/** Conversations of an older store have no headings yet and would not be found by their titles: they get them once. */
export async function fillHeadings(records: Records): Promise<void> {
  if ((await records.settings.get(headingsMark)) !== undefined) return;
  let last: string | undefined;
  let isWhole = true;
  while (isWhole) {
    const rows = await records.conversations.page({ after: last, statuses: memoryStatuses, limit: pageSize });
    if (!(await putHeadings(records, rows))) continue;
    last = rows.at(-1)?.id;
    isWhole = rows.length === pageSize;
  }
  await records.settings.set(headingsMark, true);
}

/** False when another process changed one of them meanwhile: they have to be read again. */
async function putHeadings(records: Records, rows: readonly ConversationRow[]): Promise<boolean> {
  // What was found to hold secrets is indexed by its approval alone.
  const findable = rows.filter(({ metadata }) => metadata.review_reason === undefined);
  try {
    await records.write(findable.flatMap((row) => [unchanged(row), headingChange(row)]));
    return true;
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    throw error;
  }
}

function unchanged({ id, updated_at, memory_status }: ConversationRow): Change {
  return { kind: 'patch', table: 'conversations', ids: [id], set: {}, when: { updated_at, memory_status } };
}
