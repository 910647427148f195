import { appendFile, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalUuid } from '../../model/ids.js';
import { isObject } from '../../model/json.js';
import { isEnded, type StoredJob } from './job.js';

/** The import jobs of a data folder: one folder each, with the uploaded file and `job.json`. */
export interface JobFiles {
  /** Moves the uploaded file at `path`, if there is one, into the job's folder. */
  add(job: StoredJob, path: string | undefined): Promise<void>;
  all(): Promise<StoredJob[]>;
  get(id: string): Promise<StoredJob | undefined>;
  save(job: StoredJob): Promise<void>;
  uploadOf(job: StoredJob): string;
  /** True for exactly one process, which then runs the job. */
  claim(job: StoredJob): Promise<boolean>;
  isClaimed(job: StoredJob): Promise<boolean>;
  /** Asks the process that runs the job, which may be another one, to cancel it. */
  askToCancel(id: string): Promise<void>;
  isAskedToCancel(id: string): Promise<boolean>;
  /** Written down at once: undoing an import erases what is named here and nothing else. */
  noteStored(job: StoredJob, conversationId: string): Promise<void>;
  storedBy(job: StoredJob): Promise<string[]>;
  /** Deletes the file, which is no longer needed once the job has ended. */
  dropUpload(job: StoredJob): Promise<void>;
}

/** How many ended jobs are kept per user. */
const mostEnded = 100;

export function jobFiles(folder: string): JobFiles {
  const placeOf = (id: string): string => join(folder, id);
  const claimOf = ({ id, resumed }: StoredJob): string => join(placeOf(id), `run-${resumed}`);
  let saved = 0;

  const get = async (id: string): Promise<StoredJob | undefined> => {
    if (canonicalUuid(id) !== id) return undefined;
    const text = await readFile(join(placeOf(id), 'job.json'), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : jobIn(text);
  };

  /** Atomic: a reader sees the job before or after the write. */
  const save = async (job: StoredJob): Promise<void> => {
    const path = join(placeOf(job.id), 'job.json');
    const draft = `${path}.${process.pid}.${saved++}`;
    await writeFile(draft, JSON.stringify(job), { mode: 0o600, flush: true });
    await rename(draft, path);
  };

  const all = async (): Promise<StoredJob[]> => {
    const names = await readdir(folder).catch(() => []);
    const jobs = await Promise.all(names.map(get));
    return jobs
      .flatMap((job) => job ?? [])
      .sort((one, other) => (one.created_at === other.created_at ? 0 : one.created_at < other.created_at ? 1 : -1));
  };

  const trim = async (userId: string): Promise<void> => {
    const ended = (await all()).filter(({ state, owner }) => isEnded(state) && owner.userId === userId);
    for (const { id } of ended.slice(mostEnded)) await rm(placeOf(id), { recursive: true, force: true });
  };

  return {
    async add(job, path) {
      await mkdir(placeOf(job.id), { recursive: true, mode: 0o700 });
      try {
        if (path !== undefined) await move(path, join(placeOf(job.id), job.upload));
        await save(job);
      } catch (error) {
        // Otherwise a file without a job would stay forever.
        await rm(placeOf(job.id), { recursive: true, force: true });
        throw error;
      }
      await trim(job.owner.userId);
    },
    all,
    get,
    save,
    uploadOf: (job) => join(placeOf(job.id), job.upload),
    async claim(job) {
      try {
        await writeFile(claimOf(job), '', { mode: 0o600, flag: 'wx' });
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
        throw error;
      }
    },
    isClaimed: (job) => isThere(claimOf(job)),
    askToCancel: (id) => writeFile(join(placeOf(id), 'cancel'), '', { mode: 0o600 }),
    isAskedToCancel: (id) => isThere(join(placeOf(id), 'cancel')),
    noteStored: (job, conversationId) =>
      appendFile(join(placeOf(job.id), 'stored'), `${conversationId}\n`, { mode: 0o600 }),
    async storedBy(job) {
      const text = await readFile(join(placeOf(job.id), 'stored'), 'utf8').catch(absent);
      return [...new Set((text ?? '').split('\n'))].filter((id) => canonicalUuid(id) === id);
    },
    dropUpload: (job) => rm(join(placeOf(job.id), job.upload), { force: true }),
  };
}

/** Imports of earlier versions, and those that stored nothing new, have no such file. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Works across disks too: the temporary folder is often on another one. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await copyFile(from, to);
    await rm(from, { force: true });
  }
}

/** Undefined for files left by a crash or written by another version. */
function jobIn(text: string): StoredJob | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJob(value) ? value : undefined;
  } catch {
    // Not JSON: not a job.
    return undefined;
  }
}

function isJob(value: unknown): value is StoredJob {
  return (
    isObject(value) &&
    [value.id, value.state, value.upload, value.created_at].every((each) => typeof each === 'string') &&
    typeof value.resumed === 'number' &&
    isObject(value.owner) &&
    isObject(value.report) &&
    (value.process === undefined || isObject(value.process))
  );
}
