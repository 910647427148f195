import { z } from 'zod';
import type { Principal, Scope } from '../../model/access.js';

/** The result of an import so far. */
export const importReport = z.object({
  status: z.literal('ok'),
  read: z.int().describe('Conversations found in the export'),
  imported: z.int().describe('Stored as new memories'),
  appended: z.int().describe('Conversations that were known and have grown'),
  duplicates: z.int().describe('Known already: nothing was added'),
  skipped: z.int().describe('Left out: see `reasons`'),
  messages: z.int().describe('Messages that were stored'),
  known_messages: z.int().describe('Messages that were known already'),
  left_out: z.record(z.string(), z.int()).describe('Messages that are not kept: how often each reason occurred'),
  reasons: z.record(z.string(), z.int()).describe('How often each reason occurred'),
  examples: z
    .array(z.object({ place: z.string(), reason: z.string() }))
    .describe('The first of the places that were left out'),
  dry_run: z.literal(true).optional(),
  interrupted: z.literal(true).optional().describe('It was stopped before the end; run it again for the rest'),
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
  format: z.string().describe('As it was asked for; auto recognises it by the content'),
  filename: z.string().optional().describe('What the sender called the file'),
  bytes: z.int().describe('How large the file is'),
  read_bytes: z.int().optional().describe('How much of it this run has read, while it runs'),
  project_id: z.string().optional().describe('Where everything goes, if one was named'),
  since: z.string().optional(),
  source: z.string().optional(),
  dry_run: z.boolean(),
  created_at: z.string(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  resumed: z.int().describe('How often it went on after the service had stopped'),
  total: z.int().optional().describe('Conversations in the file, once they are counted; `report.read` goes up to it'),
  report: importReport.describe('What it did so far; at the end all of it'),
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
  /** Read in place instead of an upload: files of the person who ran a command on this machine. */
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

/** Without the internal fields. */
export function shownJob({
  owner: _,
  upload: __,
  local: ___,
  digest: ____,
  position: _____,
  process: ______,
  ...job
}: StoredJob): ImportJob {
  return job;
}

/** The imports of a data folder. */
export interface ImportJobs {
  /** Takes over an uploaded file. The same file with the same options returns the running job. */
  create(principal: Principal, wanted: NewJob): Promise<ImportJob>;
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
