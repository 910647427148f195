import { MemoryError } from '../model/errors.js';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(host: string): boolean {
  return host === '::1' || loopback.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Protects a server that trusts its own machine from web pages: another site can reach 127.0.0.1 through the visitor's
 * browser, either directly (its Origin) or by DNS rebinding (its own name in Host).
 */
export function checkOrigin(headers: Headers, allowedOrigins: ReadonlySet<string>, ownOrigin?: string): void {
  const host = headers.get('host');
  const isOwn = ownOrigin !== undefined && new URL(ownOrigin).host === host;
  if (host !== null && !isOwn && !isLoopback(hostName(`http://${host}`))) throw foreign('Host');
  const origin = headers.get('origin');
  if (origin === null || origin === ownOrigin || allowedOrigins.has(origin)) return;
  if (!isLoopback(hostName(origin))) throw foreign('Origin');
}

/** The browser companion's origin, from the key in companion/manifest.json. No web page can send this origin. */
export const companionOrigin = 'chrome-extension://bgofnidhhpgcjhggablcckfdjkbjnogl';

/** The companion's only permission: saving a conversation. Like any extension, it cannot read. */
export function isCompanionSaving({
  method,
  path,
  headers,
}: {
  method: string;
  path: string;
  headers: Headers;
}): boolean {
  const saves = method === 'POST' && (path === '/memory/insert' || path === '/memory/insert/');
  return saves && headers.get('origin') === companionOrigin;
}

/** Content types that a page may post across origins without a preflight. */
const unasked = new Set(['', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']);

/**
 * A page on another port of this machine is another origin: its JSON requests need a preflight, which is denied.
 * Requests without a preflight are rejected here.
 */
export function refuseUnaskedPost(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  allowedOrigins: ReadonlySet<string>,
  ownOrigin?: string,
): void {
  const origin = headers.get('origin');
  if (method === 'GET' || method === 'HEAD' || origin === null) return;
  if (origin === ownOrigin || allowedOrigins.has(origin) || isSameHost(origin, headers.get('host'))) return;
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (unasked.has(type)) throw foreign('Origin');
}

function isSameHost(origin: string, host: string | null): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/**
 * Rejects cross-site requests that carry no Origin: an image, a script, a followed link. Pages that could read the
 * answer send an Origin, which is checked; our own console is same-origin.
 */
export function refuseCrossSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site');
  if (headers.get('origin') !== null || (site !== 'cross-site' && site !== 'same-site')) return;
  throw new MemoryError('permission_denied', 'Requests from another site are rejected; open the address directly');
}

function hostName(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? hostname : '';
}

/** The setting that allows such a request. A public host name is accepted only with authentication. */
const remedies = { Host: 'api.public_base_url, which needs api.auth', Origin: 'api.cors_allow_origins' };

function foreign(header: keyof typeof remedies): MemoryError {
  return new MemoryError(
    'permission_denied',
    `Requests with a foreign ${header} are rejected; see ${remedies[header]}`,
  );
}
