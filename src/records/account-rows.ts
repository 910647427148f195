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

/** Everybody and everything has a name for people, also where none was given and in rows from before that was so. */
export function namedUser(row: RowOf<'users'>): UserRow {
  return { ...row, display_name: row.display_name ?? row.id };
}

export function namedToken(row: RowOf<'tokens'>): TokenRow {
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
