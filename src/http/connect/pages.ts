import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { OAuthError } from '../../auth/oauth/authorization.js';
import type { ConnectService, OAuthService } from '../../auth/oauth/service.js';
import { isFormOf, type WebSession } from '../../auth/sign-in.js';
import { errorFaces, isOurFault, MemoryError } from '../../model/errors.js';
import type { RouteContext } from '../admission.js';
import { readForm } from '../oauth.js';
import { applyTheme, brand, colours } from '../static-pages.js';

/** Shared dependencies of the pages for people. */
export interface PageParts {
  oauth: OAuthService;
  connect: ConnectService;
}

export function sendPage(context: RouteContext, markup: string, formTarget?: string): Response {
  return context.html(markup, 200, pageHeaders(formTarget));
}

/** Turns errors into a page for people instead of JSON. */
export function forPeople(
  handle: (context: RouteContext) => Promise<Response>,
): (context: RouteContext) => Promise<Response> {
  return async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      if (error instanceof OAuthError) {
        const page = messagePage('This cannot continue', error.message);
        if (error.code !== 'temporarily_unavailable') return context.html(page, 400, pageHeaders());
        context.set('failure', error);
        return context.html(page, 503, { ...pageHeaders(), 'retry-after': '10' });
      }
      if (isOurFault(error)) context.set('failure', error);
      const known = error instanceof MemoryError ? error : unforeseen;
      const status = errorFaces[known.code].http as ContentfulStatusCode;
      return context.html(messagePage('This did not work', known.message), status, pageHeaders());
    }
  };
}

const unforeseen = new MemoryError('internal_error', 'Something went wrong on our side; try again later');

export async function sessionOf(context: RouteContext, { connect }: PageParts): Promise<WebSession | undefined> {
  return connect.sessions.find(readCookie(context, 'threadkeep_session'));
}

/** Validates a form: submitted from our own page by the signed-in user; anything else is rejected. */
export async function signedForm(
  context: RouteContext,
  parts: PageParts,
): Promise<{ session: WebSession; form: URLSearchParams }> {
  const origin = context.req.header('origin');
  const own = new URL(parts.oauth.baseOf(context.req.header('host'))).origin;
  if (origin !== undefined && origin !== own) throw refused();
  const session = await sessionOf(context, parts);
  const form = await readForm(context);
  if (session === undefined) throw new MemoryError('unauthenticated', 'You are not signed in: sign in again');
  if (!isFormOf(session, form.get('csrf'))) throw refused();
  return { session, form };
}

function refused(): MemoryError {
  return new MemoryError('permission_denied', 'This form was not sent from one of our pages: go back and try again');
}

type Name = 'threadkeep_session' | 'threadkeep_sign_in';

/** `__Host-` cookies: https only, bound to this host, and not settable by another host. Scripts cannot read them. */
export function readCookie(context: RouteContext, name: Name): string | undefined {
  return getCookie(context, name, 'host');
}

export function writeCookie(context: RouteContext, name: Name, value: string, seconds: number): void {
  setCookie(context, name, value, {
    prefix: 'host',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: seconds,
  });
}

export function clearCookie(context: RouteContext, name: Name): void {
  deleteCookie(context, name, { prefix: 'host', path: '/', secure: true });
}

/**
 * The layout of every page for people. Style and script are separate files, so that the policy can forbid everything
 * inline.
 */
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
${{ markup: brand('/connect') }}
</header>
<main>
${content}
</main>
</body>
</html>
`.markup;
}

/** A page with an error message and a link back. */
function messagePage(title: string, message: string): string {
  const content = html`<section class="card narrow">
<h1>${title}</h1>
<p>${message}</p>
<p><a class="button quiet" href="/connect">Go to the connect page</a></p>
</section>`;
  return layout(title, content);
}

/** No third-party or inline content and no framing; forms go to us, or to the application after consent. */
function pageHeaders(formTarget?: string): Record<string, string> {
  const forms = formTarget === undefined ? "'self'" : `'self' ${formTarget}`;
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Our own forms must send their origin; other sites receive no referrer.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** Markup that is safe to send: every value in it is escaped unless it is markup itself. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[] | undefined | false;

/** Builds markup. Values are escaped here and nowhere else, so that no page can forget it. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: parts.reduce((text, part, at) => text + markupOf(values[at - 1]) + part) };
}

function markupOf(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** The style of the pages: one column, light or dark according to the system. */
export const style = `${colours}
:root { --code: var(--tint); }
main { max-width: 46rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; display: grid; gap: 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; letter-spacing: -.02em; margin: .8rem 0 .3rem; text-wrap: balance; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: .35rem 0; } .lead { color: var(--soft); margin: 0 0 .4rem; max-width: 38rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.2rem 1.25rem; min-width: 0; }
.card > :last-child { margin-bottom: 0; } .narrow { width: 100%; max-width: 32rem; margin: 5vh auto 0; } .card h1 { margin-top: 0; font-size: 1.4rem; }
.note { color: var(--soft); font-size: .92rem; }
code, pre { font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.copyable { display: flex; gap: .5rem; align-items: stretch; margin: .5rem 0; }
.copyable > pre, .copyable > code { flex: 1; min-width: 0; margin: 0; background: var(--code); border: 1px solid var(--line); border-radius: 9px; padding: .6rem .75rem; overflow-x: auto; white-space: pre; }
.copyable > code { white-space: normal; overflow-wrap: anywhere; }
.button, button { font: inherit; font-weight: 550; display: inline-flex; align-items: center; justify-content: center; min-height: 2.6rem; padding: 0 1.1rem; border-radius: 9px; border: 1px solid transparent; background: var(--accent); color: var(--accent-ink); text-decoration: none; cursor: pointer; }
.button:hover, button:hover { filter: brightness(1.08); }
.quiet { background: transparent; color: var(--ink); border-color: var(--line); }
.quiet:hover { background: var(--tint); filter: none; }
.danger { background: transparent; color: var(--warn); border-color: var(--line); min-height: 2.2rem; padding: 0 .8rem; font-size: .92rem; }
.copy { min-height: 0; padding: 0 .9rem; flex: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 9px; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
.between { justify-content: space-between; } .ways { margin-top: .7rem; }
.off { display: inline-flex; align-items: center; min-height: 2.6rem; padding: 0 1.1rem; border-radius: 9px; border: 1px dashed var(--line); color: var(--soft); }
.fresh { background: var(--tint); border-color: var(--accent); }
.list { list-style: none; margin: .4rem 0 0; padding: 0; }
.list li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between; padding: .7rem 0; border-top: 1px solid var(--line); }
.list li:first-child { border-top: 0; } .list strong { font-weight: 600; } .list .about { min-width: 0; flex: 1 1 16rem; }
.list .note { overflow-wrap: anywhere; }
form.create { display: grid; gap: .8rem; margin-top: .6rem; padding-top: 1rem; border-top: 1px solid var(--line); }
label.field { display: grid; gap: .25rem; font-weight: 550; font-size: .95rem; }
input[type=text], select { font: inherit; font-weight: 400; color: inherit; background: var(--code); border: 1px solid var(--line); border-radius: 9px; padding: .5rem .7rem; min-height: 2.6rem; width: 100%; }
.pair { display: grid; gap: .8rem; grid-template-columns: 1fr 12rem; }
fieldset { border: 0; margin: 0; padding: 0; display: grid; gap: .35rem; } legend { font-weight: 550; font-size: .95rem; padding: 0; margin-bottom: .25rem; }
.check { display: flex; gap: .55rem; align-items: baseline; } .check input { accent-color: var(--accent); inline-size: 1.05rem; block-size: 1.05rem; translate: 0 .15rem; flex: none; }
details { border-top: 1px solid var(--line); } details:first-of-type { border-top: 0; }
summary { cursor: pointer; padding: .65rem 0; font-weight: 550; } details > :last-child { margin-bottom: .9rem; }
@media (max-width: 34rem) {
  .pair { grid-template-columns: 1fr; } h1 { font-size: 1.45rem; } .card { padding: 1rem; border-radius: 12px; }
  .copyable { flex-direction: column; } .copy { min-height: 2.6rem; } .wide { width: 100%; }
}
`;

/** Adds the copy buttons; everything else works without it. */
export const script = `${applyTheme}
for (const place of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + place.dataset.copy);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(place.textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  place.after(button);
}
`;
