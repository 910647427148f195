import { z } from 'zod';
import { artifactKeys } from '../ingestion/coerce.js';
import { invalidInput } from '../model/errors.js';
import { canonicalUuid, projectIdPattern } from '../model/ids.js';
import { noted } from '../model/parse.js';
import { isTextWithin, storableText } from '../model/text.js';
import { utcRange } from '../model/time.js';
import type { ConversationFilter } from '../records/conversations.js';
import { cursorPattern, openCursor, sealCursor, startPattern, unknownCursor } from '../retrieval/cursor.js';
import type { Service } from './service.js';

/*
 * Fields shared by several operations. Each expresses its full validation in JSON Schema, so that every request that
 * matches the HTTP description is accepted.
 */

const days = [
  String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`,
  // Leap days.
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`,
];
const day = `(?:${days.join('|')})`;
const offset = String.raw`\s?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?`;
const time = String.raw`[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?${offset}`;
// In UTC, these could be outside the supported years.
const atTheEdge = String.raw`\s*(?:0000-01-01[\s\S]*\+|9999-12-31[Tt ](?:[\s\S]*[+-]|23:59:60))`;

export const dayPattern = `^${day}$`;
export const moment = `(?:${day}(?:${time})?)`;
export const datePattern = String.raw`^(?!${atTheEdge})\s*${moment}\s*$`;

export const date = noted(
  z.string().refine((text) => utcRange(text) !== undefined, 'must be a date such as 2026-11-15 or an RFC 3339 time'),
  { pattern: datePattern },
);

export const uuidPattern = String.raw`^\s*[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}\s*$`;

/** A UUID in any spelling, converted to its canonical form. */
export const uuid = noted(
  z
    .string()
    .refine((text) => canonicalUuid(text) !== undefined, 'must be a valid UUID')
    .transform((text) => canonicalUuid(text) ?? text),
  { pattern: uuidPattern },
);

/** The id of a conversation. */
export const memoryId = uuid.describe('Canonical id of the memory');

/** Distinguishes a project without access from an id that cannot exist. */
export const projectId = noted(z.string(), { pattern: projectIdPattern.source });

/** A text of at most this many characters, counted by code points as in JSON Schema. */
export function textUpTo(most: number): z.ZodString {
  return z
    .string()
    .refine((text) => isTextWithin(text, most), `must be at most ${most} characters long`)
    .meta({ maxLength: most });
}

/** The same, and not blank. */
export function wordsUpTo(most: number): z.ZodString {
  return noted(
    textUpTo(most).refine((text) => /\S/.test(text), 'must not be blank'),
    { pattern: notBlank, maxLength: most },
  );
}

export const notBlank = String.raw`\S`;

/** A trimmed name, as it is stored. */
export const name = noted(z.string().trim().min(1, 'must not be blank'), { pattern: notBlank });

/** The cursor of an earlier page: opaque, made by the server. */
export function cursorUpTo(most: number): z.ZodString {
  return noted(z.string().max(most), { pattern: cursorPattern });
}

/** The same, or a number of results to skip. */
export function startUpTo(most: number): z.ZodString {
  return noted(z.string().max(most), { pattern: startPattern });
}

/** A case-insensitive pattern for a word, because JSON Schema has no flag for it. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

/** The reference to the schema of extra metadata in the HTTP description; see `openValueSchema`. */
export const openValue = '#/components/schemas/MetadataValue';

/** Any JSON except the keys that are rejected at any depth. */
export const openValueSchema = {
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: { $ref: openValue } },
    {
      type: 'object',
      propertyNames: { not: { enum: [...artifactKeys] } },
      additionalProperties: { $ref: openValue },
    },
  ],
};

/** The filters shared by all operations that read conversations, as in the API. */
export const filterShape = {
  source: name.optional().describe('Only conversations of this source'),
  date_from: date
    .optional()
    .describe('Only conversations from this time or later; a plain date means the whole UTC day'),
  date_to: date.optional().describe('Only conversations from this time or earlier'),
  tags: z.array(z.string()).max(50).optional().describe('Only conversations with all of these manual tags'),
  thread_id: name
    .optional()
    .describe('Only conversations of this thread, by the thread_id of a result or conversation'),
};

/** The same for reading messages: a conversation may continue long after it began. */
export const saidFilterShape = {
  ...filterShape,
  date_from: date.optional().describe('Only messages sent at or after this time; a plain date means the whole UTC day'),
  date_to: date.optional().describe('Only messages sent at or before this time'),
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

/** The last row of a page: the next page begins after it, whatever was added in between. */
export interface PageEnd {
  value: string;
  id: string;
}

export function encodePageEnd({ value, id }: PageEnd, request: object): string {
  return sealCursor(`${value} ${id}`, request);
}

export function decodePageEnd(cursor: string | undefined, request: object): PageEnd | undefined {
  if (cursor === undefined) return undefined;
  const [, value, id] = /^(\S+) (\S+)$/.exec(openCursor(cursor, request)) ?? [];
  if (value === undefined || id === undefined) throw unknownCursor();
  return { value, id };
}

/**
 * A field for the number of results. It has no schema default, because only an explicit number beyond
 * `limits.max_top_k` is rejected; the default is capped. The documentation shows the default all the same.
 */
export function countField(usual: number, description: string) {
  return z.int().min(1).optional().meta({ default: usual }).describe(`${description}, at most limits.max_top_k (100)`);
}

/** The requested number within `limits.max_top_k`; without one, the default or the limit, whichever is lower. */
export function countWanted(
  { settings }: Pick<Service, 'settings'>,
  asked: number | undefined,
  { field, usual }: { field: 'top_k' | 'limit'; usual: number },
): number {
  const most = settings.limits.maxTopK;
  if (asked !== undefined && asked > most) throw invalidInput(field, `must be at most ${most}`);
  return asked ?? Math.min(usual, most);
}
