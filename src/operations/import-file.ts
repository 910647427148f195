import { z } from 'zod';
import type { Found, Importer } from '../importers/contract.js';
import { filesAt, foundIn } from '../importers/reading/files.js';
import { formatsAt, importers } from '../importers/table.js';
import { invalidInput } from '../model/errors.js';
import { noted } from '../model/schema-note.js';
import { utcRange } from '../model/time.js';
import { anyCase, date, projectId } from './fields.js';
import { type ImportOptions, importConversations } from './import-conversations.js';
import { type ImportReport, importReport } from './imports/job.js';
import type { Call, Operation } from './operation.js';
import type { Service } from './service.js';

/** What a form or an address may say. */
const yesOrNo = ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off', 'y', 'n', 'enabled', 'disabled'];

/** `auto` finds out by the content. */
const formats = ['auto', ...importers.map(({ name }) => name)] as [string, ...string[]];

export const importInput = z.strictObject({
  format: z.enum(formats).describe('Which program the export is from; auto recognises it by its content'),
  since: date.optional().describe('Only conversations from this time on'),
  dry_run: noted(z.stringbool(), { pattern: `^(?:${yesOrNo.map(anyCase).join('|')})$` })
    .or(z.boolean())
    .default(false)
    .describe('true counts and stores nothing'),
  source: z.string().optional().describe('Where they took place, for the format json'),
  project_id: projectId.optional(),
  /** Where the door put what was sent; not the caller's to say. */
  file: z.custom<UploadedFile>(),
});

export interface UploadedFile {
  path: string;
  onProgress?: (progress: { read: number }) => void;
  signal?: AbortSignal;
}

export type ImportInput = z.infer<typeof importInput>;

/** An export that was sent to the service: a file that lies on disk while it is read. */
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

/** Stores what an uploaded file holds, or what is left of it. Throws where its format is not known. */
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
    // As an insert of each: what a client says about a line's status is only its word.
    policy: service.settings.insertPolicy,
  });
}

/** The formats of a file, at least one. */
export async function formatsOf({ format, file }: Pick<ImportInput, 'format' | 'file'>): Promise<readonly Importer[]> {
  const known = await recognised({ format, file });
  if (known.length === 0) throw invalidInput('format', `was not recognised; say which: ${formats.join(', ')}`);
  return known;
}

async function recognised({ format, file }: Pick<ImportInput, 'format' | 'file'>): Promise<readonly Importer[]> {
  return format === 'auto' ? formatsAt(file.path, 'The file') : importers.filter(({ name }) => name === format);
}

async function* conversationsIn(known: readonly Importer[], request: ImportInput): AsyncGenerator<Found> {
  const options = request.source === undefined ? {} : { source: request.source };
  for (const importer of known) {
    // Its name on our disk is nobody's business.
    for await (const file of filesAt(request.file.path, importer, 'The file')) {
      const shown = { ...file, path: file.path.replace(/^threadkeep-upload-[0-9a-f-]{36}/, 'upload') };
      yield* foundIn(importer, shown, options);
    }
  }
}
