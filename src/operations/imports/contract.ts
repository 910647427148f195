import type { Principal } from '../../model/access.js';
import type { ImportJob, StoredJob } from './job.js';

/** The imports of a data folder. */
export interface ImportJobs {
  /** Takes over the file at `path`. The same file with the same wishes, while it is under way, is the same job. */
  create(principal: Principal, wanted: NewJob): Promise<ImportJob>;
  /** The caller's own, newest first. */
  list(principal: Principal): Promise<StoredJob[]>;
  get(principal: Principal, id: string): Promise<StoredJob>;
  /** What is stored by then stays. A job that has ended stays as it is. */
  cancel(principal: Principal, id: string): Promise<StoredJob>;
  /** Goes on with what no living process runs. */
  resume(): Promise<void>;
  /** Lets the running one come to rest, to be resumed; the others wait for the next start. */
  stop(): Promise<void>;
}

export type NewJob = Pick<
  ImportJob,
  'format' | 'filename' | 'project_id' | 'since' | 'source' | 'dry_run' | 'bytes'
> & {
  path: string;
  /** How the name of the file ends, which tells its readers how to read it. */
  ending: string;
  digest: string;
};
