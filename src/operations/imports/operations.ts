import { z } from 'zod';
import { MemoryError } from '../../model/errors.js';
import { uuid } from '../fields.js';
import { formatsOf, importInput } from '../import-file.js';
import type { Operation } from '../operation.js';
import type { Service } from '../service.js';
import { type ImportJob, type ImportJobs, importJob, type StoredJob, shownJob } from './job.js';

const jobOutput = z.object({ status: z.literal('ok'), job: importJob });
type JobOutput = z.infer<typeof jobOutput>;

const createInput = importInput.omit({ file: true }).extend({
  format: importInput.shape.format.default('auto'),
  /** Where the door put what was sent; not the caller's to say. */
  file: z.custom<SentFile>(),
});

/** A file that lies on disk. A job that takes it moves it away. */
export interface SentFile {
  path: string;
  ending: string;
  digest: string;
  bytes: number;
  filename?: string;
}

/** What is wrong with the format is told at once; everything else by the job. */
export const createImport: Operation<z.infer<typeof createInput>, JobOutput> = {
  name: 'imports_create',
  summary: 'Store an export in the background; the answer is the job',
  input: createInput,
  output: jobOutput,
  async run(service, call, { file, ...wanted }) {
    const jobs = jobsOf(service);
    await formatsOf({ format: wanted.format, file });
    const { filename, ...sent } = file;
    const named = filename === undefined ? {} : { filename: filename.slice(0, longestName) };
    return shown(await jobs.create(call.principal, { ...wanted, ...sent, ...named }));
  },
};

const longestName = 255;

const listOutput = z.object({ status: z.literal('ok'), results: z.array(importJob) });

export const listImports: Operation<Record<string, never>, z.infer<typeof listOutput>> = {
  name: 'imports_list',
  summary: 'Your imports, the newest first',
  input: z.strictObject({}),
  output: listOutput,
  async run(service, { principal }) {
    return { status: 'ok', results: (await jobsOf(service).list(principal)).map(shownJob) };
  },
};

const idInput = z.strictObject({
  import_id: uuid.describe('The id of the job'),
});

export const getImport: Operation<z.infer<typeof idInput>, JobOutput> = {
  name: 'imports_get',
  summary: 'One of your imports: its state and what it did so far',
  input: idInput,
  output: jobOutput,
  run: async (service, { principal }, { import_id }) => shown(await jobsOf(service).get(principal, import_id)),
};

export const cancelImport: Operation<z.infer<typeof idInput>, JobOutput> = {
  name: 'imports_cancel',
  summary: 'Stop one of your imports; what it has stored stays',
  input: idInput,
  output: jobOutput,
  run: async (service, { principal }, { import_id }) => shown(await jobsOf(service).cancel(principal, import_id)),
};

function shown(job: ImportJob | StoredJob): JobOutput {
  return { status: 'ok', job: 'owner' in job ? shownJob(job) : job };
}

function jobsOf({ imports }: Service): ImportJobs {
  if (imports !== undefined) return imports;
  throw new MemoryError('metadata_unavailable', 'Imports in the background need a running server');
}
