import type { Env, Hono } from 'hono';

/** One file of the built console, held in memory: there are few and they are small. */
export interface ConsoleFile {
  path: string;
  type: string;
  content: Uint8Array<ArrayBuffer>;
}

/** Nothing but our own files: no inline script, no style attribute, no request to anywhere else, no frame around it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The console at `/`. Its assets carry a digest in their names, so a browser may keep them; the page itself it asks for. */
export function addConsole<E extends Env>(app: Hono<E>, files: readonly ConsoleFile[]): void {
  for (const { path, type, content } of files) {
    const isPage = path === '/index.html';
    app.get(isPage ? '/' : path, (context) =>
      context.body(content, 200, {
        'content-type': type,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      }),
    );
  }
}
