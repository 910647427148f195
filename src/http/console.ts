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

/** A file as an answer. Assets carry a digest in their names, so a browser may keep them; the page itself it asks for. */
export function consoleAnswer({ path, type, content }: ConsoleFile): Response {
  return new Response(content, {
    headers: {
      'content-type': type,
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
}
