import { reindex } from '../../src/indexing/reindex.js';
import { aNote, turns } from '../support/conversation.js';
import type { Answer, TestService } from '../support/service.js';

/** What was stored while all was well, for the operations to work on. */
export interface Prepared {
  kept: string;
  forApproval: string;
  forRejection: string;
  forForgetting: string;
}

const wanted = { save_intent: 'explicit_user_request' };
const thread = { ...wanted, upstream_thread_id: 'the-thread' };
export const threadTexts = ['The kettle whistles.', 'Then the tea is ready.', 'Who drinks it?', 'The gardener does.'];

export async function prepare(service: TestService): Promise<Prepared> {
  const insert = async (text: string, metadata: object = wanted): Promise<string> =>
    (await service.insert(aNote(text, { metadata: { ...metadata } }))).id;
  const prepared = {
    kept: await insert('The lighthouse keeper paints seagulls in oil.'),
    forApproval: await insert('The baker sells rye bread on Mondays.', {}),
    forRejection: await insert('The postman lost a yellow parcel.', {}),
    forForgetting: await insert('The dentist moved to another street.'),
  };
  await service.insert(capture(2));
  await service.service.vectors.settled();
  return prepared;
}

function capture(length: number) {
  return { source: 'chatgpt', messages: turns(...threadTexts.slice(0, length)), metadata: thread };
}

/** A word for how it went: `ok`, `pending`, `keywords`, `failed`, or the code of an error that was declared. */
export type Went = string;

export interface Step {
  went: Went;
  /** The memory that was acknowledged. */
  id?: string;
  retryAfter?: string | null;
}

/** Every operation that touches a store, as a client would ask for it. */
export const operations = {
  async insert(service: TestService): Promise<Step> {
    return stepOf(
      await service.request('/memory/insert', aNote('The plumber fixed the blue pipe.', { metadata: wanted })),
    );
  },
  append: async (service: TestService): Promise<Step> => stepOf(await service.request('/memory/insert', capture(4))),
  search: async (service: TestService): Promise<Step> =>
    stepOf(await service.request('/memory/search', { query: 'lighthouse seagulls' })),
  retrieve: async (service: TestService, { kept }: Prepared): Promise<Step> =>
    stepOf(await service.request('/memory/retrieve', { id: kept })),
  ask: async (service: TestService): Promise<Step> =>
    stepOf(await service.request('/memory/ask', { question: 'What does the lighthouse keeper paint?' })),
  approve: async (service: TestService, { forApproval: id }: Prepared): Promise<Step> =>
    stepOf(await service.request('/memory/pending/approve', { id })),
  reject: async (service: TestService, { forRejection: id }: Prepared): Promise<Step> =>
    stepOf(await service.request('/memory/pending/reject', { id })),
  forget: async (service: TestService, { forForgetting: id }: Prepared): Promise<Step> =>
    stepOf(await service.request('/memory/forget', { ids: [id], dry_run: false })),
  export: async (service: TestService): Promise<Step> => stepOf(await service.send('/memory/export')),
  async import(service: TestService): Promise<Step> {
    const conversation = { ...aNote('The tailor hems a green coat.'), timestamp: '2026-01-02T00:00:00Z' };
    const lines = [
      { type: 'threadkeep-export', version: 1 },
      { type: 'conversation', conversation },
    ];
    const body = lines.map((line) => JSON.stringify(line)).join('\n');
    const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body };
    return stepOf(await service.send('/memory/import?format=threadkeep', init));
  },
  async reindex({ service }: TestService): Promise<Step> {
    try {
      const { status } = await reindex(service, { includeInactive: false });
      return { went: status === 'ok' ? 'ok' : 'failed' };
    } catch (error) {
      return { went: String((error as { code?: unknown }).code) };
    }
  },
} as const;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as OperationName[];

function stepOf({ status, body, headers }: Answer): Step {
  if (status !== 200) return { went: String(body.error_code), retryAfter: headers.get('retry-after') };
  const diagnostics = body.diagnostics as { retrieval?: string } | undefined;
  const went = String(diagnostics?.retrieval ?? body.indexing ?? 'ok');
  return typeof body.id === 'string' ? { went, id: body.id } : { went };
}
