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
    'an exact origin such as http://127.0.0.1:5173 or chrome-extension://<id> (http, https or the scheme of an extension; no path, no *)',
};

function exactOrigin(value: string): string | undefined {
  if (value.includes('*')) return undefined;
  const extension = /^([a-z][a-z0-9+.-]*-extension):\/\/([a-z0-9._-]+)\/?$/i.exec(value);
  if (extension !== null) return extensionOrigin(extension[1] ?? '', extension[2] ?? '');
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(value) || !URL.canParse(value)) return undefined;
  return new URL(value).origin;
}

/** Browsers send a scheme in small letters, and an id as they made it: Chrome and Firefox in small letters, Safari not. */
function extensionOrigin(scheme: string, id: string): string {
  const small = scheme.toLowerCase();
  return `${small}://${small === 'chrome-extension' || small === 'moz-extension' ? id.toLowerCase() : id}`;
}
