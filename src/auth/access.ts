import type { Principal, Scope, Visibility } from '../model/access.js';
import { type MemoryStatus, memoryStatuses } from '../model/conversation.js';
import { invalidInput, MemoryError } from '../model/errors.js';
import { localProjectId, projectIdPattern } from '../model/ids.js';
import { scopeOf } from '../model/scope.js';

/** The caller when `api.auth` is `none`, and the caller of the command line. */
export const localPrincipal: Principal = {
  userId: 'local',
  scopes: ['memory:read', 'memory:write'],
  defaultProjectId: localProjectId,
};

export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  throw new MemoryError('insufficient_scope', `This call needs the scope ${scope}`, {
    fields: { required_scope: scope },
  });
}

/** The project a call is about: the one named, if the caller may use it, else the caller's own. */
export function resolveProject(principal: Principal, projectId: string | undefined): string {
  if (projectId === undefined) return principal.defaultProjectId;
  if (!projectIdPattern.test(projectId)) {
    throw invalidInput('project_id', 'must be 1 to 128 letters, digits, dots, hyphens or underscores');
  }
  if (projectId !== principal.defaultProjectId) throw new MemoryError('permission_denied', 'project access denied');
  return projectId;
}

export function visibilityOf(
  principal: Principal,
  request: { projectId?: string | undefined; status?: MemoryStatus | 'all' | undefined } = {},
): Visibility {
  const projectId = resolveProject(principal, request.projectId);
  const status = request.status ?? 'active';
  const statuses = status === 'all' ? [...memoryStatuses] : [status];
  const scopes = statuses.map((each) => scopeOf(projectId, each));
  return { projectId, statuses, scopes } as unknown as Visibility;
}
