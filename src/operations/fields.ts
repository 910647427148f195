import { z } from 'zod';
import { artifactKeys } from '../ingestion/coerce.js';
import { canonicalUuid, projectIdPattern } from '../model/ids.js';
import { noted } from '../model/schema-note.js';
import { isTextWithin } from '../model/text.js';
import { utcRange } from '../model/time.js';

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
    textUpTo(most).refine((text) => /\S/.test(text), 'must hold more than white space'),
    { pattern: notBlank, maxLength: most },
  );
}

export const notBlank = String.raw`\S`;

/** A trimmed name, as it is stored. */
export const name = noted(z.string().trim().min(1, 'must not be blank'), { pattern: notBlank });

/** The cursor of an earlier page: opaque, made by the server. */
export function cursorUpTo(most: number): z.ZodString {
  return noted(z.string().max(most), { format: 'cursor' });
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
