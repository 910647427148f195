import type { WebSession } from '../../auth/sign-in.js';
import { createToken, parseLifetime, revokeToken } from '../../auth/tokens.js';
import { memoryScopes } from '../../model/access.js';
import { MemoryError } from '../../model/errors.js';
import { placeOf } from '../oauth/metadata-routes.js';
import type { Request, Route } from '../route.js';
import { script, style } from './assets.js';
import { type ConnectView, connectPage } from './connect-page.js';
import { forPeople, type PageParts, sendPage, sessionOf, signedForm } from './pages.js';

/** The page where a person sees the address, signs in, and makes and revokes tokens. */
export function connectRoutes(parts: PageParts): Route[] {
  const { connect, oauth } = parts;
  const { administration } = connect;

  async function show(
    context: Request,
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

  async function create(context: Request): Promise<Response> {
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

  async function revoke(context: Request): Promise<Response> {
    const { session, form } = await signedForm(context, parts);
    const token = await administration.accounts.token(form.get('token_id') ?? '');
    // Another's token is as unknown as none.
    if (token?.user_id !== session.user.id) throw new MemoryError('not_found', 'There is no such token of yours');
    await revokeToken(administration, token.id);
    return context.redirect('/connect', 303);
  }

  const asset = (type: string, text: string) => (context: Request) =>
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
