import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MemoryError } from '../model/errors.js';
import { currentRequestId } from '../observability/request-context.js';

/** The one shape of every tool's answer: six keys that are always there, then the tool's own. */
export interface Envelope {
  status: string;
  id: string | null;
  results: unknown[];
  cursor: string | null;
  error_code: string | null;
  error_message: string | null;
  [field: string]: unknown;
}

export const envelopeShape = {
  status: z.string().describe('ok, pending_review, or error'),
  id: z.string().nullable(),
  results: z.array(z.looseObject({})),
  cursor: z.string().nullable().describe('Pass it back to get the next page; null at the end'),
  error_code: z.string().nullable(),
  error_message: z.string().nullable().describe('What failed and what to do'),
};

const empty = { status: 'ok', id: null, results: [], cursor: null, error_code: null, error_message: null };

/** What an operation answered; its own `status`, `id`, `results` and `cursor` take their places. */
export function ok(answer: object): Envelope {
  return { ...empty, ...answer };
}

/** `fields` are the tool's own, such as `valid: false`. */
export function fail(error: unknown, fields: object = {}): Envelope {
  const known = error instanceof MemoryError ? error : unforeseen;
  const requestId = currentRequestId();
  return {
    ...empty,
    status: 'error',
    error_code: known.code,
    error_message: known.message,
    ...(known.issues === undefined ? {} : { issues: known.issues }),
    ...known.fields,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...fields,
  };
}

const unforeseen = new MemoryError('internal_error', 'Something went wrong on our side; the log has the details');

/** As structured content, and as one JSON text, which may say the same in fewer words, for clients that read only text. */
export function toolResult(envelope: Envelope, told: Envelope = envelope): CallToolResult {
  const failed = envelope.error_code !== null;
  return {
    content: [{ type: 'text', text: JSON.stringify(told) }],
    structuredContent: envelope,
    isError: failed,
  };
}
