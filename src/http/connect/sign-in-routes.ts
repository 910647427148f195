import { placeOf } from '../oauth/metadata-routes.js';
import type { Request, Route } from '../route.js';
import { clearCookie, readCookie, writeCookie } from './cookies.js';
import { forPeople, type PageParts, signedForm } from './pages.js';

const signInSeconds = 600;
const sessionSeconds = 12 * 3_600;

/** To the identity provider and back. */
export function signInRoutes(parts: PageParts): Route[] {
  const { connect, oauth } = parts;

  async function begin(context: Request): Promise<Response> {
    const returnTo = ownPlace(context.req.query('return_to'));
    const { base } = placeOf(oauth, context);
    const { location, cookie } = await connect.signIn.begin(context.req.param('provider') ?? '', { base, returnTo });
    writeCookie(context, 'threadkeep_sign_in', cookie, signInSeconds);
    return context.redirect(location, 303);
  }

  async function finish(context: Request): Promise<Response> {
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

  async function signOut(context: Request): Promise<Response> {
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

/** Back to a page of ours and nowhere else, whatever the address says. */
function ownPlace(asked: string | undefined): string {
  return asked?.startsWith('/oauth/authorize?') === true ? asked : '/connect';
}
