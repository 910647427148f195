import type { ProjectRow } from '../../../records/account-rows.js';
import type { Command } from '../../command.js';
import { printable } from '../../style.js';
import { administer, table } from './administer.js';

export const projectCreate: Command<{ owner: string; name?: string; description?: string }> = {
  name: 'admin project create',
  operator: true,
  arguments: [{ name: '<project_id>', text: 'Letters, digits, dots, hyphens and underscores' }],
  summary: 'Add a project to share',
  options: [
    { flags: '--owner <user>', text: 'Whose it is; the owner is an admin of it', required: true },
    { flags: '--name <text>', text: 'The name that people read (default: the id)' },
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
  options: [{ flags: '--user <name>', text: 'Only those this user is a member of, with the role' }],
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
