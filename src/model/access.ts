import type { MemoryStatus } from './conversation.js';

/** The scopes on a memory. A token has all of them unless some are chosen. */
export const memoryScopes = ['memory:read', 'memory:write', 'memory:manage'] as const;
/** With the operator's scope, which only the command line grants: signing in never does. */
export const allScopes = [...memoryScopes, 'service:operate'] as const;
export type Scope = (typeof allScopes)[number];

/** Roles in a project, lowest first: read; also write and decide reviews; also manage it. */
export const projectRoles = ['reader', 'writer', 'admin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** The caller. Without authentication everyone on this machine is the local user. */
export interface Principal {
  userId: string;
  scopes: readonly Scope[];
  /** The caller's own private project, in which they have every role. */
  defaultProjectId: string;
  /** The caller's roles in other projects, by project id; absent: none. */
  memberships?: ReadonlyMap<string, ProjectRole>;
  /** The token used, for the audit log. */
  tokenId?: string;
  /** When that token expires, in milliseconds; absent: never. */
  expiresAt?: number;
}

declare const minted: unique symbol;

/**
 * What a read may see. Only auth/access.ts creates one, and every read requires one, so forgetting the check does not
 * compile.
 */
export interface Visibility {
  readonly [minted]: true;
  readonly projectId: string;
  readonly statuses: readonly MemoryStatus[];
  /** The partitions to pass to a store. Never empty. */
  readonly scopes: readonly string[];
}

/**
 * The scopes a token needs: all scopes of any one of these sets. Errors and challenges name the first set, which is the
 * one the interface documents.
 */
export type Needs = readonly [readonly [Scope, ...Scope[]], ...(readonly [Scope, ...Scope[]])[]];

const read: Needs = [['memory:read']];
const write: Needs = [['memory:write']];
const manage: Needs = [['memory:manage']];
/** The interface lists these under `memory:write`. Their answers reveal stored text, so they also need read access. */
const decide: Needs = [['memory:write', 'memory:read'], ['memory:manage']];

/**
 * The single table of required scopes. The OpenAPI document, the tool list, the consent pages and docs/auth.md are
 * generated from it. An operation that is missing here does not compile.
 */
export const neededScopes = {
  insert: write,
  import: write,
  imports_create: write,
  imports_list: write,
  imports_get: write,
  imports_cancel: write,
  search: read,
  retrieve: read,
  context: read,
  conversations_list: read,
  activity: read,
  export: read,
  ask: read,
  facts_search: read,
  profile_get: read,
  people_list: read,
  project_list: read,
  project_default_get: read,
  project_get: read,
  project_members: read,
  token_list: read,
  validate: read,
  timeline: read,
  suggest: read,
  facts_supersede: decide,
  pending_approve: decide,
  pending_reject: decide,
  conversations_update: manage,
  forget: manage,
  facts_restore: manage,
  facts_add: manage,
  facts_correct: manage,
  facts_retract: manage,
  facts_pin: manage,
  facts_unpin: manage,
  facts_detach: manage,
  facts_undo: manage,
  project_member_set: manage,
  project_member_remove: manage,
  token_revoke: manage,
} as const satisfies Record<string, Needs>;

export type OperationName = keyof typeof neededScopes;

/** Access to a page or endpoint that is not an operation: public, any valid token, or a token with any memory scope. */
export type PageAccess = 'public' | 'any' | 'either' | Needs;

export const pageAccess = {
  '/health': 'public',
  '/ready': 'public',
  '/observability': 'any',
  '/config': [['service:operate']],
  '/metrics': [['service:operate']],
  '/openapi.json': 'any',
  '/docs': 'any',
  '/clients': 'any',
  '/clients/{client}/connect': [['service:operate']],
  '/clients/{client}/disconnect': [['service:operate']],
  '/mcp': 'either',
} as const satisfies Record<string, PageAccess>;

interface ScopeWords {
  /** On the consent page, after "It will be able to". */
  consent: string;
  /** In a list of tokens: "reads and saves". */
  verb: string;
}

export const scopeWords: Record<Scope, ScopeWords> = {
  'memory:read': { consent: 'read your memory: search, ask, retrieve, export', verb: 'reads' },
  'memory:write': {
    consent:
      'save to your memory: store and import conversations; with reading also supersede facts and decide reviews',
    verb: 'saves',
  },
  'memory:manage': {
    consent: 'manage your memory: forget and rename conversations, correct facts, decide reviews, members and tokens',
    verb: 'manages',
  },
  'service:operate': { consent: 'see the metrics and the settings of the whole service', verb: 'sees metrics' },
};

/** Undefined when the scopes suffice; otherwise the first missing scope of the set the interface documents. */
export function missingScope(held: readonly Scope[], needs: Needs): Scope | undefined {
  if (needs.some((set) => set.every((scope) => held.includes(scope)))) return undefined;
  const [documented] = needs;
  return documented.find((scope) => !held.includes(scope)) ?? documented[0];
}
