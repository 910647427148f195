import type { SignIn, WebSessions } from '../sign-in.js';
import type { Handles } from '../tokens.js';
import type { Administration } from '../users.js';
import type { Clients } from './clients.js';
import type { Grants } from './grants.js';

/** What the HTTP adapter serves with `api.auth: oauth_resource_server`. */
export interface OAuthService {
  /** Our own base URL as the caller sees it; if none is configured, the loopback name in the request's Host header. */
  baseOf(host: string | undefined): string;
  resourceOf(base: string): string;
  scopes: readonly string[];
  /** External issuers. */
  externalServers: readonly string[];
  /** Absent when `api.connect.enabled` is false. */
  connect?: ConnectService;
}

export interface ConnectService {
  clients: Clients;
  grants: Grants;
  sessions: WebSessions;
  signIn: SignIn;
  handles: Handles;
  administration: Administration;
  providers: readonly { name: string; label: string; enabled: boolean }[];
  /** Set-up instructions per client for this URL. */
  snippetsFor(url: string): readonly { title: string; code: string; next: string }[];
}

interface Published {
  base: string;
  resource: string;
  scopes: readonly string[];
}

/** RFC 9728: this service as a protected resource, with the issuers of its tokens. */
export function protectedResource(
  { resource, scopes, base }: Published,
  authorizationServers: readonly string[],
): object {
  return {
    resource,
    authorization_servers: authorizationServers,
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Threadkeep',
    resource_documentation: `${base}/connect`,
  };
}

/** RFC 8414: our own authorization server's metadata. */
export function authorizationServer({ base, resource, scopes }: Published): object {
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    revocation_endpoint: `${base}/oauth/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    protected_resources: [resource],
    service_documentation: `${base}/connect`,
  };
}
