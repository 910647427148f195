import {
  type AuthorizationRequest,
  answerUri,
  OAuthError,
  RedirectedError,
  readAuthorization,
} from '../../auth/oauth/authorization.js';
import type { ConnectService } from '../../auth/oauth/service.js';
import type { WebSession } from '../../auth/sign-in.js';
import { createToken, parseLifetime, revokeToken } from '../../auth/tokens.js';
import { memoryScopes, type Scope, scopeWords } from '../../model/access.js';
import { MemoryError } from '../../model/errors.js';
import type { TokenRow } from '../../records/account-rows.js';
import type { Route, RouteContext } from '../admission.js';
import { placeOf } from '../oauth.js';
import {
  clearCookie,
  forPeople,
  type Html,
  html,
  layout,
  type PageParts,
  readCookie,
  script,
  sendPage,
  sessionOf,
  signedForm,
  style,
  writeCookie,
} from './pages.js';

/** The page on which a user sees the address, signs in, and creates and revokes tokens. */
export function connectRoutes(parts: PageParts): Route[] {
  const { connect, oauth } = parts;
  const { administration } = connect;

  async function show(
    context: RouteContext,
    session: WebSession | undefined,
    fresh?: ConnectView['fresh'],
  ): Promise<Response> {
    const { resource } = placeOf(oauth, context);
    const tokens = session && (await administration.accounts.tokens(session.user.id));
    const alive = tokens?.filter(({ revoked_at }) => revoked_at === undefined) ?? [];
    const newestFirst = alive.sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
    const view: ConnectView = {
      url: resource,
      providers: connect.providers,
      snippets: connect.snippetsFor(resource),
      session: session && { session, tokens: newestFirst },
      fresh,
    };
    return sendPage(context, connectPage(view));
  }

  async function create(context: RouteContext): Promise<Response> {
    const { session, form } = await signedForm(context, parts);
    const lifetime = form.get('lifetime') ?? '';
    const { token, row } = await createToken(administration, {
      user: session.user.id,
      displayName: form.get('name') ?? undefined,
      scopes: form.getAll('scope').filter((scope) => (memoryScopes as readonly string[]).includes(scope)),
      lifetime: lifetime === '' ? undefined : parseLifetime(lifetime),
    });
    return show(context, session, { token, name: row.display_name ?? '' });
  }

  async function revoke(context: RouteContext): Promise<Response> {
    const { session, form } = await signedForm(context, parts);
    const token = await administration.accounts.token(form.get('token_id') ?? '');
    // Another user's token gives the same error as an unknown one.
    if (token?.user_id !== session.user.id) throw new MemoryError('not_found', 'You have no such token');
    await revokeToken(administration, token.id);
    return context.redirect('/connect', 303);
  }

  const asset = (type: string, text: string) => (context: RouteContext) =>
    context.body(text, 200, { 'content-type': type, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' });

  const page = forPeople(async (context) => show(context, await sessionOf(context, parts)));
  return [
    { method: 'GET', path: '/connect', access: 'public', handle: page },
    { method: 'GET', path: '/connect/style.css', access: 'public', handle: asset('text/css; charset=utf-8', style) },
    {
      method: 'GET',
      path: '/connect/script.js',
      access: 'public',
      handle: asset('text/javascript; charset=utf-8', script),
    },
    { method: 'POST', path: '/connect/tokens', access: 'public', handle: forPeople(create) },
    { method: 'POST', path: '/connect/tokens/revoke', access: 'public', handle: forPeople(revoke) },
  ];
}

interface ConnectView {
  url: string;
  providers: ConnectService['providers'];
  snippets: ReturnType<ConnectService['snippetsFor']>;
  session?: { session: WebSession; tokens: readonly TokenRow[] } | undefined;
  /** A new token, shown only this once. */
  fresh?: { token: string; name: string } | undefined;
}

function connectPage(view: ConnectView): string {
  const content = html`<div>
<h1>Connect your assistants to your memory</h1>
<p class="lead">Give this address to a client that speaks MCP. It will bring you back here to sign in and to say what it may do.</p>
</div>
${fresh(view)}
<section class="card" aria-labelledby="address">
<h2 id="address">Address</h2>
<div class="copyable"><code data-copy="the address">${view.url}</code></div>
<p class="note">The MCP resource of this server.</p>
</section>
${view.session === undefined ? signIn(view) : account(view.session, view.providers)}
${view.session && tokens(view.session)}
<section class="card" aria-labelledby="clients">
<h2 id="clients">Set up a client</h2>
${view.snippets.map(snippet)}
</section>`;
  return layout('Connect', content);
}

function fresh({ fresh: made }: ConnectView): Html | undefined {
  return (
    made &&
    html`<section class="card fresh" role="status" aria-labelledby="fresh">
<h2 id="fresh">Your new token${made.name === '' ? '' : `: ${made.name}`}</h2>
<div class="copyable"><code data-copy="the token">${made.token}</code></div>
<p>Copy it now. It is not stored and cannot be shown again. Clients send it as <code>Authorization: Bearer …</code></p>
</section>`
  );
}

/** The sign-in buttons, also shown to users redirected here by an application. */
function signInLinks(providers: ConnectService['providers'], returnTo = ''): Html {
  const usable = providers.filter(({ enabled }) => enabled);
  const query = returnTo === '' ? '' : `?return_to=${encodeURIComponent(returnTo)}`;
  const links = usable.map(
    ({ name, label }) => html`<a class="button wide" href="/auth/${name}${query}">Sign in with ${label}</a>`,
  );
  const others = providers.filter(({ enabled }) => !enabled);
  return html`<div class="row ways">${links}${others.map(({ label }) => html`<span class="off wide" aria-disabled="true">${label}: not available</span>`)}</div>
${usable.length === 0 && html`<p class="note">No sign-in provider is set up (<code>api.connect.providers</code>). Tokens made with <code>threadkeep admin token create</code> work.</p>`}`;
}

function signIn({ providers }: ConnectView): Html {
  return html`<section class="card" aria-labelledby="sign-in">
<h2 id="sign-in">Sign in</h2>
<p class="note">You are not signed in. Sign in to make a token by hand, or to see what is connected.</p>
${signInLinks(providers)}
</section>`;
}

function account({ session }: NonNullable<ConnectView['session']>, providers: ConnectView['providers']): Html {
  const { user, csrf } = session;
  const provider = providers.find(({ name }) => name === session.provider)?.label ?? session.provider;
  return html`<section class="card" aria-labelledby="account">
<div class="row between">
<div><h2 id="account">Signed in</h2><p class="note">As ${user.display_name ?? user.id}, through ${provider}</p></div>
<form method="post" action="/auth/logout"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet">Sign out</button></form>
</div>
</section>`;
}

function tokens({ session, tokens: rows }: NonNullable<ConnectView['session']>): Html {
  const { csrf } = session;
  const list = rows.map(
    (token) => html`<li>
<div class="about"><strong>${token.display_name ?? 'Without a name'}</strong>
<div class="note"><code>${token.prefix}…</code> · ${describe(token)}</div></div>
<form method="post" action="/connect/tokens/revoke">
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="token_id" value="${token.id}">
<button class="danger" aria-label="Revoke ${token.display_name ?? token.prefix}">Revoke</button>
</form></li>`,
  );
  return html`<section class="card" aria-labelledby="tokens">
<h2 id="tokens">Tokens and connected applications</h2>
${rows.length === 0 ? html`<p class="note">Nothing is connected yet.</p>` : html`<ul class="list">${list}</ul>`}
<form class="create" method="post" action="/connect/tokens">
<input type="hidden" name="csrf" value="${csrf}">
<div class="pair">
<label class="field">Name<input type="text" name="name" maxlength="100" required placeholder="laptop, browser extension …" autocomplete="off"></label>
<label class="field">Valid for<select name="lifetime"><option value="30d">30 days</option><option value="90d" selected>90 days</option><option value="365d">One year</option><option value="">No end</option></select></label>
</div>
<fieldset><legend>May</legend>
${memoryScopes.map(scopeBox)}
</fieldset>
<div><button class="wide">Create a token</button></div>
</form>
</section>`;
}

/** Unchecked by default for the manage scope, so that it is granted deliberately. */
function scopeBox(scope: Scope): Html {
  const checked = scope === 'memory:manage' ? '' : html` checked`;
  return html`<label class="check"><input type="checkbox" name="scope" value="${scope}"${checked}> ${scopeWords[scope].consent}</label>`;
}

function describe({ scopes, client_id, created_at, last_used_at, expires_at }: TokenRow): string {
  const may = scopes.map((scope) => scopeWords[scope].verb).join(', ');
  const used = last_used_at === undefined ? 'never used' : `used ${day(last_used_at)}`;
  const kind = client_id === undefined ? [] : ['application'];
  // An application refreshes its own token, so its expiry is not shown.
  const end = client_id === undefined && expires_at !== undefined ? [`ends ${day(expires_at)}`] : [];
  return [...kind, may, `made ${day(created_at)}`, used, ...end].join(' · ');
}

/** Uses non-breaking hyphens. */
function day(time: string): string {
  return time.slice(0, 10).replaceAll('-', '\u2011');
}

function snippet({ title, code, next }: ConnectView['snippets'][number]): Html {
  return html`<details><summary>${title}</summary>
<div class="copyable"><pre tabindex="0" data-copy="the setup of ${title}">${code}</pre></div>
<p class="note">${next}</p></details>`;
}

const signInSeconds = 600;
const sessionSeconds = 12 * 3_600;

/** The redirect to the identity provider and the callback. */
export function signInRoutes(parts: PageParts): Route[] {
  const { connect, oauth } = parts;

  async function begin(context: RouteContext): Promise<Response> {
    const returnTo = ownPlace(context.req.query('return_to'));
    const { base } = placeOf(oauth, context);
    const { location, cookie } = await connect.signIn.begin(context.req.param('provider') ?? '', { base, returnTo });
    writeCookie(context, 'threadkeep_sign_in', cookie, signInSeconds);
    return context.redirect(location, 303);
  }

  async function finish(context: RouteContext): Promise<Response> {
    const { base } = placeOf(oauth, context);
    const provider = context.req.param('provider') ?? '';
    const cookie = readCookie(context, 'threadkeep_sign_in');
    clearCookie(context, 'threadkeep_sign_in');
    const query = new URL(context.req.url).search;
    const { user, returnTo } = await connect.signIn.finish(provider, { base, query, cookie });
    const before = readCookie(context, 'threadkeep_session');
    writeCookie(context, 'threadkeep_session', await connect.sessions.start(user, provider, before), sessionSeconds);
    return context.redirect(returnTo, 303);
  }

  async function signOut(context: RouteContext): Promise<Response> {
    const { session } = await signedForm(context, parts);
    await connect.sessions.end(readCookie(context, 'threadkeep_session'), session);
    clearCookie(context, 'threadkeep_session');
    return context.redirect('/connect', 303);
  }

  return [
    { method: 'POST', path: '/auth/logout', access: 'public', handle: forPeople(signOut) },
    { method: 'GET', path: '/auth/{provider}', access: 'public', handle: forPeople(begin) },
    { method: 'GET', path: '/auth/{provider}/callback', access: 'public', handle: forPeople(finish) },
  ];
}

/** Restricts the return address to our own pages (no open redirect). */
function ownPlace(asked: string | undefined): string {
  return asked?.startsWith('/oauth/authorize?') === true ? asked : '/connect';
}

/** An application requests access and the signed-in user decides. */
export function consentRoutes(parts: PageParts): Route[] {
  const { connect, oauth } = parts;
  const { administration, clients, grants, handles } = connect;

  async function ask(context: RouteContext): Promise<Response> {
    const query = new URL(context.req.url).search;
    const session = await sessionOf(context, parts);
    if (session === undefined) return sendPage(context, signInFirstPage(connect.providers, `/oauth/authorize${query}`));
    const request = await read(context, query);
    const handle = await handles.issue('consent', { userId: session.user.id, data: { query } });
    return sendPage(context, consentPage(request, session, handle), formTarget(request.redirectUri));
  }

  async function decide(context: RouteContext): Promise<Response> {
    const { session, form } = await signedForm(context, parts);
    const taken = await handles.take('consent', form.get('request') ?? undefined);
    if (taken === undefined || taken.replayed || taken.row.user_id !== session.user.id) {
      throw new OAuthError('invalid_request', 'This request was already answered or has expired: start again');
    }
    const request = await read(context, taken.row.data.query ?? '');
    const about = { userId: session.user.id, clientId: request.client.id };
    const scopes = request.scopes.filter((scope) => form.getAll('scope').includes(scope));
    const { issuer } = placeOf(oauth, context);
    if (form.get('decision') !== 'allow' || scopes.length === 0) {
      await administration.audit.record({ event: 'consent_denied', ...about });
      return context.redirect(answerUri(request, { error: 'access_denied', iss: issuer }), 303);
    }
    await clients.trust(request.client);
    await administration.audit.record({ event: 'consent_given', ...about });
    const code = await grants.code(session.user.id, request, scopes);
    return context.redirect(answerUri(request, { code, iss: issuer }), 303);
  }

  function read(context: RouteContext, query: string): Promise<AuthorizationRequest> {
    const { issuer, resource } = placeOf(oauth, context);
    return readAuthorization(new URLSearchParams(query), { findClient: clients.find, issuer, resource });
  }

  return [
    { method: 'GET', path: '/oauth/authorize', access: 'public', handle: forPeople(sendingBack(ask)) },
    { method: 'POST', path: '/oauth/consent', access: 'public', handle: forPeople(sendingBack(decide)) },
  ];
}

/** Once the redirect URI is validated, errors are returned to the application. */
function sendingBack(
  handle: (context: RouteContext) => Promise<Response>,
): (context: RouteContext) => Promise<Response> {
  return async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      if (error instanceof RedirectedError) return context.redirect(error.location, 303);
      throw error;
    }
  };
}

/** The page's Content-Security-Policy must allow the form to redirect to the application. */
function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  const target = protocol === 'http:' || protocol === 'https:' ? origin : protocol;
  // A redirect URI registered before hosts were validated must not inject a directive.
  return /^[a-z0-9+.:/[\]-]+$/i.test(target) ? target : protocol;
}

/** Shows who requests what, and where the answer goes, before anything is granted. */
function consentPage(request: AuthorizationRequest, session: WebSession, handle: string): string {
  const { client, redirectUri, scopes } = request;
  const boxes = scopes.map(
    (scope): Html =>
      html`<label class="check"><input type="checkbox" name="scope" value="${scope}" checked> ${scopeWords[scope].consent}</label>`,
  );
  const content = html`<section class="card narrow">
<h1>Let ${client.name} use your memory?</h1>
<p class="note">You are signed in as ${session.user.display_name ?? session.user.id}.</p>
<form class="create" method="post" action="/oauth/consent">
<input type="hidden" name="csrf" value="${session.csrf}"><input type="hidden" name="request" value="${handle}">
<fieldset><legend>It will be able to</legend>${boxes}</fieldset>
<p class="note">The answer goes to <code>${redirectPlace(redirectUri)}</code>. The name is what the application calls itself: go on only if you have just started this from it.</p>
<div class="row"><button class="wide" name="decision" value="allow">Allow</button><button class="quiet wide" name="decision" value="deny">Do not allow</button></div>
</form>
</section>`;
  return layout('Allow access', content);
}

/** Shown when an application redirected a user here who is not signed in. */
function signInFirstPage(providers: ConnectService['providers'], returnTo: string): string {
  const content = html`<section class="card narrow">
<h1>Sign in to go on</h1>
<p>An application wants to use your memory. Sign in, then you will be asked whether it may.</p>
${signInLinks(providers, returnTo)}
</section>`;
  return layout('Sign in', content);
}

function redirectPlace(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host === '' ? protocol : `${protocol}//${host}`;
}
