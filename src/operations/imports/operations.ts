import { z } from 'zod';
import type { Found, Importer } from '../../importers/contract.js';
import { filesAt, foundIn } from '../../importers/reading/files.js';
import { formatsAt, importers } from '../../importers/table.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import { noted } from '../../model/schema-note.js';
import { utcRange } from '../../model/time.js';
import { anyCase, date, projectId, uuid } from '../fields.js';
import { type ImportOptions, importConversations } from '../import-conversations.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import {
  type ImportJob,
  type ImportJobs,
  type ImportReport,
  importJob,
  importReport,
  type StoredJob,
  shownJob,
} from './job.js';

/*
 * Imports of an uploaded file: synchronously, or as a job that can be watched and cancelled.
 */

/** The spellings accepted in a form or a query string. */
const yesOrNo = ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off', 'y', 'n', 'enabled', 'disabled'];

/** `auto` detects the format from the content. */
const formats = ['auto', ...importers.map(({ name }) => name)] as [string, ...string[]];

const importInput = z.strictObject({
  format: z.enum(formats).describe('Which program the export is from; auto recognises it by its content'),
  since: date.optional().describe('Only conversations from this time on'),
  dry_run: noted(z.stringbool(), { pattern: `^(?:${yesOrNo.map(anyCase).join('|')})$` })
    .or(z.boolean())
    .default(false)
    .describe('true counts and stores nothing'),
  source: z.string().optional().describe('Where they took place, for the format json'),
  project_id: projectId.optional(),
  /** Set by the HTTP adapter, not by the caller. */
  file: z.custom<UploadedFile>(),
});

interface UploadedFile {
  path: string;
  onProgress?: (progress: { read: number }) => void;
  signal?: AbortSignal;
}

type ImportInput = z.infer<typeof importInput>;

/** Imports an uploaded export, which is on disk while it is read. */
export const importFile: Operation<ImportInput, ImportReport> = {
  name: 'import',
  summary: 'Store every conversation of an export that another program wrote',
  input: importInput,
  output: importReport,
  async run(service, call, request) {
    let read = 0;
    return importUpload(service, call, request, {
      signal: request.file.signal,
      onConversation: () => request.file.onProgress?.({ read: ++read }),
    });
  },
};

/** Stores the contents of an uploaded file, or the rest of it. Throws when the format is unknown. */
export async function importUpload(
  service: Service,
  call: Call,
  request: ImportInput,
  how: Pick<ImportOptions, 'signal' | 'onConversation' | 'onStored' | 'from' | 'onSettled'>,
): Promise<ImportReport> {
  const known = await formatsOf(request);
  const since = request.since === undefined ? undefined : utcRange(request.since)?.first;
  return importConversations(service, call, conversationsIn(known, request), {
    ...how,
    since,
    projectId: request.project_id,
    dryRun: request.dry_run || service.settings.dryRun,
    // The same policy as for inserts, because a client's statement about a status is not trusted.
    policy: service.settings.insertPolicy,
  });
}

/**
 * How many conversations an uploaded file has. Reading alone takes a small part of the time that storing takes.
 * Undefined when it cannot be read to its end, or the signal says to stop.
 */
export async function countUpload(
  request: Pick<ImportInput, 'format' | 'file' | 'source'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  let total = 0;
  try {
    for await (const { kind } of conversationsIn(await formatsOf(request), request)) {
      if (signal.aborted) return undefined;
      if (kind === 'conversation') total += 1;
    }
  } catch {
    // The import itself stores what comes before the fault, and reports it.
    return undefined;
  }
  return total;
}

/** The formats of a file, at least one. */
async function formatsOf({ format, file }: Pick<ImportInput, 'format' | 'file'>): Promise<readonly Importer[]> {
  const known = await recognised({ format, file });
  if (known.length === 0) throw invalidInput('format', `was not recognised; choose one of: ${formats.join(', ')}`);
  return known;
}

async function recognised({ format, file }: Pick<ImportInput, 'format' | 'file'>): Promise<readonly Importer[]> {
  return format === 'auto' ? formatsAt(file.path, 'The file') : importers.filter(({ name }) => name === format);
}

async function* conversationsIn(
  known: readonly Importer[],
  request: Pick<ImportInput, 'file' | 'source'>,
): AsyncGenerator<Found> {
  const options = request.source === undefined ? {} : { source: request.source };
  for (const importer of known) {
    // The temporary file name is not shown.
    for await (const file of filesAt(request.file.path, importer, 'The file')) {
      const shown = { ...file, path: file.path.replace(/^threadkeep-upload-[0-9a-f-]{36}/, 'upload') };
      yield* foundIn(importer, shown, options);
    }
  }
}

const jobOutput = z.object({ status: z.literal('ok'), job: importJob });
type JobOutput = z.infer<typeof jobOutput>;

const createInput = importInput.omit({ file: true }).extend({
  format: importInput.shape.format.default('auto'),
  /** Set by the HTTP adapter, not by the caller. */
  file: z.custom<SentFile>(),
});

/** A file on disk. A job that takes it over moves it. */
interface SentFile {
  path: string;
  ending: string;
  digest: string;
  bytes: number;
  filename?: string;
}

/** Format errors are reported immediately; all other errors by the job. */
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
