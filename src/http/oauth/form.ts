import { MemoryError } from '../../model/errors.js';
import { readBytes } from '../body.js';
import { inTime } from '../body-deadline.js';
import type { Request } from '../route.js';

const largestForm = 65_536;

/** The fields of a posted form. */
export async function readForm(context: Request): Promise<URLSearchParams> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new MemoryError('unsupported_media_type', 'Send a form: application/x-www-form-urlencoded');
  }
  return new URLSearchParams(new TextDecoder().decode(await inTime(context, readBytes(context.req.raw, largestForm))));
}
