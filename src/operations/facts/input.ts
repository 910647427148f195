import { z } from 'zod';
import { saveIntents } from '../../model/conversation.js';
import { factConfidences, factStatuses, sourceQualities } from '../../model/fact.js';
import { utcRange } from '../../model/time.js';
import type { FactFilter } from '../../records/facts.js';
import { asOfField } from '../as-of.js';
import { cursorUpTo, date, projectId, textUpTo, wordsUpTo } from '../fields.js';
import { countField } from '../paging.js';

/** The filters shared by fact search and profile. */
const filters = {
  predicate: textUpTo(200).min(1).optional().describe('Only this predicate, such as profile_location'),
  include_superseded: z.boolean().default(false).describe('true shows what is no longer so as well'),
  source: z.string().optional().describe('Only facts with a source conversation of this source'),
  date_from: date.optional().describe('Only facts stated from this time on; a plain date means its whole UTC day'),
  date_to: date.optional().describe('Only facts stated up to and including this time'),
  confidence: z.enum(factConfidences).optional(),
  status: z
    .enum([...factStatuses, 'all'])
    .optional()
    .describe('Default active; all with include_superseded'),
  source_quality: z.enum(sourceQualities).optional(),
  save_intent: z.enum(saveIntents).optional(),
  save_intent_source: z.string().optional(),
  freshness_from: date.optional().describe('Only facts confirmed from this time on'),
  freshness_to: date.optional().describe('Only facts confirmed up to and including this time'),
  as_of: asOfField,
  project_id: projectId.optional(),
  cursor: cursorUpTo(300).optional().describe('The cursor of the page before'),
};

const subject = textUpTo(1_024).min(1);

/** The default page sizes. */
export const usualFacts = { search: 20, profile: 100 };

export const factSearchInput = z.strictObject({
  query: wordsUpTo(32_768).optional().describe('Words to look for in subject, predicate and value'),
  subject: subject.optional().describe('Only facts about this subject; `user` is the speaker'),
  ...filters,
  limit: countField(usualFacts.search, 'Facts per page'),
});

export const profileInput = z.strictObject({
  subject: subject.default('user').describe('Whose facts; `user` is the speaker'),
  ...filters,
  limit: countField(usualFacts.profile, 'Facts per page'),
});

export type FactSearchInput = z.infer<typeof factSearchInput>;
export type ProfileInput = z.infer<typeof profileInput>;

/** Any text: an id of any form that does not exist is not found rather than invalid. */
export const factIdInput = z.string().min(1);

export function factFilter(input: FactSearchInput | ProfileInput): FactFilter {
  const status = input.status ?? (input.include_superseded ? 'all' : 'active');
  return compact({
    subject: input.subject,
    predicates: input.predicate === undefined ? undefined : [input.predicate.trim().toLowerCase()],
    status: status === 'all' ? undefined : status,
    source: input.source,
    from: firstOf(input.date_from),
    to: lastOf(input.date_to),
    freshFrom: firstOf(input.freshness_from),
    freshTo: lastOf(input.freshness_to),
    confidence: input.confidence,
    sourceQuality: input.source_quality,
    saveIntent: input.save_intent,
    saveIntentSource: input.save_intent_source,
  });
}

function firstOf(date: string | undefined): string | undefined {
  return date === undefined ? undefined : utcRange(date)?.first;
}

function lastOf(date: string | undefined): string | undefined {
  return date === undefined ? undefined : utcRange(date)?.last;
}

/** Removes keys that were not given. */
function compact(filter: { [Key in keyof FactFilter]: FactFilter[Key] | undefined }): FactFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
