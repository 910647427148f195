import { z } from 'zod';
import { canonicalUuid } from '../model/ids.js';
import { storableText } from '../model/text.js';
import { utcRange } from '../model/time.js';
import type { ConversationFilter } from '../records/conversations.js';
import { date, name } from './fields.js';

/** The filters shared by all operations that read conversations, as in the API. */
export const filterShape = {
  source: name.optional().describe('Only conversations of this source'),
  date_from: date.optional().describe('Only conversations from this time on; a plain date means its whole UTC day'),
  date_to: date.optional().describe('Only conversations up to and including this time'),
  tags: z.array(z.string()).max(50).optional().describe('Only conversations with all of these manual tags'),
  thread_id: name.optional().describe('Only conversations of this thread, as a result or a conversation names it'),
};

/** The same for reading messages: a conversation may continue long after it began. */
export const saidFilterShape = {
  ...filterShape,
  date_from: date.optional().describe('Only what was said from this time on; a plain date means its whole UTC day'),
  date_to: date.optional().describe('Only what was said up to and including this time'),
};

const filterInput = z.object(filterShape);

/** The thread id of a conversation that belongs to no thread. */
export function threadOfOne(id: string): string {
  return `${threadOfOnePrefix}${id}`;
}

const threadOfOnePrefix = 'conversation:';

/** Undefined for a thread id that came from a client. */
function aloneIn(threadId: string): string | undefined {
  return threadId.startsWith(threadOfOnePrefix) ? canonicalUuid(threadId.slice(threadOfOnePrefix.length)) : undefined;
}

/** The conversations of a thread, by the thread id shown in results. */
export function threadFilter(threadId: string): ConversationFilter {
  const alone = aloneIn(threadId);
  return alone === undefined ? { threadId } : { alone };
}

/** The filters of a message search: it finds messages sent within that time, in conversations of any age. */
export function saidFilterOf(input: z.infer<typeof filterInput>): ConversationFilter {
  const { from, to, ...filter } = filterOf(input);
  return {
    ...filter,
    ...(from === undefined ? {} : { saidFrom: from }),
    ...(to === undefined ? {} : { saidTo: to }),
  };
}

/** The same filters in the terms of the records: times in UTC, a plain date as the whole day. */
export function filterOf(input: z.infer<typeof filterInput>): ConversationFilter {
  const from = input.date_from === undefined ? undefined : utcRange(input.date_from)?.first;
  const to = input.date_to === undefined ? undefined : utcRange(input.date_to)?.last;
  return {
    ...(input.source === undefined ? {} : { source: input.source }),
    ...(input.thread_id === undefined ? {} : threadFilter(input.thread_id)),
    ...(input.tags === undefined || input.tags.length === 0 ? {} : { tags: input.tags.map(storableText) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
