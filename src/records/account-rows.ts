import { memoryScopes, type Scope } from '../model/access.js';
import type { RowOf } from '../model/tables.js';

export type UserRow = Named<RowOf<'users'>>;
export type TokenRow = Named<RowOf<'tokens'>>;
export type ProjectRow = RowOf<'projects'>;
export type MemberRow = RowOf<'members'>;
export type IdentityRow = RowOf<'identities'>;
export type ClientRow = RowOf<'clients'>;
export type HandleRow = RowOf<'handles'>;
export type AuditRow = RowOf<'audit'>;

type Named<Row> = Row & { display_name: string };

/** Fills in display names, for rows created without one. */
export function namedUser(row: RowOf<'users'>): UserRow {
  return { ...row, display_name: row.display_name ?? row.id };
}

export function namedToken(row: RowOf<'tokens'>): TokenRow {
  return { ...row, scopes: heldScopes(row), display_name: row.display_name ?? `token of ${row.user_id}` };
}

export const currentScopeRule = 2;

/**
 * Before `memory:manage` existed, a token with both other scopes could do everything it covers now. Such tokens keep
 * that right; newer ones need the scope explicitly.
 */
function heldScopes({ scopes, scope_rule }: Pick<TokenRow, 'scopes' | 'scope_rule'>): Scope[] {
  const both = scopes.includes('memory:read') && scopes.includes('memory:write');
  return scope_rule === undefined && both ? [...memoryScopes] : scopes;
}

/** Neither part can contain a colon, so keys are unique. */
export function memberId(projectId: string, userId: string): string {
  return `${projectId}:${userId}`;
}
