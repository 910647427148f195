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
  summary: 'Follow what assistants on this machine write down, and keep every new turn',
  options: [
    {
      flags: '--client <name>',
      text: `Only this one; repeat it for several (default: all that are here): ${followable.join(', ')}`,
      kind: 'list',
    },
    { flags: '--interval <seconds>', text: 'How often to look (default: 5)', kind: 'count' },
    { flags: '--once', text: 'Look once and end' },
  ],
  examples: [
    'threadkeep watch',
    'threadkeep watch --client claude-code --client codex',
    'threadkeep watch --once --json',
  ],
  async run(invocation) {
    const { options } = invocation;
    // Asked for anew with each look: a program may be installed meanwhile.
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
            // Some of what was looked at is not stored. What is stored is found again as known, so all is looked at anew.
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

/** A log that is being written may end in half a line: that is passed over now and read at the next look. */
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
      // Renamed, removed or locked since it was listed: the next look finds it where it is then.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      again();
    }
  }
}

/** With --json every line is about what was kept. */
function greet(
  { options, shared }: Invocation<WatchOptions>,
  places: readonly { importer: { label: string }; path: string }[],
): void {
  if (shared.json || shared.quiet) return;
  const lines =
    places.length === 0
      ? ['None of these programs has written anything on this machine yet.']
      : places.map(({ importer, path }) => `  ${importer.label}  ${path}`);
  const end = options.once === true ? [] : [`Looks every ${options.interval ?? 5} s. Ctrl+C stops it.`];
  process.stderr.write(`${[...(places.length === 0 ? [] : ['Watching']), ...lines, ...end].join('\n')}\n`);
}

function tell({ print, options }: Invocation<WatchOptions>, report: ImportReport): void {
  const { imported, appended, messages, dry_run } = report;
  if (imported + appended === 0 && options.once !== true) return;
  const text = `${counted(messages, 'message')} of ${counted(imported + appended, 'conversation')}`;
  const json = { at: new Date().toISOString(), imported, appended, messages, ...(dry_run ? { dry_run } : {}) };
  print({ json, text: () => `${dry_run ? 'Dry run: would keep' : 'kept'} ${text}` });
}

/** A store or a model that is away, and may be back at the next look. */
function isOutage(error: unknown): error is MemoryError {
  return error instanceof MemoryError && errorFaces[error.code].http === 503;
}

function tellOutage({ print }: Invocation<WatchOptions>, { code, message }: MemoryError): void {
  const json = { at: new Date().toISOString(), status: 'error', error_code: code, error_message: message };
  print({ json, text: () => `error: ${message}\n  trying again` });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Being asked to stop is the other way to end the pause.
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
