import type { Found, Importer, ReadOptions, SourceFile } from '../importers/contract.js';
import { invalidInput } from '../model/errors.js';
import { utcRange } from '../model/time.js';
import type { ImportReport } from '../operations/import-conversations.js';
import type { Invocation, Result } from './command.js';
import type { ImportOptions } from './commands/import.js';
import { exitCodes } from './exit-codes.js';
import { loadConfigFor, type Opened, withRuntime } from './open.js';
import { progressOn } from './progress.js';
import { onStopRequest } from './signals.js';
import { columns, counted, type Style } from './style.js';

export interface ImportSource {
  importer: Importer;
  path: string;
}

/** Reads the exports one after the other and stores what they hold. Ctrl+C stops after the conversations under way. */
export async function runImport(
  invocation: Invocation<ImportOptions>,
  sources: readonly ImportSource[],
): Promise<Result> {
  const { options, shared } = invocation;
  const since = sinceOf(options.since);
  const reading = readOptions(options);
  const { importConversations } = await import('../operations/import-conversations.js');
  const progress = progressOn(process.stderr, !shared.quiet);
  const stop = onStopRequest();
  try {
    const { dataDir } = options;
    const paths = dataDir === undefined ? {} : { paths: { data_dir: dataDir } };
    const { config } = await loadConfigFor(invocation, paths);
    const run = ({ runtime, call }: Opened) => {
      const found = conversationsIn(sources, reading, progress.step);
      const withProject = options.projectId === undefined ? found : inProject(found, options.projectId);
      return importConversations(runtime.service, call, withProject, {
        since,
        dryRun: options.dryRun === true || config.storage.dry_run,
        signal: stop.signal,
      });
    };
    return ended(await withRuntime(invocation, run, { config }), stop.exit());
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
    for await (const file of filesAt(path, importer)) {
      any = true;
      yield* foundIn(importer, counting(file, onProgress), options);
    }
    if (!any) yield { kind: 'skipped', place: path, reason: `it holds no file of ${importer.label}` };
  }
}

/** Megabytes read of those in the file: the one measure that is known before the file is read. */
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

async function* inProject(found: AsyncIterable<Found>, projectId: string): AsyncGenerator<Found> {
  for await (const each of found) {
    if (each.kind === 'skipped') yield each;
    else if (each.kind === 'decision') yield { ...each, decision: { ...each.decision, project: projectId } };
    else yield { ...each, conversation: { ...each.conversation, project_id: projectId } as typeof each.conversation };
  }
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
    if (name === undefined || path.length === 0) throw invalidInput('--field', 'must look like text=body');
    return [name, path.join('=')] as const;
  });
  return { fields: Object.fromEntries(fields), ...(source === undefined ? {} : { source }) };
}

function ended(report: ImportReport, asked: number | undefined): Result {
  const stopped = report.interrupted === true ? asked : undefined;
  return { json: report, text: (style) => reportText(report, style), exit: stopped ?? exitCodes.ok };
}

function headline(report: ImportReport): string {
  if (report.interrupted === true) return 'Stopped before the end';
  return report.dry_run === true ? 'Dry run: nothing was stored' : 'Imported';
}

function reportText(report: ImportReport, style: Style): string {
  const lines = [
    style.strong(headline(report)),
    columns(
      [
        [
          report.dry_run === true ? 'would store' : 'stored',
          `${counted(report.imported, 'conversation')}, ${counted(report.messages, 'message')}`,
        ],
        ['continued', report.appended === 0 ? undefined : counted(report.appended, 'conversation')],
        ['known', report.duplicates === 0 ? undefined : counted(report.duplicates, 'conversation')],
        ['left out', report.skipped === 0 ? undefined : String(report.skipped)],
      ],
      style,
    ),
    ...Object.entries(report.reasons).map(([reason, times]) => `  ${times} × ${reason}`),
  ];
  const [example] = report.examples;
  if (example !== undefined) lines.push(style.faint(`  for example: ${example.place}`));
  if (report.interrupted === true) lines.push('Run it again for the rest; what is stored is known then.');
  return lines.join('\n');
}
