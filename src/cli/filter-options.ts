import { memoryStatuses } from '../model/conversation.js';
import type { CommandOption } from './command.js';

/** The filters that every command about conversations takes. */
export interface FilterOptions {
  source?: string;
  dateFrom?: string;
  dateTo?: string;
  tags?: string[];
  threadId?: string;
}

export const filterOptions: readonly CommandOption[] = [
  { flags: '--source <name>', text: 'Only conversations of this source' },
  { flags: '--date-from <date>', text: 'Only from this date or time on (UTC)' },
  { flags: '--date-to <date>', text: 'Only up to this date or time, included (UTC)' },
  { flags: '--tags <tag>', text: 'Only conversations with this tag; repeat it to ask for several', kind: 'list' },
  { flags: '--thread-id <id>', text: 'Only conversations of this thread' },
];

/** The same in the words of the interface. */
export function filterFields({ source, dateFrom, dateTo, tags, threadId }: FilterOptions) {
  return { source, date_from: dateFrom, date_to: dateTo, tags, thread_id: threadId };
}

export function statusOption(usual: 'active' | 'all'): CommandOption {
  return {
    flags: '--memory-status <status>',
    text: `Only memories in this state (default: ${usual})`,
    choices: [...memoryStatuses, 'all'],
  };
}

export const resultModes = ['chunks', 'compact', 'conversations', 'threads'] as const;

export const sorts = ['relevance', 'newest', 'oldest'] as const;
