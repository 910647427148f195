import type { MemoryStatus } from './conversation.js';

/** The rights over a memory. A token made without saying which has them all. */
export const memoryScopes = ['memory:read', 'memory:write', 'memory:manage'] as const;
/** Also the operator's right, which only the command line gives: nobody gets it by signing in. */
export const allScopes = [...memoryScopes, 'service:operate'] as const;
export type Scope = (typeof allScopes)[number];

/** What a member may do in a project, least first: read; also write and decide reviews; also manage it. */
export const projectRoles = ['reader', 'writer', 'admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** Who is asking. Without authentication everyone on this machine is the local user. */
export interface Principal {
  userId: string;
  scopes: readonly Scope[];
  /** The caller's own private project, where every role is theirs. */
  defaultProjectId: string;
  /** The caller's role in other projects, by project id; absent is none. */
  memberships?: ReadonlyMap<string, ProjectRole>;
  /** The token that was shown, for the audit log. */
  tokenId?: string;
  /** When that token stops being valid, in milliseconds; absent: never. */
  expiresAt?: number;
}

declare const minted: unique symbol;

/** What a read may see. Only auth/access.ts makes one, and every read asks for one: forgetting the check does not compile. */
export interface Visibility {
  readonly [minted]: true;
  readonly projectId: string;
  readonly statuses: readonly MemoryStatus[];
  /** The scopes to hand to a store. Never empty. */
  readonly scopes: readonly string[];
}
