import { importers } from '../../importers/table.js';
import { invalidInput, type MemoryError } from '../../model/errors.js';
import type { ImportReport } from '../../operations/imports/job.js';
import type { Command, Invocation } from '../command.js';
import { onStopRequest } from '../exit.js';
import { withRuntime } from '../open.js';
import { counted } from '../terminal.js';
import { placesHere } from './import.js';

interface WatchOptions {
  client?: string[];
  interval?: number;
  once?: boolean;
}

const followable = importers.filter(({ places }) => places !== undefined).map(({ name }) => name);

export const watch: Command<WatchOptions> = {
  name: 'watch',
  summary: 'Follow the assistants on this machine and store every new message',
  options: [
    {
      flags: '--client <name>',
      text: `Only this one; repeat it for several (default: all that are installed): ${followable.join(', ')}`,
      kind: 'list',
    },
    {
      flags: '--interval <seconds>',
      text: 'Scan every so many seconds (default: the system reports changes; every minute, in case it missed one)',
      kind: 'count',
    },
    { flags: '--once', text: 'Scan once and exit' },
  ],
  examples: [
    'threadkeep watch',
    'threadkeep watch --client claude-code --client codex',
    'threadkeep watch --once --json',
  ],
  async run(invocation) {
    const { options } = invocation;
    const watched = () => placesHere().filter(({ importer }) => options.client?.includes(importer.name) ?? true);
    for (const name of options.client ?? []) {
      if (!followable.includes(name)) throw invalidInput('--client', `must be one of: ${followable.join(', ')}`);
    }
    greet(invocation, watched());
    const stop = onStopRequest();
    const { signal } = stop;
    try {
      return await withRuntime(invocation, async ({ runtime: { service }, call }) => {
        const { importSessions, watchSessions } = await import('../../operations/imports/watch.js');
        if (options.once === true) {
          tell(invocation, await importSessions(service, call, { watched, signal }));
          return undefined;
        }
        await watchSessions(service, call, {
          watched,
          signal,
          interval: options.interval,
          onReport: (report) => tell(invocation, report),
          onOutage: (error) => tellOutage(invocation, error),
        });
        return undefined;
      });
    } finally {
      stop.ignore();
    }
  },
};

/** Printed only as text: with --json every line is about stored messages. */
function greet(
  { options, shared }: Invocation<WatchOptions>,
  places: readonly { importer: { label: string }; path: string }[],
): void {
  if (shared.json || shared.quiet) return;
  const lines =
    places.length === 0
      ? ['None of these programs has written anything on this machine yet.']
      : places.map(({ importer, path }) => `  ${importer.label}  ${path}`);
  const pace = options.interval === undefined ? '' : `Scanning every ${options.interval} s. `;
  const end = options.once === true ? [] : [`${pace}Press Ctrl+C to stop.`];
  process.stderr.write(`${[...(places.length === 0 ? [] : ['Watching']), ...lines, ...end].join('\n')}\n`);
}

function tell({ print, options }: Invocation<WatchOptions>, report: ImportReport): void {
  const { imported, appended, messages, dry_run } = report;
  if (imported + appended === 0 && options.once !== true) return;
  const text = `${counted(messages, 'message')} of ${counted(imported + appended, 'conversation')}`;
  const json = { at: new Date().toISOString(), imported, appended, messages, ...(dry_run ? { dry_run } : {}) };
  print({ json, text: () => `${dry_run ? 'Dry run: would keep' : 'kept'} ${text}` });
}

function tellOutage({ print }: Invocation<WatchOptions>, { code, message }: MemoryError): void {
  const json = { at: new Date().toISOString(), status: 'error', error_code: code, error_message: message };
  print({ json, text: () => `error: ${message}\n  retrying` });
}
