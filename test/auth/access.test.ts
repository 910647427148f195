import { describe, expect, it } from 'vitest';
import { actingWith, localPrincipal, resolveProject, visibilityOf } from '../../src/auth/access.js';
import { allScopes, type Principal, type ProjectRole, projectRoles } from '../../src/model/access.js';
import { refusal } from '../support/failure.js';
import fc from '../support/properties.js';

function member(role: ProjectRole): Principal {
  return {
    userId: 'nora',
    scopes: allScopes,
    defaultProjectId: 'private-nora',
    memberships: new Map([['team', role]]),
  };
}

describe('a member', () => {
  it.each(projectRoles)('who is %s reads the project', (role) => {
    expect(visibilityOf(actingWith(member(role), [['memory:read']]), { projectId: 'team' })).toMatchObject({
      projectId: 'team',
      scopes: ['project:team'],
    });
  });

  it.each([
    ['reader', 'project access denied'],
    ['writer', 'team'],
    ['admin', 'team'],
  ] as const)('who is %s writes there: %s', (role, outcome) => {
    const write = () => resolveProject(actingWith(member(role), [['memory:write']]), 'team');
    expect(role === 'reader' ? refusal(write).message : write()).toBe(outcome);
  });

  it('uses the own project of the caller when none is named, for reading and writing', () => {
    for (const scope of allScopes) {
      expect(resolveProject(actingWith(member('reader'), [[scope]]), undefined)).toBe('private-nora');
      expect(resolveProject(actingWith(member('reader'), [[scope]]), 'private-nora')).toBe('private-nora');
    }
  });
});

describe('a project', () => {
  it('of other users, and one that does not exist, get the same response', () => {
    const denied = { code: 'permission_denied', message: 'project access denied' };
    expect(refusal(() => resolveProject(member('admin'), 'other'))).toMatchObject(denied);
    expect(refusal(() => resolveProject(localPrincipal, 'other'))).toMatchObject(denied);
  });

  it('is never visible without a role that allows it', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'own');
    const memberships = fc.array(fc.tuple(id, fc.constantFrom(...projectRoles)), { maxLength: 4 });
    const scope = fc.constantFrom(...allScopes);
    fc.assert(
      fc.property(memberships, id, scope, (given, project, needed) => {
        const roles = new Map(given);
        const principal: Principal = {
          userId: 'u',
          scopes: allScopes,
          defaultProjectId: 'own',
          memberships: roles,
        };
        const role = project === 'own' ? 'admin' : roles.get(project);
        const allowed = role !== undefined && (needed === 'memory:read' || role !== 'reader');
        let seen: string | undefined;
        try {
          seen = visibilityOf(actingWith(principal, [[needed]]), { projectId: project }).projectId;
        } catch {
          // Being refused is the other outcome.
        }
        expect(seen).toBe(allowed ? project : undefined);
      }),
    );
  });
});

describe('a scope that is missing', () => {
  it.each(allScopes)('is named: %s', (scope) => {
    const without = { ...member('admin'), scopes: allScopes.filter((each) => each !== scope) };
    expect(refusal(() => actingWith(without, [[scope]]))).toMatchObject({
      code: 'insufficient_scope',
      fields: { required_scope: scope },
    });
  });
});
