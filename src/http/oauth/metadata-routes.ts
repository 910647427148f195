import { authorizationServer, type OAuthService, protectedResource } from '../../auth/oauth/service.js';
import type { DoorParts } from '../door.js';
import type { Request, Route } from '../route.js';

const resourcePath = '/.well-known/oauth-protected-resource';
const serverPath = '/.well-known/oauth-authorization-server';

/** Who we are as the caller sees it. */
export function placeOf(oauth: OAuthService, context: Request) {
  const base = oauth.baseOf(context.req.header('host'));
  return { base, issuer: base, resource: oauth.resourceOf(base), scopes: oauth.scopes };
}

/** The documents that a client finds its way by, at the root and beside the path of the MCP endpoint. */
export function metadataRoutes(oauth: OAuthService): Route[] {
  const resource = (context: Request): Response => {
    const place = placeOf(oauth, context);
    const own = oauth.connect === undefined ? [] : [place.base];
    return context.json(protectedResource(place, [...own, ...oauth.externalServers]));
  };
  const server = (context: Request): Response => context.json(authorizationServer(placeOf(oauth, context)));
  const documents: [string, (context: Request) => Response][] = [
    [resourcePath, resource],
    [`${resourcePath}/mcp`, resource],
    ...(oauth.connect === undefined
      ? []
      : [serverPath, `${serverPath}/mcp`].map((path): [string, typeof server] => [path, server])),
  ];
  return documents.map(([path, handle]) => ({ method: 'GET', path, access: 'public', handle }));
}

/** For the challenge of RFC 9728, 5.1; undefined where there is no such document. */
export function resourceMetadata({ oauth }: DoorParts, context: Request): string | undefined {
  if (oauth === undefined) return undefined;
  const { base } = placeOf(oauth, context);
  return `${base}${resourcePath}${context.get('route') === '/mcp' ? '/mcp' : ''}`;
}
