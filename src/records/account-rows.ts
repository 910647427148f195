import { memoryScopes, type ProjectRole, type Scope } from '../model/access.js';

/** The rows of users, tokens, projects and the audit log, as the rest of the house sees them. */
export interface UserRow {
  id: string;
  display_name: string;
  default_project_id: string;
  created_at: string;
  disabled_at?: string;
}

export interface TokenRow {
  id: string;
  user_id: string;
  display_name: string;
  hash: string;
  prefix: string;
  scopes: Scope[];
  /** Which rule its scopes were given under; absent: before there was `memory:manage`. */
  scope_rule?: number;
  created_at: string;
  rotated_at?: string;
  expires_at?: string;
  revoked_at?: string;
  last_used_at?: string;
  client_id?: string;
}

export interface ProjectRow {
  id: string;
  owner_id: string;
  name: string;
  description?: string;
  created_at: string;
  updated_at: string;
}

export interface MemberRow {
  id: string;
  project_id: string;
  user_id: string;
  role: ProjectRole;
  created_at: string;
  updated_at: string;
}

export interface IdentityRow {
  id: string;
  issuer: string;
  subject: string;
  user_id: string;
  created_at: string;
}

export interface ClientRow {
  id: string;
  name: string;
  redirect_uris: string[];
  kind: 'registered' | 'document';
  created_at: string;
  trusted_at?: string;
}

export type HandleKind = 'session' | 'sign_in' | 'consent' | 'code' | 'refresh';

export interface HandleRow {
  id: string;
  kind: HandleKind;
  state: 'open' | 'used';
  user_id?: string;
  token_id?: string;
  data: Record<string, string>;
  created_at: string;
  expires_at: string;
}

export interface AuditRow {
  id: string;
  at: string;
  event: string;
  user_id?: string;
  actor_id?: string;
  token_id?: string;
  project_id?: string;
  client_id?: string;
  reason?: string;
  targets?: string[];
  count: number;
}

/** Everybody and everything has a name for people, also where none was given and in rows from before that was so. */
export function namedUser(row: Omit<UserRow, 'display_name'> & { display_name?: string | undefined }): UserRow {
  return { ...row, display_name: row.display_name ?? row.id };
}

export function namedToken(row: Omit<TokenRow, 'display_name'> & { display_name?: string | undefined }): TokenRow {
  return { ...row, scopes: heldScopes(row), display_name: row.display_name ?? `token of ${row.user_id}` };
}

export const currentScopeRule = 2;

/**
 * Before there was `memory:manage`, a token with both other scopes could do all that it stands for now. Such a token
 * keeps that right; one made since then has it only when it says so.
 */
function heldScopes({ scopes, scope_rule }: Pick<TokenRow, 'scopes' | 'scope_rule'>): Scope[] {
  const both = scopes.includes('memory:read') && scopes.includes('memory:write');
  return scope_rule === undefined && both ? [...memoryScopes] : scopes;
}

/** Neither part can hold a colon, so no two members share a key. */
export function memberId(projectId: string, userId: string): string {
  return `${projectId}:${userId}`;
}
