import { setTimeout as delay } from 'node:timers/promises';
import { createTimeSlice } from '../../concurrency/yielding.js';
import type { Found } from '../../importers/contract.js';
import { type ChangedFile, createLook, type Watched } from '../../importers/reading/files.js';
import { createFollower, createRest, type FollowedFile } from '../../importers/reading/follow.js';
import { errorFaces, MemoryError } from '../../model/errors.js';
import { importConversations } from '../import-conversations.js';
import type { Call } from '../operation.js';
import type { Service } from '../service.js';
import type { ImportReport } from './job.js';

interface Watching {
  /** Listed again for each scan, because a program may have been installed in the meantime. */
  watched: () => readonly Watched[];
  signal: AbortSignal;
  /** Seconds between two full scans; without it, the system reports changes. */
  interval?: number | undefined;
  /** Called after each scan that found something. */
  onReport(report: ImportReport): void;
  /** The store or the model does not respond; everything is scanned again later. */
  onOutage(error: MemoryError): void;
}

/** Stores every new message of the assistants on this machine until stopped. */
export async function watchSessions(service: Service, call: Call, how: Watching): Promise<void> {
  const { watched, signal, interval } = how;
  const begin = () => ({
    follower: createFollower(watched, { interval: interval === undefined ? undefined : interval * 1_000 }),
    restOf: createRest(),
  });
  let following = begin();
  try {
    while (!signal.aborted) {
      try {
        const found = conversationsOf(following.follower.look(), following.restOf);
        how.onReport(await importConversations(service, call, found, { signal, dryRun: service.settings.dryRun }));
      } catch (error) {
        if (!isOutage(error)) throw error;
        how.onOutage(error);
        // Some of the messages could not be stored. Everything is scanned again; stored messages are recognised.
        following.follower.close();
        following = begin();
        await delay(untilNextTry, undefined, { signal }).catch(() => undefined);
        continue;
      }
      await following.follower.due(signal);
    }
  } finally {
    following.follower.close();
  }
}

/** Stores the current messages once. */
export function importSessions(
  service: Service,
  call: Call,
  { watched, signal }: Pick<Watching, 'watched' | 'signal'>,
): Promise<ImportReport> {
  const found = conversationsOf(createLook(watched)(), undefined);
  return importConversations(service, call, found, { signal, dryRun: service.settings.dryRun });
}

type Looked = ChangedFile & Partial<Pick<FollowedFile, 'again'>>;

/** A session file that is being written may end in a partial line, which is skipped and read by the next scan. */
async function* conversationsOf(
  changed: AsyncIterable<Looked>,
  restOf: ReturnType<typeof createRest> | undefined,
): AsyncGenerator<Found> {
  // A database contains all sessions of its program, and most of them are already stored.
  const slice = createTimeSlice();
  for await (const { importer, file, again } of changed) {
    try {
      for await (const found of importer.read(file)) {
        if (slice.isOver()) await slice.yield();
        if (found.kind !== 'conversation') continue;
        const { place, conversation, isComplete = false } = found;
        const rest = importer.rewrites && restOf?.(`${importer.name} ${place}`, conversation, { isComplete });
        if (rest === undefined || rest.kind === 'new') yield found;
        else if (rest.kind === 'changing') again?.(rest.forMs);
      }
    } catch (error) {
      // The file was renamed, removed or locked since it was listed; the next scan handles it.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      again?.(untilNextTry);
    }
  }
}

/** A store or model that is unavailable and may be back at the next scan. */
function isOutage(error: unknown): error is MemoryError {
  return error instanceof MemoryError && errorFaces[error.code].http === 503;
}

const untilNextTry = 1_000;
