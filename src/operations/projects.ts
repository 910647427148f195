import { z } from 'zod';
import { resolveProject, roleIn } from '../auth/access.js';
import { type Principal, projectRoles } from '../model/access.js';
import { localProjectId } from '../model/ids.js';
import type { ProjectRow } from '../records/account-rows.js';
import { projectId } from './fields.js';
import type { Operation } from './operation.js';
import type { Service } from './service.js';

const role = z.enum(projectRoles);

const project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  owner_id: z.string(),
  is_default: z.boolean().describe('The private project that a call without project_id is about'),
  role: role.describe('What you may do in it'),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

export type Project = z.infer<typeof project>;

const listOutput = z.object({ status: z.literal('ok'), results: z.array(project) });

export const listProjects: Operation<object, z.infer<typeof listOutput>> = {
  name: 'project_list',
  summary: 'The projects you are a member of, your own first',
  input: z.strictObject({}),
  output: listOutput,
  async run(service, { principal }) {
    const ids = [principal.defaultProjectId, ...(principal.memberships?.keys() ?? [])];
    const rows = await rowsOf(service, principal, [...new Set(ids)]);
    return { status: 'ok', results: rows.map((row) => present(principal, row)).sort(ownFirst) };
  },
};

const oneOutput = z.object({ status: z.literal('ok'), project });

export const getDefaultProject: Operation<object, z.infer<typeof oneOutput>> = {
  name: 'project_default_get',
  summary: 'Your own private project',
  input: z.strictObject({}),
  output: oneOutput,
  run: (service, { principal }) => one(service, principal, principal.defaultProjectId),
};

const getInput = z.strictObject({ project_id: projectId });

export const getProject: Operation<z.infer<typeof getInput>, z.infer<typeof oneOutput>> = {
  name: 'project_get',
  summary: 'One project you are a member of',
  input: getInput,
  output: oneOutput,
  run: (service, { principal }, { project_id }) => one(service, principal, resolveProject(principal, project_id)),
};

async function one(service: Service, principal: Principal, id: string): Promise<z.infer<typeof oneOutput>> {
  const [row = { id, owner_id: principal.userId, name: id }] = await rowsOf(service, principal, [id]);
  return { status: 'ok', project: present(principal, row) };
}

/** The local user's project may have no row. */
type Found = ProjectRow | Pick<ProjectRow, 'id' | 'owner_id' | 'name'>;

async function rowsOf({ records }: Service, principal: Principal, ids: readonly string[]): Promise<Found[]> {
  const rows: Found[] = await records.accounts.projects(ids);
  const own = principal.defaultProjectId;
  if (!ids.includes(own) || rows.some(({ id }) => id === own)) return rows;
  return [...rows, { id: own, owner_id: principal.userId, name: own === localProjectId ? 'Local default' : own }];
}

function present(principal: Principal, row: Found): Project {
  const role = roleIn(principal, row.id) ?? 'reader';
  return { ...row, is_default: row.id === principal.defaultProjectId, role };
}

function ownFirst(one: Project, other: Project): number {
  const byName = one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1);
  return Number(other.is_default) - Number(one.is_default) || byName;
}
