import { createHash } from 'node:crypto';
import { z } from 'zod';
import { visibilityOf } from '../../auth/access.js';
import type { Visibility } from '../../model/access.js';
import { memoryStatuses } from '../../model/conversation.js';
import { noted } from '../../model/parse.js';
import { utcRange } from '../../model/time.js';
import type { ConversationFilter } from '../../records/conversations.js';
import type { ConversationRow } from '../../records/store.js';
import { date, filterOf, filterShape, memoryId, projectId, uuid } from '../fields.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';

/** The selection of a request, and whose conversations may be erased; without `ownerId`, everyone's. */
export type Selection = ForgetInput & {
  ownerId?: string | undefined;
  /** The conversations that the import of `import_id` stored. */
  imported?: readonly string[] | undefined;
};

const pageSize = 100;
/** Ids in one condition: an import may have stored more than a store takes parameters. */
const idsAtOnce = 500;

/**
 * The selected conversations, page by page. Rows may disappear meanwhile: each page starts after the previous one's
 * last row.
 */
export async function* pagesOf(
  { records }: Service,
  visibility: Visibility,
  input: Selection,
): AsyncGenerator<ConversationRow[]> {
  for (const ids of idLists(input)) yield* pagesOfFilter(records, visibility, { ...filterFrom(input), ...ids });
}

/** One list of ids after the other; without any, a single pass with no condition on ids. */
function idLists({ ids, imported }: Selection): { ids?: readonly string[] }[] {
  if (imported === undefined) return [ids === undefined ? {} : { ids }];
  const named = ids === undefined ? undefined : new Set(ids);
  const meant = imported.filter((id) => named?.has(id) ?? true);
  const count = Math.ceil(meant.length / idsAtOnce);
  return Array.from({ length: count }, (_, index) => ({
    ids: meant.slice(index * idsAtOnce, (index + 1) * idsAtOnce),
  }));
}

async function* pagesOfFilter(
  records: Service['records'],
  visibility: Visibility,
  filter: ConversationFilter,
): AsyncGenerator<ConversationRow[]> {
  let after: { value: string; id: string } | undefined;
  do {
    const page = { direction: 'desc' as const, limit: pageSize, after };
    const rows = await records.conversations.inTime(visibility, filter, page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = { value: last.at, id: last.id };
  } while (after !== undefined);
}

/** Collects conversations as they are now into one digest: equal digests mean the same conversations, unchanged. */
export function selectionDigest(): { add(rows: readonly ConversationRow[]): void; end(): string } {
  const seen: string[] = [];
  return {
    add(rows) {
      for (const { id, conversation_hash } of rows) seen.push(`${id} ${conversation_hash}`);
    },
    end: () => createHash('sha256').update(seen.sort().join('\n')).digest('hex'),
  };
}

/** The current version of a conversation, if it is still selected. */
export async function stillMeant(
  { records }: Service,
  visibility: Visibility,
  input: Selection,
  id: string,
): Promise<ConversationRow | undefined> {
  const filter = { ...filterFrom(input), ids: [id] };
  return (await records.conversations.inTime(visibility, filter, { direction: 'desc', limit: 1 }))[0];
}

function filterFrom(input: Selection): ConversationFilter {
  const before = input.before === undefined ? undefined : utcRange(input.before)?.first;
  return {
    ...filterOf(input),
    ...(input.token_id === undefined ? {} : { tokenId: input.token_id }),
    ...(before === undefined ? {} : { before }),
    ...(input.ownerId === undefined ? {} : { ownerId: input.ownerId }),
  };
}

/** At least one of these is required, because forgetting everything is too easy to request by mistake. */
export const forgetCriteria = [
  'ids',
  'source',
  'date_from',
  'date_to',
  'before',
  'tags',
  'thread_id',
  'token_id',
  'import_id',
] as const;

export const forgetInput = noted(
  z.strictObject({
    ids: z.array(memoryId).min(1).max(1_000).optional().describe('These conversations'),
    ...filterShape,
    before: date.optional().describe('Only conversations before this time; a plain date means before that UTC day'),
    token_id: z.string().optional().describe('Only conversations that this token wrote'),
    import_id: uuid
      .optional()
      .describe('Only conversations that this import of yours stored and that did not exist before'),
    memory_status: z.enum([...memoryStatuses, 'all']).default('all'),
    project_id: projectId.optional(),
    dry_run: z
      .boolean()
      .default(true)
      .describe('true (the default) counts what would be forgotten and changes nothing'),
    allow_return: z
      .boolean()
      .default(false)
      .describe('true writes no tombstone, and removes that of ids forgotten earlier: they may be stored again'),
    examples: z
      .int()
      .min(0)
      .max(1_000)
      .default(10)
      .describe('The number of conversations that the response lists as examples'),
    selection: noted(z.string().regex(/^[0-9a-f]{64}$/, 'must be the selection of a dry run'), {
      pattern: '^[0-9a-f]{64}$',
    })
      .optional()
      .describe('The `selection` of a dry run: nothing is forgotten if the request now selects other conversations'),
    certificate: z
      .boolean()
      .default(false)
      .describe('true adds a certificate of what was forgotten: ids and counts, when and by whom, without text'),
  }),
  { anyOf: forgetCriteria.map((field) => ({ required: [field] })) },
);

export type ForgetInput = z.infer<typeof forgetInput>;

export const forgetOutput = z.object({
  status: z.literal('ok'),
  dry_run: z.boolean(),
  conversations: z.number().int(),
  messages: z.number().int(),
  chunks: z.number().int(),
  facts: z.number().int().describe('Facts that are removed because nothing else states them'),
  examples: z
    .array(z.object({ id: z.string(), title: z.string().optional(), source: z.string(), timestamp: z.string() }))
    .describe('Some of them, newest first'),
  lifted: z.number().int().describe('Tombstones that were removed'),
  selection: z
    .string()
    .optional()
    .describe('Of a dry run: identifies exactly these conversations in their current version'),
  certificate: z
    .object({
      forgotten_at: z.string(),
      user_id: z.string().describe('The user who forgot them'),
      token_id: z.string().optional().describe('The token that was used'),
      project_id: z.string(),
      conversations: z.number().int(),
      messages: z.number().int(),
      chunks: z.number().int(),
      facts: z.number().int(),
      ids: z.array(z.string()).describe('The conversations that were erased'),
    })
    .optional()
    .describe('Only if requested, and only if `dry_run` is false'),
});

export type ForgetOutput = z.infer<typeof forgetOutput>;

/** Long enough to be unique, short enough to be contiguous in a file. */
const probeLength = 40;
const shortest = 12;
const most = 200_000;

/**
 * Excerpts of everything that is about to be erased, to search the files for afterwards: each message's longest line.
 */
export async function forgetProbes(service: Service, call: Call, payload: object): Promise<string[]> {
  const input = forgetInput.parse(payload);
  const visibility = visibilityOf(call.principal, { projectId: input.project_id, status: input.memory_status });
  const probes = new Set<string>();
  for await (const rows of pagesOf(service, visibility, input)) {
    const messages = await service.records.conversations.messagesOf(rows.map(({ id }) => id));
    const texts = [...messages.values()].flat().map(({ text }) => text);
    const titles = rows.flatMap((row) => [row, ...(row.aliases ?? [])]).map(({ title = '' }) => title);
    for (const text of [...titles, ...texts]) {
      const probe = probeOf(text);
      if (probe.length >= shortest && probes.size < most) probes.add(probe);
    }
  }
  return [...probes];
}

function probeOf(text: string): string {
  let longest = '';
  for (const line of text.split('\n')) if (line.length > longest.length) longest = line;
  // Not in the middle of a surrogate pair.
  return longest.slice(0, probeLength).toWellFormed().replaceAll('\uFFFD', '').trim();
}
