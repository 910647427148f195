import { type ProjectRole, projectRoles } from '../model/access.js';
import { conflictAt, invalidInput, MemoryError } from '../model/errors.js';
import { projectIdPattern } from '../model/ids.js';
import { type MemberRow, memberId, type ProjectRow } from '../records/account-rows.js';
import { type AccountRecords, inserted, patched } from '../records/accounts.js';
import { type Administration, checkedLabel, orConflict, requireUser } from './users.js';

export interface NewProject {
  id: string;
  owner: string;
  name?: string | undefined;
  description?: string | undefined;
}

/** Creates a shared project. Its owner is an admin of it and cannot be demoted. */
export async function createProject(
  { accounts, audit, now }: Administration,
  { id, owner, name, description }: NewProject,
): Promise<ProjectRow> {
  if (!projectIdPattern.test(id)) {
    throw invalidInput('project_id', 'must be 1 to 128 letters, digits, dots, hyphens or underscores');
  }
  // `default` in GET /memory/projects/default means the caller's own project.
  if (id === 'default') throw invalidInput('project_id', 'must not be default: that name means your own project');
  const { id: owner_id } = await requireUser(accounts, owner);
  const words = checkedLabel('description', description);
  const times = { created_at: now(), updated_at: now() };
  const project: ProjectRow = {
    id,
    owner_id,
    name: checkedLabel('name', name) ?? id,
    ...(words === undefined ? {} : { description: words }),
    ...times,
  };
  const member: MemberRow = { id: memberId(id, owner_id), project_id: id, user_id: owner_id, role: 'admin', ...times };
  const changes = [inserted('projects', project), inserted('members', member)];
  await orConflict(accounts.write(changes), 'A project with this id already exists');
  await audit.record({ event: 'project_created', userId: owner_id, projectId: id });
  return project;
}

interface MemberKey {
  projectId: string;
  user: string;
}

/** Adds a member; for an existing member, changes the role. */
export async function addMember(
  administration: Administration,
  { projectId, user, role: text }: MemberKey & { role: string },
): Promise<MemberRow> {
  const { accounts, audit, now, actorId } = administration;
  const role = parseRole(text);
  await requireShared(accounts, projectId);
  const { id: user_id } = await requireUser(accounts, user);
  const known = await accounts.member(projectId, user_id);
  if (known !== undefined) return changeRole(administration, { projectId, user, role });
  const time = now();
  const id = memberId(projectId, user_id);
  const member: MemberRow = { id, project_id: projectId, user_id, role, created_at: time, updated_at: time };
  await orConflict(
    accounts.write([inserted('members', member)]),
    'The member was added by another request at the same time; check the member list',
  );
  await audit.record({ event: 'member_added', userId: user_id, actorId, projectId, reason: role });
  return member;
}

export async function changeRole(
  { accounts, audit, now, actorId }: Administration,
  { projectId, user, role: text }: MemberKey & { role: string },
): Promise<MemberRow> {
  const role = parseRole(text);
  const { project, member } = await requireMember(accounts, { projectId, user });
  if (member.role === role) return member;
  if (project.owner_id === member.user_id) throw conflictAt('role', 'must stay admin for the owner');
  const changed: MemberRow = { ...member, role, updated_at: now() };
  await accounts.write([patched('members', member.id, { role, updated_at: changed.updated_at })]);
  await audit.record({ event: 'role_changed', userId: member.user_id, actorId, projectId, reason: role });
  return changed;
}

/** The conversations stay in the project; the member only loses access. */
export async function removeMember({ accounts, audit, actorId }: Administration, place: MemberKey): Promise<MemberRow> {
  const { project, member } = await requireMember(accounts, place);
  if (project.owner_id === member.user_id) throw conflictAt('user', 'is the owner and cannot be removed');
  await accounts.write([{ kind: 'remove', table: 'members', ids: [member.id] }]);
  await audit.record({ event: 'member_removed', userId: member.user_id, actorId, projectId: project.id });
  return member;
}

export async function requireProject(accounts: AccountRecords, id: string): Promise<ProjectRow> {
  const project = await accounts.project(id);
  if (project === undefined) throw new MemoryError('not_found', 'There is no project with this id');
  return project;
}

/** Private projects have one member: sharing needs a project created for it. */
async function requireShared(accounts: AccountRecords, id: string): Promise<ProjectRow> {
  const project = await requireProject(accounts, id);
  const owner = await accounts.user(project.owner_id);
  if (owner?.default_project_id !== id) return project;
  throw conflictAt('project_id', 'is a private project, which cannot have other members; create a project to share');
}

async function requireMember(
  accounts: AccountRecords,
  { projectId, user }: MemberKey,
): Promise<{ project: ProjectRow; member: MemberRow }> {
  const project = await requireProject(accounts, projectId);
  const member = await accounts.member(projectId, user);
  if (member === undefined) throw new MemoryError('not_found', 'This user is not a member of the project');
  return { project, member };
}

function parseRole(text: string): ProjectRole {
  const role = projectRoles.find((each) => each === text);
  if (role === undefined) throw invalidInput('role', `must be one of: ${projectRoles.join(', ')}`);
  return role;
}
