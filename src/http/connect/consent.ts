import {
  type AuthorizationRequest,
  answerUri,
  OAuthError,
  RedirectedError,
  readAuthorization,
} from '../../auth/oauth/authorization.js';
import type { ConnectService } from '../../auth/oauth/service.js';
import type { WebSession } from '../../auth/sign-in.js';
import { scopeWords } from '../../model/access.js';
import type { Route, RouteContext } from '../admission.js';
import { placeOf } from '../oauth.js';
import { signInLinks } from './connect.js';
import { forPeople, type Html, html, layout, type PageParts, sendPage, sessionOf, signedForm } from './pages.js';

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
