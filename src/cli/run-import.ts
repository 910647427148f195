import type { Found, Importer, ReadOptions, SourceFile } from '../importers/contract.js';
import { genericFields } from '../importers/formats/generic.js';
import { invalidInput } from '../model/errors.js';
import { utcRange } from '../model/time.js';
import type { ImportReport } from '../operations/imports/job.js';
import type { Invocation, Result } from './command.js';
import { exitCodes, onStopRequest } from './exit.js';
import { loadConfigFor, type Opened, withRuntime } from './open.js';
import { columns, counted, progressOn, type Style } from './terminal.js';

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
 * Imports the exports one after the other. Ctrl+C stops after the conversations in progress. An import without any
 * conversation fails, so that the user does not delete the export; a live session may still be empty.
 */
export async function runImport(
  invocation: Invocation<ImportOptions>,
  sources: readonly ImportSource[],
  { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {},
): Promise<Result> {
  const { options, shared } = invocation;
  const since = sinceOf(options.since);
  const reading = readOptions(options);
  const { cameToNothing, importConversations } = await import('../operations/import-conversations.js');
  const progress = progressOn(process.stderr, !shared.quiet, 'MB');
  const stop = onStopRequest();
  try {
    const { dataDir } = options;
    const paths = dataDir === undefined ? {} : { paths: { data_dir: dataDir } };
    const { config } = await loadConfigFor(invocation, paths);
    const run = ({ runtime, call }: Opened) => {
      const found = conversationsIn(sources, reading, progress.step);
      return importConversations(runtime.service, call, found, {
        since,
        projectId: options.projectId,
        dryRun: options.dryRun === true || config.storage.dry_run,
        signal: stop.signal,
      });
    };
    const report = await withRuntime(invocation, run, { config });
    return ended({ report, isNothing: cameToNothing(report) && !mayBeEmpty }, stop.exit());
  } finally {
    progress.end();
    stop.ignore();
  }
}

async function* conversationsIn(
  sources: readonly ImportSource[],
  options: ReadOptions,
  onProgress: (state: { done: number; total: number }) => void,
): AsyncGenerator<Found> {
  const { filesAt, foundIn } = await import('../importers/reading/files.js');
  for (const { importer, path } of sources) {
    let any = false;
    let files = 0;
    for await (const file of filesAt(path, importer)) {
      files += 1;
      for await (const found of foundIn(importer, counting(file, onProgress), options)) {
        any ||= found.kind === 'conversation';
        yield found;
      }
    }
    if (files === 0) yield { kind: 'skipped', place: path, reason: `it contains no ${importer.label} file` };
    const other = any || path === '-' ? undefined : await otherFormat(path, importer);
    if (other !== undefined) yield { kind: 'skipped', place: path, reason: other };
  }
}

/** Detects the actual format of an export in which nothing was found. */
async function otherFormat(path: string, importer: Importer): Promise<string | undefined> {
  const { formatsAt } = await import('../importers/table.js');
  const [right] = (await formatsAt(path)).filter(({ name }) => name !== 'json');
  if (right === undefined || right === importer) return undefined;
  return `this is a ${right.label} export; run \`threadkeep import ${right.name}\``;
}

/** Progress in megabytes read: the only total known before the file is parsed. */
function counting(file: SourceFile, onProgress: (state: { done: number; total: number }) => void): SourceFile {
  const { size } = file;
  if (size === undefined) return file;
  return {
    ...file,
    async *read() {
      let done = 0;
      for await (const part of file.read()) {
        done += part.length;
        onProgress({ done: Math.round(done / 1e6), total: Math.round(size / 1e6) });
        yield part;
      }
    },
  };
}

function sinceOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
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
  const stopped = report.interrupted === true ? asked : undefined;
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
