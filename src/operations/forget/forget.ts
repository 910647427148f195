import { mayRead, roleIn, visibilityOf } from '../../auth/access.js';
import { doer } from '../../auth/audit.js';
import type { Principal, Visibility } from '../../model/access.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import type { Json } from '../../model/json.js';
import type { ConversationRow } from '../../records/rows.js';
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
  stillMeant,
} from './select.js';

const mostExamples = 10;

/**
 * Takes conversations out of everything: messages, chunks, vectors, facts, summaries, text index, and the stores' files.
 * What stays is hashes, so that an import does not bring them back. Never offered to an assistant.
 */
export const forget: Operation<ForgetInput, ForgetOutput> = {
  name: 'forget',
  summary: 'Forget conversations for good; counts them first unless told otherwise',
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
      report.conversations += gone.rows.length;
      // Titles are text: who may not read hears how many, not which.
      const shown = mayRead(call.principal) ? gone.rows.slice(0, mostExamples - report.examples.length) : [];
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
    return report;
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

/** Names the projects whose rows go: should the process die before the files are clean, the next forgetting cleans them. */
const unfinishedMark = 'forget_unfinished';

/** Versions before this one wrote only that there is something to finish. */
function projectsIn(mark: Json, own: string): string[] {
  return Array.isArray(mark) ? mark.map(String) : [own];
}

/** In a shared project a writer's own conversations alone go; undefined for its admins, for whom there is no such limit. */
function onlyOwn(principal: Principal, { projectId }: Visibility): string | undefined {
  return roleIn(principal, projectId) === 'admin' ? undefined : principal.userId;
}

/** Naming somebody else's conversation is refused aloud: leaving it out in silence would look like success. */
async function refuseOthers({ records }: Service, visibility: Visibility, input: Selection): Promise<void> {
  if (input.ownerId === undefined || input.ids === undefined) return;
  const rows = await records.conversations.byIds(visibility, input.ids);
  if (rows.every(({ owner_id }) => owner_id === input.ownerId)) return;
  throw new MemoryError('permission_denied', 'project access denied');
}

/** A line of the audit log for each page, so that a forgetting that breaks off has left its trail. */
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
      'is required unless a source, a date, a tag, a thread, a token or an import says what to forget',
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
  // Summaries of topics and of the project still name what is gone: they are written anew before the files are cleaned.
  if (!(await digests.flush())) {
    throw new MemoryError('metadata_unavailable', 'Summaries still name what was forgotten; forget it again to finish');
  }
  await records.scrub();
  await vectors.scrub();
}

function exampleOf({ id, title, source, timestamp }: ConversationRow): ForgetOutput['examples'][number] {
  return { id, ...(title === undefined ? {} : { title }), source, timestamp };
}
