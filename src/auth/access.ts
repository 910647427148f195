import {
  allScopes,
  missingScope,
  type Needs,
  type Principal,
  type ProjectRole,
  projectRoles,
  type Visibility,
} from '../model/access.js';
import { type MemoryStatus, memoryStatuses, scopeOf } from '../model/conversation.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import { localProjectId, localUserId, projectIdPattern } from '../model/ids.js';

/** The caller when `api.auth` is `none`, and the caller of the command line. */
export const localPrincipal: Principal = {
  userId: localUserId,
  scopes: allScopes,
  defaultProjectId: localProjectId,
};

export function requireScopes(principal: Principal, needs: Needs): void {
  const scope = missingScope(principal.scopes, needs);
  if (scope === undefined) return;
  throw new MemoryError('insufficient_scope', `This call needs the scope ${scope}`, {
    fields: { required_scope: scope },
  });
}

/** Callers without read rights get ids and counts, never stored text. */
export function mayRead({ scopes }: Principal): boolean {
  return scopes.includes('memory:read');
}

/**
 * The principal reduced to the memberships whose role is sufficient for an operation with these needs. A write
 * therefore cannot reach a project that its caller may only read, whatever it asks for.
 */
export function actingWith(principal: Principal, needs: Needs): Principal {
  requireScopes(principal, needs);
  const needed = roleFor(needs);
  // Every member may read.
  if (principal.memberships === undefined || needed === 'reader') return principal;
  const allowed = [...principal.memberships].filter(([, role]) => holds(role, needed));
  return { ...principal, memberships: new Map(allowed) };
}

/** A reader may do everything that needs only read rights. */
function roleFor(needs: Needs): ProjectRole {
  return needs.some((set) => set.every((scope) => scope === 'memory:read')) ? 'reader' : 'writer';
}

function holds(role: ProjectRole, needed: ProjectRole): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(needed);
}

/** The caller's role in a project; undefined if the caller is not a member or the project does not exist. */
export function roleIn(principal: Principal, projectId: string): ProjectRole | undefined {
  return projectId === principal.defaultProjectId ? 'admin' : principal.memberships?.get(projectId);
}

/**
 * The project a call is about: the one named, if the caller may use it, else the caller's own. A project that does not
 * exist gives the same error as one the caller may not use.
 */
export function resolveProject(principal: Principal, projectId: string | undefined): string {
  if (projectId === undefined) return principal.defaultProjectId;
  if (!projectIdPattern.test(projectId)) {
    throw invalidInput('project_id', 'must be 1 to 128 letters, digits, dots, hyphens or underscores');
  }
  if (roleIn(principal, projectId) === undefined) throw new MemoryError('permission_denied', 'project access denied');
  return projectId;
}

export function visibilityOf(
  principal: Principal,
  request: { projectId?: string | undefined; status?: MemoryStatus | 'all' | undefined } = {},
): Visibility {
  return visibilityIn(resolveProject(principal, request.projectId), request.status);
}

/** The visibility of each project the caller may read, their own first. */
export function visibilitiesOf(principal: Principal, status?: MemoryStatus | 'all'): Visibility[] {
  const shared = [...(principal.memberships?.keys() ?? [])].filter((id) => id !== principal.defaultProjectId).sort();
  return [principal.defaultProjectId, ...shared].map((projectId) => visibilityIn(projectId, status));
}

function visibilityIn(projectId: string, status: MemoryStatus | 'all' = 'active'): Visibility {
  const statuses = status === 'all' ? [...memoryStatuses] : [status];
  const scopes = statuses.map((each) => scopeOf(projectId, each));
  // The brand of Visibility exists only for the compiler, so this cast is the one place that mints it.
  return { projectId, statuses, scopes } as unknown as Visibility;
}
