import { z } from 'zod';
import { resolveProject, roleIn } from '../../auth/access.js';
import { addMember, removeMember } from '../../auth/projects.js';
import { type Principal, projectRoles } from '../../model/access.js';
import { MemoryError } from '../../model/errors.js';
import type { MemberRow } from '../../records/account-rows.js';
import { projectId, textUpTo } from '../fields.js';
import type { Operation } from '../operation.js';
import { administrationOf } from './administration.js';

const member = z.object({
  user: z.string(),
  role: z.enum(projectRoles),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

const listInput = z.strictObject({ project_id: projectId });
const listOutput = z.object({
  status: z.literal('ok'),
  project_id: z.string(),
  results: z.array(member),
  may_manage: z.boolean().describe('Whether you may add, change and remove members'),
});

export const listMembers: Operation<z.infer<typeof listInput>, z.infer<typeof listOutput>> = {
  name: 'project_members',
  summary: 'Who is in a project, with which role',
  input: listInput,
  output: listOutput,
  async run({ records }, { principal }, input) {
    const projectId = resolveProject(principal, input.project_id);
    const rows = await records.accounts.membersOf(projectId);
    const results = rows.map(present).sort((one, other) => (one.user < other.user ? -1 : 1));
    return { status: 'ok', project_id: projectId, results, may_manage: manages(principal, projectId) };
  },
};

const place = { project_id: projectId, user: textUpTo(200).min(1) };
const oneOutput = z.object({ status: z.literal('ok'), project_id: z.string(), member });

const setInput = z.strictObject({ ...place, role: z.enum(projectRoles) });

export const setMember: Operation<z.infer<typeof setInput>, z.infer<typeof oneOutput>> = {
  name: 'project_member_set',
  summary: 'Add a member to a project you manage, or change their role',
  input: setInput,
  output: oneOutput,
  async run(service, { principal }, { project_id, user, role }) {
    const projectId = managed(principal, project_id);
    const row = await addMember(administrationOf(service, principal), { projectId, user, role });
    return { status: 'ok', project_id: projectId, member: present(row) };
  },
};

const removeInput = z.strictObject(place);

export const removeProjectMember: Operation<z.infer<typeof removeInput>, z.infer<typeof oneOutput>> = {
  name: 'project_member_remove',
  summary: 'Remove a member from a project you manage; what they saved stays',
  input: removeInput,
  output: oneOutput,
  async run(service, { principal }, { project_id, user }) {
    const projectId = managed(principal, project_id);
    const row = await removeMember(administrationOf(service, principal), { projectId, user });
    return { status: 'ok', project_id: projectId, member: present(row) };
  },
};

/** Who may only write gets the answer of who may not even see it. */
function managed(principal: Principal, id: string): string {
  const projectId = resolveProject(principal, id);
  if (manages(principal, projectId)) return projectId;
  throw new MemoryError('permission_denied', 'project access denied');
}

/** A private project has no other members, so there is nothing to manage in it. */
function manages(principal: Principal, projectId: string): boolean {
  return projectId !== principal.defaultProjectId && roleIn(principal, projectId) === 'admin';
}

function present({ user_id, role, created_at, updated_at }: MemberRow): z.infer<typeof member> {
  return { user: user_id, role, created_at, updated_at };
}
