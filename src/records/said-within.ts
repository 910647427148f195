import { timeOf } from '../model/conversation.js';
import { aliasTimes } from './aliases.js';
import type { Condition, ConversationRow, MessageRow } from './store.js';

/** The period of a filter; both ends are included. */
interface Period {
  saidFrom?: string;
  saidTo?: string;
  /** Only the conversation's own time, not those of its aliases. */
  own?: true;
}

/** Whether any of its messages may have been said in the period, by its own times. */
export function maySayWithin(row: ConversationRow, filter: Period): boolean {
  const { at, first_at, last_at } = row;
  if (isSaidWithin(at, filter)) return true;
  if (!filter.own && aliasTimes(row).some((time) => isSaidWithin(time, filter))) return true;
  if (first_at === undefined || last_at === undefined) return false;
  const { saidFrom = '', saidTo } = filter;
  return last_at >= saidFrom && (saidTo === undefined || first_at <= saidTo);
}

/**
 * Whether a message was said in the filter's period: a conversation may go on for months. Without a time of its own it
 * has those of its conversation and of the aliases.
 */
export function wasSaidWithin(message: Pick<MessageRow, 'timestamp'>, row: ConversationRow, filter: Period): boolean {
  const { at } = timeOf(message, row);
  if (isSaidWithin(at, filter)) return true;
  return message.timestamp === undefined && !filter.own && aliasTimes(row).some((time) => isSaidWithin(time, filter));
}

/** Whether a time is within the filter's period. */
export function isSaidWithin(at: string, { saidFrom, saidTo }: Period): boolean {
  return (saidFrom === undefined || at >= saidFrom) && (saidTo === undefined || at <= saidTo);
}

/**
 * The conditions for conversations that overlap the period, by their own time or by the span of their messages, as
 * separate queries: each can use its own index, and conversations without message times have no span.
 */
export function spans({ saidFrom, saidTo }: Period): Condition<'conversations'>[][] {
  const within = (first: 'at' | 'first_at', last: 'at' | 'last_at'): Condition<'conversations'>[] => [
    ...(saidFrom === undefined ? [] : [{ field: last, is: 'gte', value: saidFrom } as const]),
    ...(saidTo === undefined ? [] : [{ field: first, is: 'lte', value: saidTo } as const]),
  ];
  if (saidFrom === undefined && saidTo === undefined) return [[]];
  return [within('at', 'at'), within('first_at', 'last_at')];
}
