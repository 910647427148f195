import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Importer, ReadOptions } from '../importers/contract.js';
import { genericFields } from '../importers/formats/generic.js';
import { type ErrorCode, errorFaces, invalidInput, MemoryError } from '../model/errors.js';
import { utcRange } from '../model/time.js';
import type { ImportReport } from '../operations/imports/job.js';
import type { LocalInput } from '../operations/imports/operations.js';
import type { Invocation, Result } from './command.js';
import { exitCodes, onStopRequest, type StopRequest } from './exit.js';
import { loadConfigFor, type Opened, withRuntime } from './open.js';
import { type Performer, withServer } from './perform.js';
import { columns, counted, type Progress, progressOn, type Style } from './terminal.js';

export interface ImportOptions {
  dryRun?: boolean;
  since?: string;
  projectId?: string;
  source?: string;
  field?: string[];
  hook?: boolean;
  dataDir?: string;
}

export interface ImportSource {
  importer: Importer;
  path: string;
}

/**
 * Imports the exports one after the other: as a job of the running server, which continues if this process is killed,
 * or in this process. Ctrl+C stops after the conversations in progress. An import without any conversation fails, so
 * that the user does not delete the export; a live session may still be empty, and is not a job.
 */
export async function runImport(
  invocation: Invocation<ImportOptions>,
  sources: readonly ImportSource[],
  { isSession = false }: { isSession?: boolean } = {},
): Promise<Result> {
  const { options } = invocation;
  const wanted = {
    sources: sources.map(({ importer, path }) => ({
      format: importer.name,
      path: path === '-' ? path : resolve(path),
      shown: path,
    })),
    dry_run: options.dryRun === true,
    ...readOptions(options),
    ...(options.since === undefined ? {} : { since: sinceOf(options.since) }),
    ...(options.projectId === undefined ? {} : { project_id: options.projectId }),
  };
  const { cameToNothing } = await import('../operations/import-conversations.js');
  const progress = progressOn(process.stderr, !invocation.shared.quiet, 'MB');
  const stop = onStopRequest();
  try {
    const watching = { progress, stop };
    const done = (await atServer(invocation, wanted, { ...watching, isSession })) ?? {
      report: await inThisProcess(invocation, wanted, watching),
    };
    const { report } = done;
    const isNothing = cameToNothing(report) && !isSession;
    const result = ended({ report, isNothing }, stop.exit());
    return done.id === undefined ? result : { ...result, json: { ...result.json, import_id: done.id } };
  } finally {
    progress.end();
    stop.ignore();
  }
}

interface Watching {
  progress: Progress;
  stop: StopRequest;
}

interface Imported {
  report: ImportReport;
  /** The job that ran the import. */
  id?: string;
}

/** Undefined when no server of this data folder answers, or it cannot read the files. */
async function atServer(
  invocation: Invocation<ImportOptions>,
  wanted: LocalInput,
  { progress, stop, isSession }: Watching & { isSession: boolean },
): Promise<Imported | undefined> {
  // Standard input belongs to this process.
  if (wanted.sources.some(({ path }) => path === '-')) return undefined;
  const { shared, secrets, options } = invocation;
  const caller = { secrets, shared: options.dataDir === undefined ? shared : { ...shared, data: options.dataDir } };
  return withServer(caller, async (perform) => {
    if (isSession) {
      const imported = await unlessUnreadable(perform('import_session', wanted));
      return imported === undefined ? undefined : { report: imported.value };
    }
    const created = await unlessUnreadable(perform('imports_local', wanted));
    if (created === undefined) return undefined;
    const { id } = created.value.job;
    const { job } = await followed(perform, id, { progress, stop }).catch((error: unknown) => {
      throw error instanceof MemoryError && error.code === 'metadata_unavailable' ? leftAlone(error) : error;
    });
    if (job.error === undefined) return { report: job.report, id };
    const { error_code, error_message } = job.error;
    throw new MemoryError(isErrorCode(error_code) ? error_code : 'internal_error', error_message);
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorFaces, code);
}

async function unlessUnreadable<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    // The server runs as another user or in a container; if the file does not exist, this process reports it.
    if (error instanceof MemoryError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The polling interval of the job: short at first, because most imports are small. */
const looks = { first: 20, longest: 250 };

async function followed(perform: Performer, import_id: string, { progress, stop }: Watching) {
  const { isEnded } = await import('../operations/imports/job.js');
  for (let wait = looks.first; ; wait = Math.min(looks.longest, wait * 2)) {
    // Conversations stored by then stay, and the report counts them.
    if (stop.signal.aborted) return (await perform('imports_cancel', { import_id })).value;
    const { value } = await perform('imports_get', { import_id });
    const { state, bytes, read_bytes = 0 } = value.job;
    if (isEnded(state)) return value;
    if (state === 'running') progress.step(inMegabytes(read_bytes, bytes));
    // A stop request ends the pause early.
    await delay(wait, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

function leftAlone(cause: MemoryError): MemoryError {
  return new MemoryError(
    'metadata_unavailable',
    'The server stopped during the import. It continues when the server starts again; run the same command to follow it',
    { cause },
  );
}

async function inThisProcess(
  invocation: Invocation<ImportOptions>,
  wanted: LocalInput,
  { progress, stop }: Watching,
): Promise<ImportReport> {
  const { dataDir } = invocation.options;
  const { config } = await loadConfigFor(invocation, dataDir === undefined ? {} : { paths: { data_dir: dataDir } });
  const { importInPlace, sourcesOf } = await import('../operations/imports/operations.js');
  const { surveyed } = await import('../operations/imports/sources.js');
  const isInput = wanted.sources.some(({ path }) => path === '-');
  const { bytes } = isInput ? { bytes: 0 } : await surveyed(sourcesOf(wanted.sources));
  const run = ({ runtime, call }: Opened) =>
    importInPlace(runtime.service, call, wanted, {
      signal: stop.signal,
      onBytes: (done) => progress.step(inMegabytes(done, bytes)),
    });
  return withRuntime(invocation, run, { config });
}

function inMegabytes(done: number, total: number): { done: number; total: number } {
  return { done: Math.round(done / 1e6), total: Math.round(total / 1e6) };
}

function sinceOf(text: string): string {
  const range = utcRange(text);
  if (range === undefined) throw invalidInput('--since', 'must be a date such as 2026-11-15 or an RFC 3339 time');
  return range.first;
}

function readOptions({ source, field = [] }: ImportOptions): ReadOptions {
  const fields = field.map((each) => {
    const [name, ...path] = each.split('=');
    if (name === undefined || path.join('') === '') throw invalidInput('--field', 'must look like text=body');
    if (!Object.hasOwn(genericFields, name)) {
      throw invalidInput('--field', `must name one of: ${Object.keys(genericFields).join(', ')}`);
    }
    return [name, path.join('=')] as const;
  });
  return { fields: Object.fromEntries(fields), ...(source === undefined ? {} : { source }) };
}

interface Ending {
  report: ImportReport;
  isNothing: boolean;
}

function ended(ending: Ending, asked: number | undefined): Result {
  const { report, isNothing } = ending;
  // Cancelled elsewhere, for example in the console: it ended early too.
  const stopped = report.interrupted === true ? (asked ?? exitCodes.interrupted) : undefined;
  const failed = isNothing ? exitCodes.input : exitCodes.ok;
  return {
    json: isNothing && stopped === undefined ? { ...report, status: 'error' } : report,
    text: (style) => reportText(ending, style),
    exit: stopped ?? failed,
  };
}

function headline({ report, isNothing }: Ending): string {
  if (report.interrupted === true) return 'Stopped before the end';
  if (isNothing) return 'Nothing was imported';
  return report.dry_run === true ? 'Dry run: nothing was stored' : 'Imported';
}

function reportText(ending: Ending, style: Style): string {
  const { report } = ending;
  const lines = [
    style.strong(headline(ending)),
    columns(
      [
        [
          report.dry_run === true ? 'would store' : 'stored',
          `${counted(report.imported, 'conversation')}, ${counted(report.messages, 'message')}`,
        ],
        [
          report.dry_run === true ? 'would continue' : 'continued',
          report.appended === 0 ? undefined : counted(report.appended, 'conversation'),
        ],
        ['known', report.duplicates === 0 ? undefined : counted(report.duplicates, 'conversation')],
        ['left out', report.skipped === 0 ? undefined : String(report.skipped)],
      ],
      style,
    ),
    ...Object.entries(report.reasons).map(([reason, times]) => `  ${times} × ${reason}`),
    ...Object.entries(report.left_out).map(([reason, times]) =>
      style.faint(`  ${counted(times, 'message')} not kept: ${reason}`),
    ),
  ];
  const [example] = report.examples;
  if (example !== undefined) lines.push(style.faint(`  for example: ${example.place}`));
  if (report.interrupted === true)
    lines.push('Run it again for the rest; conversations that are already stored are skipped.');
  return lines.join('\n');
}
