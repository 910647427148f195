import { OAuthError } from './error.js';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that a browser would run or open instead of handing the address to an application. */
const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'about:',
  'vbscript:',
  'ws:',
  'wss:',
  'ftp:',
]);
const longest = 2_000;

/** An address that an application may be sent back to: https, http on this machine, or a scheme of its own. */
export function checkedRedirectUri(text: string): string {
  const fits = text.length <= longest && URL.canParse(text) && !/[\s\\#]/.test(text) && !text.includes('*');
  const url = fits ? new URL(text) : undefined;
  const safe =
    url !== undefined &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && loopbackHosts.has(url.hostname)) ||
      (!['http:', 'https:'].includes(url.protocol) && !refusedSchemes.has(url.protocol)));
  if (safe) return text;
  throw new OAuthError(
    'invalid_redirect_uri',
    'A redirect_uri must be https, http on localhost, or a scheme of the application, without user, fragment or wildcard',
  );
}

/**
 * Character by character the same as a registered one. The one exception is RFC 8252, 7.3: an application on this machine
 * that registered a loopback address without a port listens on whichever was free.
 */
export function matchesRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.some((known) => isSameBarPort(uri, known));
}

function isSameBarPort(uri: string, known: string): boolean {
  if (!URL.canParse(uri) || !URL.canParse(known)) return false;
  const [asked, fixed] = [new URL(uri), new URL(known)];
  if (fixed.protocol !== 'http:' || fixed.port !== '' || !loopbackHosts.has(fixed.hostname)) return false;
  asked.port = '';
  return asked.href === fixed.href && asked.username === '';
}
