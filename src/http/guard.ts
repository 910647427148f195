import { MemoryError } from '../model/errors.js';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(host: string): boolean {
  return host === '::1' || loopback.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Keeps web pages out of a server that trusts its machine: a page of another site reaches 127.0.0.1 through the
 * visitor's browser, either openly (its Origin) or by DNS rebinding (its own name in Host).
 */
export function checkOrigin(headers: Headers, allowedOrigins: ReadonlySet<string>, ownOrigin?: string): void {
  const host = headers.get('host');
  const isOwn = ownOrigin !== undefined && new URL(ownOrigin).host === host;
  if (host !== null && !isOwn && !isLoopback(hostName(`http://${host}`))) throw foreign('Host');
  const origin = headers.get('origin');
  if (origin === null || origin === ownOrigin || allowedOrigins.has(origin)) return;
  if (!isLoopback(hostName(origin))) throw foreign('Origin');
}

/** The browser companion, by the id that the key in companion/manifest.json gives it. No page can send this origin. */
export const companionOrigin = 'chrome-extension://bgofnidhhpgcjhggablcckfdjkbjnogl';

/** The one thing that the companion does: saving a conversation. Reading stays closed to it, as to any extension. */
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

/** Types that a page of another origin may post without asking first. */
const unasked = new Set(['', 'text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded']);

/**
 * A page on another port of this machine is another origin: its browser asks before it sends JSON, and is told no. What
 * it sends without asking is refused here.
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
 * What another site has a browser fetch without saying where from: an image, a script, a link that is followed. Pages
 * that may read say their Origin, which is checked; our own console is the same origin.
 */
export function refuseCrossSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site');
  if (headers.get('origin') !== null || (site !== 'cross-site' && site !== 'same-site')) return;
  throw new MemoryError('permission_denied', 'Requests from another site are refused; open the address itself');
}

function hostName(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? hostname : '';
}

/** What lets such a request in. A public name counts only where callers prove who they are. */
const remedies = { Host: 'api.public_base_url, which needs api.auth', Origin: 'api.cors_allow_origins' };

function foreign(header: keyof typeof remedies): MemoryError {
  return new MemoryError('permission_denied', `Requests with a foreign ${header} are refused; see ${remedies[header]}`);
}
