import { z } from 'zod';
import type { Scope } from '../../model/access.js';
import { importReport } from '../import-report.js';

/** What becomes of an import: it waits, it runs, and it ends in one of three ways. */
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
  project_id: z.string().optional().describe('Where everything goes, if one was named'),
  since: z.string().optional(),
  source: z.string().optional(),
  dry_run: z.boolean(),
  created_at: z.string(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  resumed: z.int().describe('How often it went on after the service had stopped'),
  report: importReport.describe('What it did so far; at the end all of it'),
  error: z.object({ error_code: z.string(), error_message: z.string() }).optional().describe('Why it failed'),
});

export type ImportJob = z.infer<typeof importJob>;

/** A job as it lies on disk: also whose it is, what its file holds, and how far it came. */
export interface StoredJob extends ImportJob {
  owner: {
    userId: string;
    scopes: readonly Scope[];
    tokenId?: string /** Milliseconds: when its token ends. */;
    expiresAt?: number;
  };
  /** The name of its file beside this one. */
  upload: string;
  /** Of the file's content: the same file is not taken twice at a time. */
  digest: string;
  /** How many entries of the export are settled; it goes on after them. */
  position: number;
  /** The process that runs it. */
  process?: { pid: number; beat: string };
}

/** Without what is ours alone. */
export function shownJob({
  owner: _,
  upload: __,
  digest: ___,
  position: ____,
  process: _____,
  ...job
}: StoredJob): ImportJob {
  return job;
}
