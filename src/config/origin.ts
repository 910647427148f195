import { z } from 'zod';
import type { Format } from './formats.js';

/**
 * An origin as a browser sends it in the Origin header. Exact ones only: a pattern would let in whoever can register
 * a matching name.
 */
export const origin: Format<string> = {
  schema: z.string().transform((value, context) => {
    const exact = exactOrigin(value.trim());
    if (exact !== undefined) return exact;
    context.issues.push({ code: 'custom', input: value, message: 'not an exact origin' });
    return z.NEVER;
  }),
  kind: 'text',
  allowed:
    'an exact origin such as http://127.0.0.1:5173 or chrome-extension://<id> (http, https, chrome-extension or moz-extension; no path, no *)',
};

function exactOrigin(value: string): string | undefined {
  if (value.includes('*')) return undefined;
  const extension = /^(?:chrome|moz)-extension:\/\/[a-z0-9-]+(?=\/?$)/i.exec(value);
  if (extension !== null) return extension[0].toLowerCase();
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value) || !URL.canParse(value)) return undefined;
  return new URL(value).origin;
}
