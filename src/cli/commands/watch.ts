import { setTimeout as delay } from 'node:timers/promises';
import type { Found } from '../../importers/contract.js';
import { createLook, createRest } from '../../importers/reading/files.js';
import { importers } from '../../importers/table.js';
import { errorFaces, invalidInput, MemoryError } from '../../model/errors.js';
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
    { flags: '--interval <seconds>', text: 'Seconds between two scans (default: 5)', kind: 'count' },
    { flags: '--once', text: 'Scan once and exit' },
  ],
  examples: [
    'threadkeep watch',
    'threadkeep watch --client claude-code --client codex',
    'threadkeep watch --once --json',
  ],
  async run(invocation) {
    const { options } = invocation;
    // Listed again for each scan: a program may have been installed meanwhile.
    const watched = () => placesHere().filter(({ importer }) => options.client?.includes(importer.name) ?? true);
    for (const name of options.client ?? []) {
      if (!followable.includes(name)) throw invalidInput('--client', `must be one of: ${followable.join(', ')}`);
    }
    greet(invocation, watched());
    const fromTheBeginning = () => ({
      look: createLook(watched),
      restOf: options.once === true ? undefined : createRest(),
    });
    let seen = fromTheBeginning();
    const stop = onStopRequest();
    try {
      return await withRuntime(invocation, async ({ config, runtime, call }) => {
        const { importConversations } = await import('../../operations/import-conversations.js');
        for (;;) {
          const found = conversationsOf(seen.look, seen.restOf);
          try {
            const how = { signal: stop.signal, dryRun: config.storage.dry_run };
            tell(invocation, await importConversations(runtime.service, call, found, how));
          } catch (error) {
            if (options.once === true || !isOutage(error)) throw error;
            tellOutage(invocation, error);
            // Some of the scanned messages could not be stored. Everything is scanned again; messages that are stored
            // are recognised.
            seen = fromTheBeginning();
          }
          if (options.once === true || stop.signal.aborted) return undefined;
          await pause((options.interval ?? 5) * 1_000, stop.signal);
        }
      });
    } finally {
      stop.ignore();
    }
  },
};

/** A session file that is being written may end in half a line, which is skipped now and read by the next scan. */
async function* conversationsOf(
  look: ReturnType<typeof createLook>,
  restOf: ReturnType<typeof createRest> | undefined,
): AsyncGenerator<Found> {
  for await (const { importer, file, again } of look()) {
    try {
      for await (const found of importer.read(file)) {
        if (found.kind !== 'conversation') continue;
        const rest =
          importer.rewrites && restOf ? restOf(`${importer.name} ${found.place}`, found.conversation) : 'new';
        if (rest === 'changed') again();
        else if (rest === 'new') yield found;
      }
    } catch (error) {
      // The file was renamed, removed or locked since it was listed; the next scan handles it.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      again();
    }
  }
}

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
  const end = options.once === true ? [] : [`Scanning every ${options.interval ?? 5} s. Press Ctrl+C to stop.`];
  process.stderr.write(`${[...(places.length === 0 ? [] : ['Watching']), ...lines, ...end].join('\n')}\n`);
}

function tell({ print, options }: Invocation<WatchOptions>, report: ImportReport): void {
  const { imported, appended, messages, dry_run } = report;
  if (imported + appended === 0 && options.once !== true) return;
  const text = `${counted(messages, 'message')} of ${counted(imported + appended, 'conversation')}`;
  const json = { at: new Date().toISOString(), imported, appended, messages, ...(dry_run ? { dry_run } : {}) };
  print({ json, text: () => `${dry_run ? 'Dry run: would keep' : 'kept'} ${text}` });
}

/** A store or model that is unavailable and may be back at the next scan. */
function isOutage(error: unknown): error is MemoryError {
  return error instanceof MemoryError && errorFaces[error.code].http === 503;
}

function tellOutage({ print }: Invocation<WatchOptions>, { code, message }: MemoryError): void {
  const json = { at: new Date().toISOString(), status: 'error', error_code: code, error_message: message };
  print({ json, text: () => `error: ${message}\n  retrying` });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // A stop request ends the pause early.
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
