import type { Visibility } from '../../model/access.js';
import { utcRange } from '../../model/time.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/rows.js';
import { filterOf } from '../conversation-filter.js';
import type { Service } from '../service.js';
import type { ForgetInput } from './input.js';

/** What was asked for, and whose conversations alone may go; absent: everybody's. */
export type Selection = ForgetInput & { ownerId?: string | undefined };

const pageSize = 100;

/** What a request to forget is about, page by page. Rows may go meanwhile: a page begins after the last row of the one before. */
export async function* pagesOf(
  { records }: Service,
  visibility: Visibility,
  input: Selection,
): AsyncGenerator<ConversationRow[]> {
  const filter = filterFrom(input);
  let after: { value: string; id: string } | undefined;
  do {
    const page = { direction: 'desc' as const, limit: pageSize, after };
    const rows = await records.conversations.inTime(visibility, filter, page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = { value: last.at, id: last.id };
  } while (after !== undefined);
}

/** A conversation as it is now, if the request is still about it. */
export async function stillMeant(
  { records }: Service,
  visibility: Visibility,
  input: Selection,
  id: string,
): Promise<ConversationRow | undefined> {
  const filter = { ...filterFrom(input), ids: [id] };
  return (await records.conversations.inTime(visibility, filter, { direction: 'desc', limit: 1 }))[0];
}

function filterFrom(input: Selection): ConversationFilter {
  const before = input.before === undefined ? undefined : utcRange(input.before)?.first;
  return {
    ...filterOf(input),
    ...(input.ids === undefined ? {} : { ids: input.ids }),
    ...(input.token_id === undefined ? {} : { tokenId: input.token_id }),
    ...(before === undefined ? {} : { before }),
    ...(input.ownerId === undefined ? {} : { ownerId: input.ownerId }),
  };
}
