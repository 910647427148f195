import { actingWith, requireScopes, resolveProject, visibilityOf } from '../auth/access.js';
import { doer, noteDenial } from '../auth/audit.js';
import type { FactDecision, Found, ImportedConversation, ImportedFactChanges } from '../importers/contract.js';
import type { InsertPolicy } from '../ingestion/prepare.js';
import { neededScopes, type Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import { factId, subjectKeyOf } from '../model/fact.js';
import { utcTime } from '../model/time.js';
import { importChanges } from './facts/add.js';
import { supersedeByHand } from './facts/supersede.js';
import { emptyReport, type ImportReport } from './imports/job.js';
import type { Call } from './operation.js';
import type { Service } from './service.js';
import { fitted, type ImportOutcome, storeImported } from './store-imported.js';

export interface ImportOptions {
  /** Only conversations from this UTC time on. */
  since?: string | undefined;
  /** The project for all conversations, whatever project they were in. */
  projectId?: string | undefined;
  /** Count only; store nothing. */
  dryRun?: boolean;
  /**
   * The policy for conversations that were not saved deliberately. Running a command is deliberate, so the default
   * accepts all.
   */
  policy?: InsertPolicy;
  signal?: AbortSignal | undefined;
  /** Called after each conversation with the report so far. */
  onConversation?: (report: Readonly<ImportReport>) => void;
  /** A conversation was stored that was not there before. */
  onStored?: (id: string) => Promise<void>;
  /** Where an earlier run of the same import stopped: earlier entries are done and counted in the report. */
  from?: ImportPosition | undefined;
  /**
   * Called regularly when everything up to the position is done. Returns the rights to continue with; throwing ends the
   * import.
   */
  onSettled?: (position: ImportPosition) => Promise<Principal>;
}

/** How many entries of an export are done, and their outcome. */
export interface ImportPosition {
  entries: number;
  report: ImportReport;
}

/** The only reason for skipping that the caller requested. */
const olderThanAsked = 'it is older than requested';

/** The outcome of the conversation itself is reported with its place. */
const notStored = 'their conversation is left out';

/** Enough to keep the store's group commit and the embedder's batches full. */
const inFlight = 16;
const mostExamples = 20;
/** Entries between two saved positions: a resumed run repeats at most this many. */
const settleEvery = 50;

/**
 * Stores everything in an export through the same steps as an insert. Known content changes nothing, so an import that
 * was killed can simply be run again. A conversation that cannot be stored does not block the others. Throws before
 * reading anything if the caller may not write, or not to the named project.
 */
export async function importConversations(
  service: Service,
  caller: Call,
  found: AsyncIterable<Found>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  let call = asWriter(service, caller, options.projectId);
  /** Rights may change during a long import: it continues with the current ones. */
  const settle = async (position: ImportPosition): Promise<void> => {
    const principal = await options.onSettled?.(position);
    if (principal !== undefined) call = asWriter(service, { ...caller, principal }, options.projectId);
  };
  const { from } = options;
  const report: ImportReport = from === undefined ? emptyReport(options) : structuredClone(from.report);
  const before = report.imported + report.appended;
  const skip = (place: string, reason: string): void => {
    report.skipped += 1;
    report.reasons[reason] = (report.reasons[reason] ?? 0) + 1;
    if (report.examples.length < mostExamples) report.examples.push({ place, reason });
  };
  const leaveOut = (leftOut: Readonly<Record<string, number>> = {}): void => {
    for (const [reason, times] of Object.entries(leftOut)) {
      report.left_out[reason] = (report.left_out[reason] ?? 0) + times;
    }
  };
  const storeParts = async (conversation: ImportedConversation): Promise<void> => {
    for (const part of fitted(conversation, service.settings.limits)) {
      const outcome = await storeImported(service, call, part, options);
      if (isNew(outcome) && outcome.id !== undefined) await options.onStored?.(outcome.id);
      count(report, outcome, part);
      const { aliasesLeftOut = 0 } = outcome;
      if (aliasesLeftOut > 0) report.reasons[aliasNotKept] = (report.reasons[aliasNotKept] ?? 0) + aliasesLeftOut;
    }
  };
  const running = new Set<Promise<void>>();
  /** Errors that end the import, kept because they may occur while nothing awaits them. */
  const fatal: unknown[] = [];
  const take = (place: string, error: unknown): void => {
    const reason = reasonOf(error);
    if (reason === undefined) fatal.push(error);
    else skip(`${place}${forgottenAs(error)}`, reason);
  };
  const decisions: { place: string; decide: () => Promise<void> }[] = [];
  let entries = 0;
  for await (const each of found) {
    if (options.signal?.aborted === true) report.interrupted = true;
    if (report.interrupted === true || fatal.length > 0) break;
    // Decisions are applied at the end, so those of the finished part are read again.
    const isSettled = entries < (from?.entries ?? 0);
    if (options.onSettled !== undefined && !isSettled && entries % settleEvery === 0) {
      await Promise.all(running);
      if (fatal.length > 0) break;
      await settle({ entries, report });
    }
    entries += 1;
    const isDecision = each.kind !== 'conversation' && each.kind !== 'skipped';
    if (isSettled && !isDecision) continue;
    if (each.kind === 'conversation' || each.kind === 'skipped') leaveOut(each.leftOut);
    if (each.kind === 'skipped') {
      skip(each.place, each.reason);
      continue;
    }
    if (each.kind === 'decision') {
      const decision = inProject(each.decision, options);
      decisions.push({ place: each.place, decide: () => decide(service, call, decision) });
      continue;
    }
    if (each.kind === 'fact_changes') {
      const changed = inProject(each.changed, options);
      decisions.push({ place: each.place, decide: () => change(service, call, changed) });
      continue;
    }
    report.read += 1;
    if (isOlder(each.conversation, options.since)) {
      skip(each.place, olderThanAsked);
      leaveOut({ [notStored]: each.conversation.messages.length });
      continue;
    }
    const storing = storeParts(inProject(each.conversation, options))
      .catch((error: unknown) => {
        take(each.place, error);
        leaveOut({ [notStored]: each.conversation.messages.length });
      })
      .finally(() => {
        running.delete(storing);
        options.onConversation?.(report);
      });
    running.add(storing);
    if (running.size >= inFlight) await Promise.race(running);
  }
  await Promise.all(running);
  if (report.interrupted === true && fatal.length === 0) {
    const { interrupted: _, ...settled } = report;
    await options.onSettled?.({ entries: Math.max(entries, from?.entries ?? 0), report: settled });
  }
  // Decisions refer to facts derived from the conversations, so they are applied last.
  let made = 0;
  if (options.dryRun !== true && report.interrupted !== true && fatal.length === 0) {
    for (const [at, { place, decide: run }] of decisions.entries()) {
      if (options.signal?.aborted === true) report.interrupted = true;
      if (report.interrupted === true || fatal.length > 0) break;
      if (at > 0 && at % settleEvery === 0) await settle({ entries, report });
      await run().then(
        () => {
          made += 1;
        },
        (error: unknown) => take(place, error),
      );
    }
  }
  await tell(service, call, report.imported + report.appended - before + made, options);
  if (fatal.length > 0) throw fatal[0];
  return report;
}

const aliasNotKept = 'an alias of a stored conversation could not be kept';

/** Also for an interrupted import, because what it stored stays. A dry run changes nothing and is not audited. */
async function tell({ audit }: Service, { principal }: Call, stored: number, options: ImportOptions): Promise<void> {
  if (options.dryRun === true || stored === 0) return;
  const projectId = options.projectId;
  await audit.record({ event: 'memory_imported', ...doer(principal), projectId, count: stored });
}

/**
 * The checks that `opened` does for other operations: the command line calls this one directly, with files it reads
 * itself.
 */
function asWriter({ audit }: Service, call: Call, projectId: string | undefined): Call {
  try {
    const principal = actingWith(call.principal, neededScopes.import);
    resolveProject(principal, projectId);
    return { ...call, principal };
  } catch (error) {
    noteDenial(audit, call.principal, error);
    throw error;
  }
}

async function decide(service: Service, call: Call, { project, fact, supersededBy, at }: FactDecision): Promise<void> {
  // A decision needs more rights than saving; a file does not grant them.
  requireScopes(call.principal, neededScopes.facts_supersede);
  const visibility = visibilityOf(call.principal, { projectId: project });
  const { projectId } = visibility;
  const [fact_id, superseded_by] = [fact, supersededBy].map(({ subject, predicate, objectKey }) =>
    factId({ projectId, subjectKey: subjectKeyOf(subject), predicate, objectKey }),
  );
  if (fact_id === undefined || superseded_by === undefined) return;
  await supersedeByHand(service, visibility, { fact_id, superseded_by, at });
}

async function change(service: Service, call: Call, changed: ImportedFactChanges): Promise<void> {
  requireScopes(call.principal, neededScopes.facts_correct);
  await importChanges(service, call, changed);
}

function isNew({ appended_messages, deduplicated }: ImportOutcome): boolean {
  return appended_messages === 0 && !deduplicated;
}

function count(report: ImportReport, outcome: ImportOutcome, { messages }: ImportedConversation): void {
  if (outcome.appended_messages > 0) {
    report.appended += 1;
    report.messages += outcome.appended_messages;
    report.known_messages += messages.length - outcome.appended_messages;
  } else if (outcome.deduplicated) {
    report.duplicates += 1;
    report.known_messages += messages.length;
  } else {
    report.imported += 1;
    report.messages += messages.length;
  }
}

/** A project named for the whole import takes precedence over the original one. */
function inProject<Part extends { project?: string }>(part: Part, { projectId }: ImportOptions): Part {
  return projectId === undefined ? part : { ...part, project: projectId };
}

/** Nothing was stored or already known, and not because the caller excluded it: the import failed its purpose. */
export function cameToNothing({ imported, appended, duplicates, skipped, reasons }: ImportReport): boolean {
  if (imported + appended + duplicates > 0) return false;
  return skipped === 0 || skipped > (reasons[olderThanAsked] ?? 0);
}

/** The age of a conversation is that of its last message. */
function isOlder({ timestamp, messages }: ImportedConversation, since: string | undefined): boolean {
  if (since === undefined || timestamp === undefined) return false;
  const times = [timestamp, ...messages.flatMap((message) => message.timestamp ?? [])];
  return times.every((each) => (utcTime(each) ?? '') < since);
}

/** Input errors are reported with their message, which never contains user text; a store failure ends the import. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof MemoryError && error.code === 'permission_denied') {
    return 'its project does not exist or you may not write to it; create it, or choose another one with --project-id';
  }
  if (forgottenAs(error) !== '') return 'it was forgotten; `threadkeep forget --id <id> --allow-return` lets it back';
  if (error instanceof MemoryError && error.code !== 'metadata_unavailable' && error.code !== 'internal_error') {
    return error.message.replace(/messages\.\d+/g, 'a message').replace(/messages\[\d+\]/g, 'a message');
  }
  return undefined;
}

/** The id is part of the place, so that equal reasons can be counted. */
function forgottenAs(error: unknown): string {
  const id = error instanceof MemoryError ? error.fields.forgotten_id : undefined;
  return id === undefined ? '' : `, forgotten as ${id}`;
}
