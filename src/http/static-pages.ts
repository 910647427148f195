import { createHash } from 'node:crypto';

/** The colours of the console (console/src/styles/base.css): every page of ours has them, and follows its theme. */
export const colours = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf7, #16191b); --card: light-dark(#ffffff, #1e2326); --ink: light-dark(#1d2524, #e6e9e6);
  --soft: light-dark(#5a6664, #a3adab); --line: light-dark(#dfe3df, #353c3f); --tint: light-dark(#f1f4f0, #262c2f);
  --accent: light-dark(#22614f, #7cc5ad); --accent-ink: light-dark(#ffffff, #10201b); --warn: light-dark(#a1331a, #f0937c);
}
:root[data-theme=light] { color-scheme: light; } :root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
.top { display: flex; align-items: center; flex-wrap: wrap; gap: .5rem 1.2rem; padding: .8rem clamp(.9rem, 3vw, 2rem); border-bottom: 1px solid var(--line); }
.top a { color: var(--soft); text-decoration: none; } .top a:hover { color: var(--ink); }
.top .name { display: flex; align-items: center; gap: .5rem; font-weight: 700; color: var(--ink); } .mark { width: 24px; height: 24px; }
`;

/** The theme that was chosen in the console. Runs in the browser. */
export const applyTheme = `
const theme = localStorage.getItem('threadkeep.theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
`;

/** The logo with the name, which leads to `home`. */
export function brand(home: string): string {
  return `<a class="name" href="${home}"><svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#2a6f5b"/><path d="M8 10h16M8 16h11M8 22h6" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/><circle cx="23" cy="21" r="3" fill="#f2c14e"/></svg>Threadkeep</a>`;
}

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
<header class="top">${brand('/')}<a href="/">Console</a><a href="/openapi.json">openapi.json</a></header>
<main>
<h1>API</h1>
<p class="lead">Every call of this server, with its fields. Calls that are tried here change what is stored.</p>
<div id="calls"></div>
</main>
<script type="application/json" id="description">${data}</script>
<script>${script}</script>
</body>
</html>`;
}

const style = `${colours}
main { max-width: 60rem; margin: 0 auto; padding: 1.2rem clamp(.9rem, 3vw, 2rem) 4rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; } .lead { margin: .2rem 0 1rem; color: var(--soft); }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .6rem 0; }
summary { cursor: pointer; padding: .6rem .9rem; display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
summary b { color: var(--accent-ink); background: var(--accent); border-radius: 4px; padding: 0 .5rem; font-size: .8rem; }
summary code { font-weight: 600; } summary span { color: var(--soft); }
.body { padding: 0 .9rem .9rem; border-top: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; font-size: .92rem; } td, th { text-align: left; padding: .3rem .6rem .3rem 0; vertical-align: top; }
tr + tr td { border-top: 1px solid var(--line); } .required { color: var(--warn); }
textarea { width: 100%; box-sizing: border-box; min-height: 7rem; font: .9rem ui-monospace, monospace; padding: .5rem; border-radius: 6px; border: 1px solid var(--line); background: transparent; color: inherit; }
button { background: var(--accent); color: var(--accent-ink); border: 0; border-radius: 6px; padding: .4rem 1rem; font: inherit; cursor: pointer; margin: .5rem 0; }
pre { background: var(--tint); padding: .7rem; border-radius: 6px; overflow: auto; max-height: 24rem; font-size: .85rem; }
`;

// Runs in the browser. Text is inserted only through textContent, so that no answer can become markup.
const script = `${applyTheme}
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

/** What a person sees in the browser instead of an error in JSON. */
export function failurePage({
  status,
  message,
  requestId,
}: {
  status: number;
  message: string;
  requestId: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(status)} · Threadkeep</title>
<style>${failureStyle}</style>
</head>
<body>
<header class="top">${brand('/')}<a href="/">Console</a><a href="/docs">API</a></header>
<main>
<h1>${titleOf(status)}</h1>
<p>${escaped(message)}</p>
<p><a href="/">Open the console</a></p>
<p class="id">${status} · request ${escaped(requestId)}</p>
</main>
<script>${applyTheme}</script>
</body>
</html>`;
}

function titleOf(status: number): string {
  if (status === 404) return 'Page not found';
  if (status === 401) return 'This page needs a token';
  if (status === 403) return 'You may not see this page';
  return 'This did not work';
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const failureStyle = `${colours}
main { max-width: 34rem; margin: 12vh auto 0; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; } .id { color: var(--soft); font-size: .85rem; }
`;

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Allows a page's one script and one style by their digests. */
function headersFor(page: { script: string; style: string; connect: string }): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${digestOf(page.script)}`,
      `style-src ${digestOf(page.style)}`,
      `connect-src ${page.connect}`,
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
  };
}

/** Requests go to this service only. */
export const docsHeaders = headersFor({ script, style, connect: "'self'" });

export const failureHeaders: Record<string, string> = {
  ...headersFor({ script: applyTheme, style: failureStyle, connect: "'none'" }),
  'cache-control': 'no-store',
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
