import { utcRange } from '../../model/time.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { SearchInput } from './input.js';

type Filters = Pick<SearchInput, 'source' | 'thread_id' | 'tags' | 'date_from' | 'date_to'>;

/** The filters of a read in the words of the records. */
export function filterOf(input: Filters): ConversationFilter {
  const from = input.date_from === undefined ? undefined : utcRange(input.date_from)?.first;
  const to = input.date_to === undefined ? undefined : utcRange(input.date_to)?.last;
  return {
    ...(input.source === undefined ? {} : { source: input.source }),
    ...(input.thread_id === undefined ? {} : { threadId: input.thread_id }),
    ...(input.tags === undefined || input.tags.length === 0 ? {} : { tags: input.tags }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
