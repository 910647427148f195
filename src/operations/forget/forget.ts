import { visibilityOf } from '../../auth/access.js';
import type { Visibility } from '../../model/access.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import type { Json } from '../../model/json.js';
import type { ConversationRow } from '../../records/rows.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { eraseConversations } from './erase.js';
import { type ForgetInput, type ForgetOutput, forgetInput, forgetOutput } from './input.js';
import { pagesOf, stillMeant } from './select.js';

const mostExamples = 10;

/**
 * Takes conversations out of everything: messages, chunks, vectors, facts, summaries, text index, and the stores' files.
 * What stays is hashes, so that an import does not bring them back. Never offered to an assistant.
 */
export const forget: Operation<ForgetInput, ForgetOutput> = {
  name: 'forget',
  summary: 'Forget conversations for good; counts them first unless told otherwise',
  scope: 'memory:write',
  input: forgetInput,
  output: forgetOutput,
  async run(service, call, asked) {
    requireCriterion(asked);
    const input = { ...asked, dry_run: asked.dry_run || service.settings.dryRun };
    const visibility = visibilityOf(call.principal, { projectId: input.project_id, status: input.memory_status });
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
      if (!input.dry_run) for (const { id } of gone.rows) goneIds.add(id);
      report.conversations += gone.rows.length;
      report.examples.push(...gone.rows.slice(0, mostExamples - report.examples.length).map(exampleOf));
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

/** Names the projects whose rows go: should the process die before the files are clean, the next forgetting cleans them. */
const unfinishedMark = 'forget_unfinished';

/** Versions before this one wrote only that there is something to finish. */
function projectsIn(mark: Json, own: string): string[] {
  return Array.isArray(mark) ? mark.map(String) : [own];
}

/** Everything at once is too easily said by mistake. */
function requireCriterion({ ids, source, date_from, date_to, before, tags, thread_id, token_id }: ForgetInput): void {
  const given = [ids, source, date_from, date_to, before, tags, thread_id, token_id];
  if (given.every((each) => each === undefined)) {
    throw invalidInput('ids', 'is required unless a source, a date, a tag, a thread or a token says what to forget');
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
