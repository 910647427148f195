import { z } from 'zod';
import { memoryStatuses } from '../model/conversation.js';
import { insertShapes } from './insert/input.js';
import { prepareFor } from './insert/insert.js';
import type { Operation } from './operation.js';

const output = z.object({
  status: z.literal('ok'),
  valid: z.literal(true),
  memory_status: z.enum(memoryStatuses).describe('What an insert would make of it'),
});

/** The steps of an insert up to the store, and not further. Tells nothing of what is stored, so it needs no right to write. */
export const validate: Operation<unknown, z.infer<typeof output>> = {
  name: 'validate',
  summary: 'Check one conversation as an insert would, without storing it',
  input: z.unknown(),
  documented: z.union(insertShapes),
  output,
  async run(service, call, payload) {
    const { status } = await prepareFor(service, call, payload);
    return { status: 'ok', valid: true, memory_status: status };
  },
};
