import type { AuthorizationRequest } from '../../auth/oauth/authorization.js';
import type { ConnectService } from '../../auth/oauth/service.js';
import type { WebSession } from '../../auth/sign-in.js';
import { scopeWords } from '../../model/access.js';
import { signInLinks } from './connect-page.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';

/** Says who asks for what, and where the answer goes, before anything is given. */
export function consentPage(request: AuthorizationRequest, session: WebSession, handle: string): string {
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
<p class="note">The answer goes to <code>${placeOf(redirectUri)}</code>. The name is what the application calls itself: go on only if you have just started this from it.</p>
<div class="row"><button class="wide" name="decision" value="allow">Allow</button><button class="quiet wide" name="decision" value="deny">Do not allow</button></div>
</form>
</section>`;
  return layout('Allow access', content);
}

/** Someone was sent here by an application and is not signed in. */
export function signInFirstPage(providers: ConnectService['providers'], returnTo: string): string {
  const content = html`<section class="card narrow">
<h1>Sign in to go on</h1>
<p>An application wants to use your memory. Sign in, then you will be asked whether it may.</p>
${signInLinks(providers, returnTo)}
</section>`;
  return layout('Sign in', content);
}

function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host === '' ? protocol : `${protocol}//${host}`;
}
