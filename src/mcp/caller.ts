import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { localPrincipal } from '../auth/access.js';
import type { Principal } from '../model/access.js';

/** Who sends a request, as the HTTP door found out; the token's id only where there is a token. */
export interface Caller {
  principal: Principal;
  tokenId?: string;
}

/** Two callers with the same key may use the same session. */
export function ownerKey({ principal, tokenId = '' }: Caller): string {
  return `${principal.userId}\n${tokenId}`;
}

/** Whose sessions are counted together: a person with many tokens is still one person. */
export function userOf({ principal }: Caller): string {
  return principal.userId;
}

/** The SDK hands this through to the handlers untouched. The token itself is not in it: nothing behind the door needs it. */
export function authInfoOf({ principal }: Caller): AuthInfo {
  return { token: '', clientId: principal.userId, scopes: [...principal.scopes], extra: { principal } };
}

/** Over HTTP whoever the door let in; over stdio the person whose process this is. */
export function principalOf({ http }: ServerContext): Principal {
  if (http === undefined) return localPrincipal;
  const principal = http.authInfo?.extra?.principal as Principal | undefined;
  if (principal === undefined) throw new Error('an MCP request arrived over HTTP without a caller');
  return principal;
}
