import { projectRoles } from '../../../model/access.js';
import type { MemberRow, ProjectRow } from '../../../records/account-rows.js';
import type { Command, Result } from '../../command.js';
import { printable } from '../../terminal.js';
import { administer, table } from './users.js';

export const projectCreate: Command<{ owner: string; name?: string; description?: string }> = {
  name: 'admin project create',
  operator: true,
  arguments: [{ name: '<project_id>', text: 'Letters, digits, dots, hyphens and underscores' }],
  summary: 'Create a project to share',
  options: [
    { flags: '--owner <user>', text: 'The owner, who is also an admin of it', required: true },
    { flags: '--name <text>', text: 'Display name (default: the id)' },
    { flags: '--description <text>', text: 'What it is about' },
  ],
  examples: [
    'threadkeep admin project create team-x --owner nora --name "Team X"',
    'threadkeep admin project create local-default --owner nora   (hands over what was saved before api.auth was set)',
  ],
  async run(invocation) {
    const { createProject } = await import('../../../auth/projects.js');
    const [id = ''] = invocation.args;
    const project = await administer(invocation, { changes: true }, (administration) =>
      createProject(administration, { id, ...invocation.options }),
    );
    const text = `Created ${project.id} (${printable(project.name)}), owned by ${project.owner_id}`;
    return { json: { status: 'ok', project }, text: () => text };
  },
};

export const projectList: Command<{ user?: string }> = {
  name: 'admin project list',
  operator: true,
  summary: 'List projects',
  options: [{ flags: '--user <name>', text: 'Only projects of this user, with the role' }],
  examples: ['threadkeep admin project list', 'threadkeep admin project list --user nora'],
  async run(invocation) {
    const { user } = invocation.options;
    const { requireUser } = await import('../../../auth/users.js');
    const projects: (ProjectRow & { role?: string })[] = await administer(
      invocation,
      { changes: false },
      async ({ accounts }) => {
        if (user === undefined) return accounts.projects();
        await requireUser(accounts, user);
        const roles = new Map((await accounts.membershipsOf(user)).map(({ project_id, role }) => [project_id, role]));
        const rows = await accounts.projects([...roles.keys()]);
        return rows.map((row) => ({ ...row, role: roles.get(row.id) ?? 'reader' }));
      },
    );
    const rows = projects.map(({ id, name, owner_id, role }) => [id, name, `owner ${owner_id}`, role]);
    return { json: { status: 'ok', results: projects }, text: () => table(rows, 'no projects') };
  },
};

const project = { name: '<project_id>', text: 'The project' };
const user = { flags: '--user <name>', text: 'The user', required: true as const };
const role = { flags: '--role <role>', text: 'The role of the member', choices: projectRoles, required: true as const };

export const memberAdd: Command<{ user: string; role: string }> = {
  name: 'admin project member add',
  operator: true,
  arguments: [project],
  summary: 'Add a user to a project; for a member, change the role',
  options: [user, role],
  examples: ['threadkeep admin project member add team-x --user omar --role writer'],
  async run(invocation) {
    const { addMember } = await import('../../../auth/projects.js');
    const [projectId = ''] = invocation.args;
    const member = await administer(invocation, { changes: true }, (administration) =>
      addMember(administration, { projectId, ...invocation.options }),
    );
    return memberResult(member, `is ${member.role} of`);
  },
};

export const memberRole: Command<{ user: string; role: string }> = {
  name: 'admin project member role',
  operator: true,
  arguments: [project],
  summary: 'Change the role of a member',
  options: [user, role],
  examples: ['threadkeep admin project member role team-x --user omar --role reader'],
  async run(invocation) {
    const { changeRole } = await import('../../../auth/projects.js');
    const [projectId = ''] = invocation.args;
    const member = await administer(invocation, { changes: true }, (administration) =>
      changeRole(administration, { projectId, ...invocation.options }),
    );
    return memberResult(member, `is ${member.role} of`);
  },
};

export const memberRemove: Command<{ user: string }> = {
  name: 'admin project member remove',
  operator: true,
  arguments: [project],
  summary: 'Remove a member from a project; what they saved stays in it',
  options: [user],
  examples: ['threadkeep admin project member remove team-x --user omar'],
  async run(invocation) {
    const { removeMember } = await import('../../../auth/projects.js');
    const [projectId = ''] = invocation.args;
    const member = await administer(invocation, { changes: true }, (administration) =>
      removeMember(administration, { projectId, user: invocation.options.user }),
    );
    return memberResult(member, 'is no longer in');
  },
};

export const memberList: Command = {
  name: 'admin project member list',
  operator: true,
  arguments: [project],
  summary: 'List the members of a project with their roles',
  examples: ['threadkeep admin project member list team-x'],
  async run(invocation) {
    const { requireProject } = await import('../../../auth/projects.js');
    const [projectId = ''] = invocation.args;
    const members = await administer(invocation, { changes: false }, async ({ accounts }) => {
      await requireProject(accounts, projectId);
      return accounts.membersOf(projectId);
    });
    const rows = members.map((member) => [member.user_id, member.role]);
    return { json: { status: 'ok', results: members.map(shown) }, text: () => table(rows, 'no members') };
  },
};

function memberResult(member: MemberRow, verb: string): Result {
  const text = `${member.user_id} ${verb} ${member.project_id}`;
  return { json: { status: 'ok', member: shown(member) }, text: () => text };
}

function shown({ id: _, ...member }: MemberRow): object {
  return member;
}
