import { resolveProject } from '../../auth/access.js';
import { createSerialQueue } from '../../concurrency/locks.js';
import type { Principal } from '../../model/access.js';
import { isOurFault, MemoryError } from '../../model/errors.js';
import type { ImportPosition } from '../import-conversations.js';
import type { Service } from '../service.js';
import {
  emptyReport,
  type ImportJobs,
  type ImportReport,
  isEnded,
  type JobFiles,
  type LocalFiles,
  type StoredJob,
} from './job.js';
import { importInPlace, importUpload, sourcesOf } from './operations.js';
import { surveyed } from './sources.js';

/*
 * Background imports: they continue after the connection is closed, and after the service was stopped or killed. One
 * runs at a time. Progress is saved every fifty entries, so a resumed run repeats at most those, and repeating them
 * adds nothing.
 */

interface JobsParts {
  service: Service;
  files: JobFiles;
  /** The owner with their current rights; undefined when the token or the user is no longer valid. */
  renew(owner: StoredJob['owner']): Promise<Principal | undefined>;
}

/** Maximum unfinished imports of one user; each keeps a file on disk. */
const mostWaiting = 20;
/** Maximum disk space of a user's unfinished imports together; a single one may be as large as an upload may be. */
const mostBytes = 8 * 1024 ** 3;
/** How often a running job sends a heartbeat, and after how long without one its process counts as dead. */
const beatEvery = 5_000;
const beatLost = 60_000;

export function createImportJobs({ service, files, renew }: JobsParts): ImportJobs {
  const queue: string[] = [];
  let current: Running | undefined;
  let working: Promise<void> | undefined;
  let stopping = false;

  const creating = createSerialQueue();
  const own = async (principal: Principal, id: string): Promise<StoredJob> => {
    const job = current?.job.id === id ? current.job : await files.get(id);
    // Another user's import and a missing one get the same error.
    if (job?.owner.userId !== principal.userId) throw new MemoryError('not_found', 'You have no import with this id');
    return job;
  };

  const list = async ({ userId }: Principal): Promise<StoredJob[]> => {
    const jobs = (await files.all()).filter(({ owner }) => owner.userId === userId);
    return jobs.map((job) => (job.id === current?.job.id ? current.job : job));
  };

  function enqueue(id: string): void {
    if (!queue.includes(id)) queue.push(id);
    working ??= work().finally(() => {
      working = undefined;
    });
  }

  async function work(): Promise<void> {
    for (let id = queue.shift(); id !== undefined && !stopping; id = queue.shift()) {
      try {
        await runJob(id);
      } catch (error) {
        // The job's folder cannot be read or written; the next start tries again.
        service.observer.log('error', 'import_job_failed', {}, error);
      }
    }
  }

  async function runJob(id: string): Promise<void> {
    const stored = await files.get(id);
    if (stored === undefined || isEnded(stored.state) || !(await files.claim(stored))) return;
    const running = startOf(stored, { service, files, renew });
    current = running;
    try {
      await running.run();
    } finally {
      current = undefined;
    }
  }

  return {
    // Serialized, so that concurrent requests are counted correctly against the limits.
    create: (principal, { from, digest, ...wanted }) =>
      creating(async () => {
        resolveProject(principal, wanted.project_id);
        const waiting = (await list(principal)).filter(({ state }) => !isEnded(state));
        const local = from.kind === 'local' ? from.files : undefined;
        const same = waiting.find((job) => job.digest === digest && isSameWish(job, { ...wanted, local }));
        if (same !== undefined) return same;
        if (waiting.length >= mostWaiting) {
          const message = `${mostWaiting} of your imports are unfinished; wait for one to end, or cancel one`;
          throw new MemoryError('rate_limited', message);
        }
        if ([...waiting, { ...wanted, local }].reduce((sum, job) => sum + copiedBytes(job), 0) > mostBytes) {
          throw new MemoryError('rate_limited', 'Your unfinished imports are too large in total; wait for one to end');
        }
        const { userId, scopes, tokenId, expiresAt } = principal;
        const job: StoredJob = {
          id: service.newId(),
          state: 'queued',
          ...wanted,
          created_at: service.now(),
          resumed: 0,
          report: emptyReport({ dryRun: wanted.dry_run }),
          owner: {
            userId,
            scopes,
            ...(tokenId === undefined ? {} : { tokenId }),
            ...(expiresAt === undefined ? {} : { expiresAt }),
          },
          upload: from.kind === 'upload' ? `upload${from.ending}` : 'none',
          ...(local === undefined ? {} : { local }),
          digest,
          position: 0,
        };
        await files.add(job, from.kind === 'upload' ? from.path : undefined);
        enqueue(job.id);
        return job;
      }),

    list,
    get: own,

    async cancel(principal, id) {
      const job = await own(principal, id);
      if (isEnded(job.state)) return job;
      await files.askToCancel(id);
      if (current?.job.id === id) {
        await current.cancel();
        return (await files.get(id)) ?? job;
      }
      // Another process runs it and sees the request at its next step.
      if (job.state === 'running' && isAlive(job)) return job;
      const cancelled: StoredJob = { ...job, state: 'cancelled', ended_at: service.now() };
      await files.save(cancelled);
      await files.dropUpload(cancelled);
      return cancelled;
    },

    async storedBy(principal, id) {
      const job = await own(principal, id);
      if (isEnded(job.state)) return files.storedBy(job);
      throw new MemoryError('conflict', 'This import has not ended yet; wait for it, or cancel it first');
    },

    async resume() {
      const all = await files.all();
      // A crash may have come between the end of a job and the deletion of its file.
      for (const job of all) if (isEnded(job.state)) await files.dropUpload(job).catch(() => undefined);
      const left = all.filter((job) => !isEnded(job.state) && !isAlive(job));
      // Oldest first, in the order of arrival.
      for (const job of left.reverse()) {
        // Started by a process that is gone: each attempt has its own number, which exactly one process claims. A job
        // that cannot be read or written must not keep the server from starting.
        try {
          if (await files.isClaimed(job)) await files.save({ ...job, state: 'queued', resumed: job.resumed + 1 });
          enqueue(job.id);
        } catch (error) {
          service.observer.log('error', 'import_job_failed', {}, error);
        }
      }
    },

    async stop() {
      stopping = true;
      await current?.rest();
      await working;
    },
  };
}

interface Running {
  /** The current state. */
  readonly job: StoredJob;
  run(): Promise<void>;
  cancel(): Promise<void>;
  rest(): Promise<void>;
}

/** One run of a job, from where it stopped until it ends, is cancelled or is paused. */
function startOf(stored: StoredJob, { service, files, renew }: JobsParts): Running {
  const { now, observer } = service;
  const controller = new AbortController();
  const saving = createSerialQueue();
  let job: StoredJob = { ...stored, state: 'running', started_at: stored.started_at ?? now() };
  let live: ImportReport | undefined;
  let readBytes = 0;
  let wish: 'cancel' | 'rest' | undefined;
  let ended: Promise<void> | undefined;
  let isClosed = false;

  const save = (changed: Partial<StoredJob>): Promise<void> =>
    saving(async () => {
      // A heartbeat queued behind the final state must not overwrite it.
      if (isClosed) return;
      job = { ...job, ...changed, process: { pid: process.pid, beat: now() } };
      await files.save(job);
    });

  /** Writes the final state of this run. It becomes visible only once `after` is done. */
  const close = (changed: Partial<StoredJob>, after?: (closed: StoredJob) => Promise<void>): Promise<void> =>
    saving(async () => {
      isClosed = true;
      const { process: _, ...rest } = job;
      const closed = { ...rest, ...changed };
      await files.save(closed);
      await after?.(closed);
      job = closed;
    });

  /** The upload is deleted first, so that an ended job implies that the file is gone. */
  const end = (state: StoredJob['state'], changed: Partial<StoredJob>): Promise<void> =>
    close({ ...changed, state, ended_at: now() }, files.dropUpload);

  /** Checks whether the rights were revoked or another process was asked to cancel this job. */
  const lookAround = async (): Promise<Principal> => {
    if (await files.isAskedToCancel(job.id)) stopFor('cancel');
    const principal = await renew(job.owner);
    if (principal !== undefined) return principal;
    throw new MemoryError('unauthenticated', 'The token that this import was sent with is no longer valid');
  };

  function stopFor(why: 'cancel' | 'rest'): void {
    wish ??= why;
    controller.abort();
  }

  async function work(): Promise<void> {
    const { format, since, source, project_id, dry_run, local } = job;
    const principal = await lookAround();
    const wanted = {
      dry_run,
      ...(since === undefined ? {} : { since }),
      ...(source === undefined ? {} : { source }),
      ...(project_id === undefined ? {} : { project_id }),
    };
    const how = {
      signal: controller.signal,
      from: await whereItStopped(),
      onConversation: (done: Readonly<ImportReport>) => {
        live = done as ImportReport;
      },
      onBytes: (done: number) => {
        readBytes = done;
      },
      onStored: (id: string) => files.noteStored(job, id),
      async onSettled({ entries, report: settled }: ImportPosition) {
        await save({ position: entries, report: structuredClone(settled) });
        return lookAround();
      },
    };
    const upload = { ...wanted, format, file: { path: files.uploadOf(job) } };
    const onTotal = job.total === undefined ? (total: number) => save({ total }) : undefined;
    const report =
      local === undefined
        ? await importUpload(service, { principal, defaultSource: 'import' }, upload, { ...how, onTotal })
        : await importInPlace(service, { principal, defaultSource: 'cli' }, { ...wanted, ...local }, how);
    live = undefined;
    // It finished before it saw the request to cancel.
    if (report.interrupted !== true) return end('done', { report });
    if (wish === 'cancel') return end('cancelled', { report });
    await close({ state: 'queued', resumed: job.resumed + 1 });
  }

  /**
   * Entries are counted, so a file that was added or changed since would shift them: then everything is read again, and
   * what is stored is recognised.
   */
  async function whereItStopped(): Promise<ImportPosition> {
    const { local, position, report, digest, dry_run } = job;
    if (local === undefined || position === 0) return { entries: position, report };
    const now = await surveyed(sourcesOf(local.sources));
    return now.digest === digest
      ? { entries: position, report }
      : { entries: 0, report: emptyReport({ dryRun: dry_run }) };
  }

  async function run(): Promise<void> {
    const beating = setInterval(() => {
      // If the disk is full, the next step reports it.
      save({}).catch(() => undefined);
    }, beatEvery);
    beating.unref();
    try {
      await save({});
      await work();
    } catch (error) {
      live = undefined;
      if (isOurFault(error)) observer.log('error', 'import_job_failed', {}, error);
      const { code, message } = error instanceof MemoryError ? error : unforeseen;
      await end('failed', { error: { error_code: code, error_message: message } });
    } finally {
      clearInterval(beating);
    }
  }

  const stopped = async (why: 'cancel' | 'rest'): Promise<void> => {
    stopFor(why);
    await ended;
  };

  return {
    get job() {
      return live === undefined ? job : { ...job, read_bytes: readBytes, report: structuredClone(live) };
    },
    run: () => {
      ended = run();
      return ended;
    },
    cancel: () => stopped('cancel'),
    rest: () => stopped('rest'),
  };
}

const unforeseen = new MemoryError(
  'internal_error',
  'The import failed because of a server error, see the log; send the file again to import the rest',
);

type Wish = Pick<StoredJob, 'format' | 'project_id' | 'since' | 'source' | 'dry_run'> & {
  local?: LocalFiles | undefined;
};

function isSameWish(one: Wish, other: Wish): boolean {
  const wishOf = ({ format, project_id, since, source, dry_run, local }: Wish) =>
    JSON.stringify([format, project_id, since, source, dry_run, local]);
  return wishOf(one) === wishOf(other);
}

/** Files that are read in place need no disk space. */
function copiedBytes({ bytes, local }: { bytes: number; local?: LocalFiles | undefined }): number {
  return local === undefined ? bytes : 0;
}

/** Whether a process runs it. Our own pid belongs to an earlier process: this is not called for jobs that we run. */
function isAlive({ state, process: runner }: StoredJob): boolean {
  if (state !== 'running' || runner === undefined || runner.pid === process.pid) return false;
  if (Date.now() - Date.parse(runner.beat) > beatLost) return false;
  try {
    process.kill(runner.pid, 0);
    return true;
  } catch {
    // No such process.
    return false;
  }
}
