import { type Html, html } from './html.js';

/** The frame of every page a person sees. Style and script are files of ours, so that the policy can forbid all else. */
export function layout(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Threadkeep</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/connect/style.css">
<script src="/connect/script.js" defer></script>
</head>
<body>
<header class="top">
<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M6 9c6 0 6 14 12 14s6-7 8-7M6 23c6 0 6-14 12-14s6 7 8 7" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/></svg>
<a class="name" href="/connect">Threadkeep</a>
</header>
<main>
${content}
</main>
</body>
</html>
`.markup;
}

/** A sentence about what went wrong, and the way back. */
export function messagePage(title: string, message: string): string {
  const content = html`<section class="card narrow">
<h1>${title}</h1>
<p>${message}</p>
<p><a class="button quiet" href="/connect">Go to the connect page</a></p>
</section>`;
  return layout(title, content);
}

/** Nothing from elsewhere, nothing inline, no frame; a form goes to us, or where a consent sends it on to. */
export function pageHeaders(formTarget?: string): Record<string, string> {
  const forms = formTarget === undefined ? "'self'" : `'self' ${formTarget}`;
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Our own forms must say where they come from; others learn nothing of our addresses.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
