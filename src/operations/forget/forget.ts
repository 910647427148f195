import { mayRead, roleIn, visibilityOf } from '../../auth/access.js';
import { doer } from '../../auth/audit.js';
import type { Principal, Visibility } from '../../model/access.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import type { Json } from '../../model/json.js';
import type { ConversationRow } from '../../records/store.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import { eraseConversations } from './erase.js';
import {
  type ForgetInput,
  type ForgetOutput,
  forgetCriteria,
  forgetInput,
  forgetOutput,
  pagesOf,
  type Selection,
  selectionDigest,
  stillMeant,
} from './select.js';

/*
 * Forgetting: which conversations are selected, who may forget them, and what is recorded about it.
 */

/**
 * Erases conversations everywhere: messages, chunks, vectors, facts, summaries, text index, and the stores' files. Only
 * hashes remain, so that an import does not bring them back. Never offered to an assistant.
 */
export const forget: Operation<ForgetInput, ForgetOutput> = {
  name: 'forget',
  summary: 'Forget conversations permanently; by default only counts them',
  input: forgetInput,
  output: forgetOutput,
  async run(service, call, asked) {
    requireCriterion(asked);
    const dryRun = asked.dry_run || service.settings.dryRun;
    const visibility = visibilityOf(call.principal, { projectId: asked.project_id, status: asked.memory_status });
    const ownerId = onlyOwn(call.principal, visibility);
    const imported = await importedBy(service, call, asked.import_id);
    const input: Selection = { ...asked, dry_run: dryRun, ownerId, imported };
    await refuseOthers(service, visibility, input);
    await refuseOtherSelection(service, visibility, input);
    const report: ForgetOutput = {
      status: 'ok',
      dry_run: input.dry_run,
      conversations: 0,
      messages: 0,
      chunks: 0,
      facts: 0,
      examples: [],
      lifted: input.allow_return ? await lift(service, visibility, input) : 0,
    };
    const { settings } = service.records;
    const unfinished = input.dry_run ? undefined : await settings.get(unfinishedMark);
    const cutOff = unfinished === undefined ? [] : projectsIn(unfinished, visibility.projectId);
    let begun = false;
    const goneIds = new Set<string>();
    const selected = selectionDigest();
    for await (const rows of pagesOf(service, visibility, input)) {
      if (!input.dry_run && !begun) await settings.set(unfinishedMark, [...new Set([...cutOff, visibility.projectId])]);
      begun = true;
      const gone = await eraseConversations(service, rows, {
        dryRun: input.dry_run,
        leaveMark: !input.allow_return,
        lookAgain: (id) => stillMeant(service, visibility, input, id),
      });
      if (!input.dry_run) {
        for (const { id } of gone.rows) goneIds.add(id);
        await tell(service, call, visibility, gone.rows);
      }
      selected.add(gone.rows);
      report.conversations += gone.rows.length;
      // Titles are user text: a caller without read access gets only the count.
      const shown = mayRead(call.principal) ? gone.rows.slice(0, input.examples - report.examples.length) : [];
      report.examples.push(...shown.map(exampleOf));
      report.messages += gone.messages;
      report.chunks += gone.chunks;
      report.facts += gone.facts;
    }
    await service.records.idempotency.removeNaming(goneIds);
    if (!input.dry_run && (begun || cutOff.length > 0)) {
      for (const projectId of cutOff) await service.digests.renew(projectId);
      await scrub(service);
      await settings.remove(unfinishedMark);
    }
    if (input.dry_run) return { ...report, selection: selected.end() };
    return input.certificate
      ? { ...report, certificate: certified(call, { at: service.now(), visibility, report, ids: goneIds }) }
      : report;
  },
};

async function importedBy(
  { imports }: Service,
  { principal }: Call,
  importId: string | undefined,
): Promise<readonly string[] | undefined> {
  if (importId === undefined) return undefined;
  if (imports !== undefined) return imports.storedBy(principal, importId);
  throw new MemoryError('metadata_unavailable', 'Only a running server knows what an import stored');
}

/** Names the projects being erased: if the process dies before the files are clean, the next forget cleans them. */
const unfinishedMark = 'forget_unfinished';

/** Earlier versions recorded only that there is something to finish. */
function projectsIn(mark: Json, own: string): string[] {
  return Array.isArray(mark) ? mark.map(String) : [own];
}

/**
 * In a shared project a writer may forget only their own conversations; undefined for admins, who have no such limit.
 */
function onlyOwn(principal: Principal, { projectId }: Visibility): string | undefined {
  return roleIn(principal, projectId) === 'admin' ? undefined : principal.userId;
}

/** Naming another user's conversation is an error: silently skipping it would look like success. */
async function refuseOthers({ records }: Service, visibility: Visibility, input: Selection): Promise<void> {
  if (input.ownerId === undefined || input.ids === undefined) return;
  const rows = await records.conversations.byIds(visibility, input.ids);
  if (rows.every(({ owner_id }) => owner_id === input.ownerId)) return;
  throw new MemoryError('permission_denied', 'project access denied');
}

/**
 * Ensures that exactly the previewed conversations are forgotten: if one was added or changed since, nothing is
 * erased.
 */
async function refuseOtherSelection(service: Service, visibility: Visibility, input: Selection): Promise<void> {
  if (input.selection === undefined) return;
  const now = selectionDigest();
  for await (const rows of pagesOf(service, visibility, input)) now.add(rows);
  if (now.end() === input.selection) return;
  const why = 'selection no longer matches: conversations were added, removed or changed; do a dry run again';
  throw new MemoryError('not_found', why);
}

function certified(
  { principal: { userId, tokenId } }: Call,
  erased: { at: string; visibility: Visibility; report: ForgetOutput; ids: ReadonlySet<string> },
): NonNullable<ForgetOutput['certificate']> {
  const { conversations, messages, chunks, facts } = erased.report;
  return {
    forgotten_at: erased.at,
    user_id: userId,
    ...(tokenId === undefined ? {} : { token_id: tokenId }),
    project_id: erased.visibility.projectId,
    conversations,
    messages,
    chunks,
    facts,
    ids: [...erased.ids],
  };
}

/** One audit entry per page, so that an interrupted forget leaves a trail. */
async function tell(
  { audit }: Service,
  { principal }: Call,
  { projectId }: Visibility,
  rows: readonly ConversationRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const targets = rows.map(({ id }) => id);
  await audit.record({ event: 'memory_forgotten', ...doer(principal), projectId, targets, count: rows.length });
}

function requireCriterion(input: ForgetInput): void {
  if (forgetCriteria.every((field) => input[field] === undefined)) {
    throw invalidInput(
      'ids',
      'is required unless a source, a date, a tag, a thread, a token or an import selects what to forget',
    );
  }
}

async function lift({ records }: Service, visibility: Visibility, { ids = [], dry_run }: ForgetInput): Promise<number> {
  const marks = await records.tombstones.byIds(visibility.projectId, ids);
  if (!dry_run && marks.length > 0) {
    await records.write([{ kind: 'remove', table: 'tombstones', ids: marks.map(({ id }) => id) }]);
  }
  return marks.length;
}

async function scrub({ records, vectors, digests }: Service): Promise<void> {
  // Summaries of topics and of the project still mention the erased text: they are rewritten before the files are
  // cleaned.
  if (!(await digests.flush())) {
    throw new MemoryError(
      'metadata_unavailable',
      'Some summaries still mention forgotten text; run forget again to finish',
    );
  }
  await records.scrub();
  await vectors.scrub();
}

function exampleOf({ id, title, source, timestamp }: ConversationRow): ForgetOutput['examples'][number] {
  return { id, ...(title === undefined ? {} : { title }), source, timestamp };
}
