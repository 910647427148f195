import { z } from 'zod';
import { canonicalUuid } from '../model/ids.js';

/** The id of a memory in any spelling of its UUID, as its canonical form. */
export const memoryId = z
  .string()
  .refine((text) => canonicalUuid(text) !== undefined, 'must be a valid UUID')
  .transform((text) => canonicalUuid(text) ?? text)
  .describe('Canonical id of the memory');
