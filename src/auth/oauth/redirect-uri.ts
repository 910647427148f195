import { OAuthError } from './error.js';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** RFC 8252, 7.1: a scheme of an application's own is a domain name backwards, so that two do not take the same. */
const privateUse = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;
/** Common clients that use a short scheme. */
const knownSchemes = new Set(['cursor:', 'vscode:', 'vscode-insiders:']);
/** Characters a host may contain: it is repeated in a header, where a semicolon would start another directive. */
const plainHost = /^[a-z0-9.-]*$|^\[[0-9a-f:.]+\]$/i;
const longest = 2_000;

/** An address that an application may be sent back to: https, http on this machine, or a private-use scheme. */
export function checkedRedirectUri(text: string): string {
  const fits = text.length <= longest && URL.canParse(text) && !/[\s\\#]/.test(text) && !text.includes('*');
  const url = fits ? new URL(text) : undefined;
  const safe =
    url !== undefined &&
    url.username === '' &&
    url.password === '' &&
    plainHost.test(url.hostname) &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && loopbackHosts.has(url.hostname)) ||
      knownSchemes.has(url.protocol) ||
      privateUse.test(url.protocol));
  if (safe) return text;
  throw new OAuthError(
    'invalid_redirect_uri',
    'A redirect_uri must be https, http on localhost, or a private-use scheme with a dot such as com.example.app, without user, fragment or wildcard',
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
