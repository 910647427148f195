import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { OAuthError } from '../../auth/oauth/authorization.js';
import type { ConnectService, OAuthService } from '../../auth/oauth/service.js';
import { isFormOf, type WebSession } from '../../auth/sign-in.js';
import { errorFaces, isOurFault, MemoryError } from '../../model/errors.js';
import type { RouteContext } from '../admission.js';
import { readForm } from '../oauth.js';
import { messagePage, pageHeaders } from './layout.js';

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
