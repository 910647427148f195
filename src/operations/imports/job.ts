import { appendFile, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Principal, Scope } from '../../model/access.js';
import { canonicalUuid } from '../../model/ids.js';
import { isObject } from '../../model/json.js';

/** The result of an import so far. */
export const importReport = z.object({
  status: z.literal('ok'),
  read: z.int().describe('Conversations found in the export'),
  imported: z.int().describe('Stored as new conversations'),
  appended: z.int().describe('Stored conversations that have grown'),
  duplicates: z.int().describe('Already stored: nothing was added'),
  skipped: z.int().describe('Skipped: see `reasons`'),
  messages: z.int().describe('Messages that were stored'),
  known_messages: z.int().describe('Messages that were already stored'),
  left_out: z.record(z.string(), z.int()).describe('Messages that were not stored, counted by reason'),
  reasons: z.record(z.string(), z.int()).describe('Skipped conversations, counted by reason'),
  examples: z.array(z.object({ place: z.string(), reason: z.string() })).describe('The first places that were skipped'),
  dry_run: z.literal(true).optional(),
  interrupted: z.literal(true).optional().describe('It was stopped before the end; run it again to import the rest'),
});

export type ImportReport = z.infer<typeof importReport>;

/** An empty report. */
export function emptyReport({ dryRun = false }: { dryRun?: boolean } = {}): ImportReport {
  return {
    status: 'ok',
    read: 0,
    imported: 0,
    appended: 0,
    duplicates: 0,
    skipped: 0,
    messages: 0,
    known_messages: 0,
    left_out: {},
    reasons: {},
    examples: [],
    ...(dryRun ? { dry_run: true } : {}),
  };
}

/** The states of an import: it waits, runs, and ends in one of three ways. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

export function isEnded(state: JobState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled';
}

/** A job as its owner sees it. */
export const importJob = z.object({
  id: z.string(),
  state: z.enum(jobStates),
  format: z.string().describe('As requested; auto detects it by the content'),
  filename: z
    .string()
    .optional()
    .describe('The name of the uploaded file; without memory:read only in jobs of the same token'),
  bytes: z.int().describe('The size of the file'),
  read_bytes: z.int().optional().describe('The number of bytes this run has read, while it runs'),
  project_id: z.string().optional().describe('The project that all conversations go to, if one was named'),
  since: z.string().optional(),
  source: z.string().optional(),
  dry_run: z.boolean(),
  created_at: z.string(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  resumed: z.int().describe('How often it was resumed after the service had stopped'),
  total: z
    .int()
    .optional()
    .describe('The number of conversations in the file, once it is known; `report.read` counts up to it'),
  report: importReport.describe('The result so far; at the end the whole result'),
  error: z.object({ error_code: z.string(), error_message: z.string() }).optional().describe('Why it failed'),
});

export type ImportJob = z.infer<typeof importJob>;

/** A job as stored: with its owner, the digest of its file and its position. */
export interface StoredJob extends ImportJob {
  owner: {
    userId: string;
    scopes: readonly Scope[];
    tokenId?: string /** Milliseconds: when its token ends. */;
    expiresAt?: number;
  };
  /** The name of its file in the job folder. */
  upload: string;
  /** Files of the user who ran a command on this machine, which are read in place instead of being uploaded. */
  local?: LocalFiles;
  /**
   * The digest of the file's content, or of the names, sizes and times of local files: the same file is not imported
   * twice at a time.
   */
  digest: string;
  /** How many entries of the export are done; it continues after them. */
  position: number;
  /** The process that runs it. */
  process?: { pid: number; beat: string };
}

/** Files of this machine to import, each with its format, and how to read them. */
export interface LocalFiles {
  sources: readonly LocalSource[];
  /** Field names for the generic format. */
  fields?: Readonly<Record<string, string>>;
}

export interface LocalSource {
  format: string;
  /** Absolute. */
  path: string;
  /** The path as the person typed it, for messages. */
  shown: string;
}

/**
 * Without the internal fields. The names of the file and of the places in it come from its sender: a token that may not
 * read sees them only in its own jobs, and otherwise ids, states and counts.
 */
export function shownJob(stored: StoredJob, { scopes, tokenId }: Pick<Principal, 'scopes' | 'tokenId'>): ImportJob {
  const { owner, upload: _, local: __, digest: ___, position: ____, process: _____, ...job } = stored;
  if (scopes.includes('memory:read') || (tokenId !== undefined && owner.tokenId === tokenId)) return job;
  const { filename: ______, source: _______, ...rest } = job;
  return { ...rest, report: { ...job.report, examples: [] } };
}

/** The imports of a data folder. */
export interface ImportJobs {
  /** Takes over an uploaded file. The same file with the same options returns the running job. */
  create(principal: Principal, wanted: NewJob): Promise<StoredJob>;
  /** The caller's own, newest first. */
  list(principal: Principal): Promise<StoredJob[]>;
  get(principal: Principal, id: string): Promise<StoredJob>;
  /** What is stored by then stays. A job that has ended is unchanged. */
  cancel(principal: Principal, id: string): Promise<StoredJob>;
  /** The conversations it stored that were not there before. Throws while it has not ended. */
  storedBy(principal: Principal, id: string): Promise<string[]>;
  /** Continues jobs that no running process works on. */
  resume(): Promise<void>;
  /** Pauses the running job, to be resumed; the others wait for the next start. */
  stop(): Promise<void>;
}

export type NewJob = Pick<
  ImportJob,
  'format' | 'filename' | 'project_id' | 'since' | 'source' | 'dry_run' | 'bytes'
> & {
  digest: string;
  from: JobSource;
};

/** An uploaded file, with the extension that the importers use; or files of this machine, which are read in place. */
export type JobSource = { kind: 'upload'; path: string; ending: string } | { kind: 'local'; files: LocalFiles };

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
  /** Written at once, because undoing an import erases exactly the conversations listed here. */
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
