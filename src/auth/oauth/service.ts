import type { Handles } from '../handles.js';
import type { SignIn } from '../sign-in.js';
import type { Administration } from '../users.js';
import type { WebSessions } from '../web-sessions.js';
import type { Clients } from './clients.js';
import type { Grants } from './grants.js';

/** What the HTTP adapter serves with `api.auth: oauth_resource_server`. */
export interface OAuthService {
  /** Our own address as the caller sees it. Without a configured one, the loopback name in the request's Host. */
  baseOf(host: string | undefined): string;
  resourceOf(base: string): string;
  scopes: readonly string[];
  /** Issuers outside this service. */
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
  /** How each client is set up for this address. */
  snippetsFor(url: string): readonly { title: string; code: string; next: string }[];
}
