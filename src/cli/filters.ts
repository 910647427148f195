import { memoryStatuses, saveIntents } from '../model/conversation.js';
import { factConfidences, factStatuses, sourceQualities } from '../model/fact.js';
import type { CommandOption } from './command.js';

/** The filters of every command about conversations. */
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
  { flags: '--tags <tag>', text: 'Only conversations with this tag; repeat it to require several', kind: 'list' },
  { flags: '--thread-id <id>', text: 'Only conversations of this thread' },
];

/** Maps them to the fields of the interface. */
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

/** The filters shared by fact-search and profile-get. */
export interface FactOptions {
  subject?: string;
  predicate?: string;
  includeSuperseded?: boolean;
  source?: string;
  dateFrom?: string;
  dateTo?: string;
  confidence?: string;
  status?: string;
  sourceQuality?: string;
  saveIntent?: string;
  saveIntentSource?: string;
  freshnessFrom?: string;
  freshnessTo?: string;
  asOf?: string;
  projectId?: string;
  limit?: number;
  cursor?: string;
}

export const factOptions: readonly CommandOption[] = [
  { flags: '--predicate <name>', text: 'Only this predicate, such as profile_location' },
  { flags: '--source <name>', text: 'Only facts from conversations of this source' },
  {
    flags: '--status <status>',
    text: 'Only facts in this state (default: active)',
    choices: [...factStatuses, 'all'],
  },
  { flags: '--include-superseded', text: 'Also superseded facts' },
  { flags: '--confidence <label>', text: 'Only facts with this confidence', choices: factConfidences },
  { flags: '--source-quality <quality>', text: 'Only facts of this source quality', choices: sourceQualities },
  { flags: '--save-intent <intent>', text: 'Only facts from conversations saved this way', choices: saveIntents },
  {
    flags: '--save-intent-source <name>',
    text: 'Only facts from conversations whose save was declared by this source',
  },
  { flags: '--date-from <date>', text: 'Only facts stated from this date or time on (UTC)' },
  { flags: '--date-to <date>', text: 'Only facts stated up to this date or time, included (UTC)' },
  { flags: '--freshness-from <date>', text: 'Only facts confirmed from this date or time on (UTC)' },
  { flags: '--freshness-to <date>', text: 'Only facts confirmed up to this date or time, included (UTC)' },
  { flags: '--as-of <date>', text: 'The facts known at this date or time (UTC)' },
  { flags: '--project-id <id>', text: 'The project to look in (default: your own)' },
  { flags: '--limit <n>', text: 'Facts per page, 1 to 100', kind: 'count' },
  { flags: '--cursor <cursor>', text: 'Continue after the page that ended with this cursor' },
];

/** Maps the options to the fields of the interface; options that were not given are left out. */
export function factPayload(options: FactOptions, extra: object = {}): object {
  const payload = {
    ...extra,
    subject: options.subject,
    predicate: options.predicate,
    include_superseded: options.includeSuperseded,
    source: options.source,
    date_from: options.dateFrom,
    date_to: options.dateTo,
    confidence: options.confidence,
    status: options.status,
    source_quality: options.sourceQuality,
    save_intent: options.saveIntent,
    save_intent_source: options.saveIntentSource,
    freshness_from: options.freshnessFrom,
    freshness_to: options.freshnessTo,
    as_of: options.asOf,
    project_id: options.projectId,
    limit: options.limit,
    cursor: options.cursor,
  };
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
}

/** Drops the options that were not given, because the interface accepts neither null nor undefined. */
export function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
