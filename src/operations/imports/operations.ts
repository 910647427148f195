import { access, constants } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Found, Importer } from '../../importers/contract.js';
import { formatsAt, importers } from '../../importers/table.js';
import type { Principal } from '../../model/access.js';
import { invalidInput, MemoryError } from '../../model/errors.js';
import { noted } from '../../model/parse.js';
import { utcRange } from '../../model/time.js';
import { anyCase, date, projectId, uuid } from '../fields.js';
import { type ImportOptions, importConversations } from '../import-conversations.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import {
  type ImportJobs,
  type ImportReport,
  importJob,
  importReport,
  type LocalFiles,
  type StoredJob,
  shownJob,
} from './job.js';
import { readAhead } from './read-ahead.js';
import { foundAt, type ImportSource, surveyed } from './sources.js';

/*
 * Imports of an uploaded file, or of files of this machine: synchronously, or as a job that can be watched and
 * cancelled.
 */

/** The spellings accepted in a form or a query string. */
const yesOrNo = ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off', 'y', 'n', 'enabled', 'disabled'];

/** `auto` detects the format from the content. */
const formats = ['auto', ...importers.map(({ name }) => name)] as [string, ...string[]];

const importInput = z.strictObject({
  format: z.enum(formats).describe('The program the export is from; auto detects it by the content'),
  since: date.optional().describe('Only conversations from this time or later'),
  dry_run: noted(z.stringbool(), { pattern: `^(?:${yesOrNo.map(anyCase).join('|')})$` })
    .or(z.boolean())
    .default(false)
    .describe('true only counts and stores nothing'),
  source: z.string().optional().describe('The source of the conversations, for the format json'),
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
  summary: 'Store every conversation in an export of another program',
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

type How = Pick<ImportOptions, 'signal' | 'onConversation' | 'onStored' | 'from' | 'onSettled'> & {
  onBytes?: (done: number) => void;
};

/** Reports the number of conversations as soon as it is known. */
type CountedHow = How & { onTotal?: ((total: number) => Promise<void>) | undefined };

/** Stores the contents of an uploaded file, or the rest of it. Throws when the format is unknown. */
export async function importUpload(
  service: Service,
  call: Call,
  request: ImportInput,
  { onBytes, onTotal, ...how }: CountedHow,
): Promise<ImportReport> {
  const found = foundInUpload(await formatsOf(request), request, onBytes);
  return importConversations(service, call, onTotal === undefined ? found : readAhead(found, { onTotal }), {
    ...how,
    ...asked(service, request),
    // The same policy as for inserts, because a client's statement about a status is not trusted.
    policy: service.settings.insertPolicy,
  });
}

function foundInUpload(
  known: readonly Importer[],
  { file, source }: Pick<ImportInput, 'file' | 'source'>,
  onBytes?: (done: number) => void,
): AsyncGenerator<Found> {
  // The temporary file name is not shown.
  const sources = known.map((importer) => ({ importer, path: file.path, shown: 'The file' }));
  return foundAt(sources, { options: source === undefined ? {} : { source }, onBytes });
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

type Wanted = Pick<ImportInput, 'since' | 'dry_run' | 'project_id'>;

function asked({ settings }: Service, { since, dry_run, project_id }: Wanted) {
  return {
    since: since === undefined ? undefined : utcRange(since)?.first,
    projectId: project_id,
    dryRun: dry_run || settings.dryRun,
  };
}

const localInput = importInput.omit({ format: true, file: true }).extend({
  sources: z
    .array(
      z.strictObject({
        format: z.enum(importers.map(({ name }) => name) as [string, ...string[]]),
        path: z.string().refine((path) => path === '-' || isAbsolute(path), 'must be absolute'),
        shown: z.string(),
      }),
    )
    .min(1),
  fields: z.record(z.string(), z.string()).optional(),
});

export type LocalInput = z.infer<typeof localInput>;

/**
 * Stores the conversations in files on this machine, for the user who runs a command here. Running a command is
 * deliberate, so all are accepted, whatever `memory.insert_policy` says.
 */
export function importInPlace(
  service: Service,
  call: Call,
  { sources, fields, source, ...wanted }: Omit<LocalInput, 'sources'> & Pick<LocalFiles, 'sources'>,
  { onBytes, ...how }: How,
): Promise<ImportReport> {
  const options = { ...(fields === undefined ? {} : { fields }), ...(source === undefined ? {} : { source }) };
  const found = foundAt(sourcesOf(sources), { options, suggests: true, onBytes });
  return importConversations(service, call, found, { ...how, ...asked(service, wanted) });
}

/** The sources with their importers. A format that this version does not know is left out. */
export function sourcesOf(sources: LocalFiles['sources']): ImportSource[] {
  return sources.flatMap(({ format, path, shown }) =>
    importers.filter(({ name }) => name === format).map((importer) => ({ importer, path, shown })),
  );
}

/** A live session from a hook or `watch`: it is small, so there is no job to follow. */
export const importSession: Operation<LocalInput, ImportReport> = {
  name: 'import',
  summary: 'Store the new conversations and messages in files on this machine',
  input: localInput,
  output: importReport,
  async run(service, call, input) {
    await refuseUnreadable(input.sources);
    return importInPlace(service, call, input, {});
  },
};

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
  summary: 'Store an export in the background; returns the job',
  input: createInput,
  output: jobOutput,
  async run(service, call, { file, ...wanted }) {
    const jobs = jobsOf(service);
    await formatsOf({ format: wanted.format, file });
    const { filename, path, ending, digest, bytes } = file;
    const named = filename === undefined ? {} : { filename: filename.slice(0, longestName) };
    const from = { kind: 'upload', path, ending } as const;
    const job = await jobs.create(call.principal, { ...wanted, ...named, digest, bytes, from });
    return shown(job, call.principal);
  },
};

const longestName = 255;

/** Not offered over HTTP or MCP: only the owner of the data folder may name files of this machine. */
export const createLocalImport: Operation<LocalInput, JobOutput> = {
  name: 'imports_create',
  summary: 'Store the conversations in files on this machine, in the background; returns the job',
  input: localInput,
  output: jobOutput,
  async run(service, call, { sources, fields, ...wanted }) {
    const jobs = jobsOf(service);
    await refuseUnreadable(sources);
    const { bytes, digest } = await surveyed(sourcesOf(sources));
    const [format = 'auto', ...others] = new Set(sources.map((source) => source.format));
    const filename = sources.map(({ shown: path }) => basename(path)).join(', ');
    const job = await jobs.create(call.principal, {
      ...wanted,
      format: others.length === 0 ? format : 'auto',
      filename: filename.slice(0, longestName),
      bytes,
      digest,
      from: { kind: 'local', files: { sources, ...(fields === undefined ? {} : { fields }) } },
    });
    return shown(job, call.principal);
  },
};

/** The server may run as another user, or have access to other folders than the user of the command. */
async function refuseUnreadable(sources: LocalInput['sources']): Promise<void> {
  for (const { path, shown: named } of sources) {
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw new MemoryError('not_found', `${named} cannot be read`, { cause });
    });
  }
}

const listOutput = z.object({ status: z.literal('ok'), results: z.array(importJob) });

export const listImports: Operation<Record<string, never>, z.infer<typeof listOutput>> = {
  name: 'imports_list',
  summary: 'Your imports, newest first',
  input: z.strictObject({}),
  output: listOutput,
  async run(service, { principal }) {
    const jobs = await jobsOf(service).list(principal);
    return { status: 'ok', results: jobs.map((job) => shownJob(job, principal)) };
  },
};

const idInput = z.strictObject({
  import_id: uuid.describe('The id of the job'),
});

export const getImport: Operation<z.infer<typeof idInput>, JobOutput> = {
  name: 'imports_get',
  summary: 'One of your imports: its state and its report so far',
  input: idInput,
  output: jobOutput,
  run: async (service, { principal }, { import_id }) =>
    shown(await jobsOf(service).get(principal, import_id), principal),
};

export const cancelImport: Operation<z.infer<typeof idInput>, JobOutput> = {
  name: 'imports_cancel',
  summary: 'Cancel one of your imports; conversations it has stored stay',
  input: idInput,
  output: jobOutput,
  run: async (service, { principal }, { import_id }) =>
    shown(await jobsOf(service).cancel(principal, import_id), principal),
};

function shown(job: StoredJob, principal: Principal): JobOutput {
  return { status: 'ok', job: shownJob(job, principal) };
}

function jobsOf({ imports }: Service): ImportJobs {
  if (imports !== undefined) return imports;
  throw new MemoryError('metadata_unavailable', 'Imports in the background need a running server');
}
