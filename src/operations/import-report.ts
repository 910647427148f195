import { z } from 'zod';

/** What an import did, or has done so far. */
export const importReport = z.object({
  status: z.literal('ok'),
  read: z.int().describe('Conversations found in the export'),
  imported: z.int().describe('Stored as new memories'),
  appended: z.int().describe('Conversations that were known and have grown'),
  duplicates: z.int().describe('Known already: nothing was added'),
  skipped: z.int().describe('Left out: see `reasons`'),
  messages: z.int().describe('Messages that were stored'),
  known_messages: z.int().describe('Messages that were known already'),
  left_out: z.record(z.string(), z.int()).describe('Messages that are not kept: how often each reason occurred'),
  reasons: z.record(z.string(), z.int()).describe('How often each reason occurred'),
  examples: z
    .array(z.object({ place: z.string(), reason: z.string() }))
    .describe('The first of the places that were left out'),
  dry_run: z.literal(true).optional(),
  interrupted: z.literal(true).optional().describe('It was stopped before the end; run it again for the rest'),
});

export type ImportReport = z.infer<typeof importReport>;

/** Nothing done yet. */
export function emptyReport({ dryRun = false }: { dryRun?: boolean } = {}): ImportReport {
  return {
    status: 'ok',
    read: 0,
    imported: 0,
    appended: 0,
    duplicates: 0,
    skipped: 0,
    messages: 0,
    known_messages: 0,
    left_out: {},
    reasons: {},
    examples: [],
    ...(dryRun ? { dry_run: true } : {}),
  };
}
