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
