import { createHash } from 'node:crypto';

/**
 * The API description as one self-contained page, generated once. It lists every call with its fields and lets the
 * reader try one.
 */
export function docsPage(description: Record<string, unknown>): string {
  const data = JSON.stringify(description).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Threadkeep API</title>
<style>${style}</style>
</head>
<body>
<header><h1>Threadkeep</h1><p>A local-first memory for AI conversations. <a href="/openapi.json">openapi.json</a></p></header>
<main id="calls"></main>
<script type="application/json" id="description">${data}</script>
<script>${script}</script>
</body>
</html>`;
}

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2a6f5b; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1.5rem; }
header h1 { margin: 0; } header p { margin: .2rem 0 1.5rem; opacity: .8; }
details { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; }
summary { cursor: pointer; padding: .6rem .9rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary b { color: #fff; background: var(--accent); border-radius: 4px; padding: 0 .5rem; font-size: .8rem; }
summary code { font-weight: 600; } summary span { opacity: .75; }
.body { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } td, th { text-align: left; padding: .3rem .6rem .3rem 0; vertical-align: top; }
tr + tr td { border-top: 1px solid var(--soft); } .required { color: #b3491e; }
textarea { width: 100%; box-sizing: border-box; min-height: 7rem; font: .9rem ui-monospace, monospace; padding: .5rem; border-radius: 6px; border: 1px solid var(--line); background: transparent; color: inherit; }
button { background: var(--accent); color: #fff; border: 0; border-radius: 6px; padding: .4rem 1rem; font: inherit; cursor: pointer; margin: .5rem 0; }
pre { background: var(--soft); padding: .7rem; border-radius: 6px; overflow: auto; max-height: 24rem; font-size: .85rem; }
`;

// Runs in the browser. Text is inserted only through textContent, so that no answer can become markup.
const script = `
const description = JSON.parse(document.getElementById('description').textContent);
const examples = {
  insert: { source: 'chatgpt', title: 'Weekend plans', messages: [{ role: 'user', text: 'My sister Nora arrives on Friday.' }, { role: 'assistant', text: 'I will remember that.' }] },
  search: { query: 'When does Nora arrive?', top_k: 3 },
};
const make = (name, text, parent) => { const element = document.createElement(name); if (text) element.textContent = text; parent?.append(element); return element; };
const typeOf = (field) => field.enum ? field.enum.join(' | ') : field.const ?? (field.type === 'array' ? (field.items?.type ?? 'object') + '[]' : field.type ?? 'any');
for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, call] of Object.entries(methods)) {
    const details = make('details', '', document.getElementById('calls'));
    const summary = make('summary', '', details);
    make('b', method.toUpperCase(), summary); make('code', path, summary); make('span', call.summary, summary);
    const body = make('div', '', details); body.className = 'body';
    const shapes = call.requestBody?.content['application/json']?.schema;
    const schema = shapes?.anyOf?.[0] ?? shapes;
    if (schema?.properties) {
      const table = make('table', '', body);
      for (const [name, field] of Object.entries(schema.properties)) {
        const row = make('tr', '', table);
        make('code', name, make('td', '', row));
        const kind = make('td', typeOf(field) + (field.default === undefined ? '' : ' = ' + JSON.stringify(field.default)), row);
        if (schema.required?.includes(name) && field.default === undefined) { const mark = make('span', ' required', kind); mark.className = 'required'; }
        make('td', field.description ?? '', row);
      }
    }
    const input = method === 'post' ? make('textarea', '', body) : undefined;
    if (input) { input.value = JSON.stringify(examples[call.operationId] ?? { id: '' }, null, 2); input.setAttribute('aria-label', 'Request body of ' + path); }
    const button = make('button', 'Try it', body);
    const output = make('pre', '', body); output.hidden = true;
    button.onclick = async () => {
      output.hidden = false; output.textContent = '…';
      try {
        const answer = await fetch(path, input ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: input.value } : {});
        const text = await answer.text();
        let shown = text; try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
        output.textContent = answer.status + ' ' + answer.statusText + '\\n' + shown.slice(0, 20000);
      } catch (error) { output.textContent = String(error); }
    };
  }
}
`;

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Allows the page's one script and one style by their digests, and requests to this service only. */
export const docsHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${digestOf(script)}`,
    `style-src ${digestOf(style)}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

/** One file of the built console, held in memory: the files are few and small. */
export interface ConsoleFile {
  path: string;
  type: string;
  content: Uint8Array<ArrayBuffer>;
}

/** Only our own files: no inline script, no style attribute, no third-party request, no framing. */
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

/**
 * A file as a response. Assets have a digest in their names, so browsers may cache them; the page itself is
 * revalidated.
 */
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
