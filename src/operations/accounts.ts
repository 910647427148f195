import { z } from 'zod';
import { resolveProject, roleIn } from '../auth/access.js';
import { addMember, removeMember } from '../auth/projects.js';
import { revokeToken } from '../auth/tokens.js';
import type { Administration } from '../auth/users.js';
import { allScopes, type Principal, projectRoles } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import { localProjectId } from '../model/ids.js';
import type { MemberRow, ProjectRow, TokenRow } from '../records/account-rows.js';
import { projectId, textUpTo } from './fields.js';
import type { Operation } from './operation.js';
import type { Service } from './service.js';

const role = z.enum(projectRoles);

const project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  owner_id: z.string(),
  is_default: z.boolean().describe('The private project, used when a call has no project_id'),
  role: role.describe('Your role in it'),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

export type Project = z.infer<typeof project>;

const projectsOutput = z.object({ status: z.literal('ok'), results: z.array(project) });

export const listProjects: Operation<object, z.infer<typeof projectsOutput>> = {
  name: 'project_list',
  summary: 'The projects you are a member of, your own first',
  input: z.strictObject({}),
  output: projectsOutput,
  async run(service, { principal }) {
    const ids = [principal.defaultProjectId, ...(principal.memberships?.keys() ?? [])];
    const rows = await projectRows(service, principal, [...new Set(ids)]);
    return { status: 'ok', results: rows.map((row) => presentProject(principal, row)).sort(ownFirst) };
  },
};

const projectOutput = z.object({ status: z.literal('ok'), project });

export const getDefaultProject: Operation<object, z.infer<typeof projectOutput>> = {
  name: 'project_default_get',
  summary: 'Your own private project',
  input: z.strictObject({}),
  output: projectOutput,
  run: (service, { principal }) => oneProject(service, principal, principal.defaultProjectId),
};

const projectInput = z.strictObject({ project_id: projectId });

export const getProject: Operation<z.infer<typeof projectInput>, z.infer<typeof projectOutput>> = {
  name: 'project_get',
  summary: 'One project you are a member of',
  input: projectInput,
  output: projectOutput,
  run: (service, { principal }, { project_id }) =>
    oneProject(service, principal, resolveProject(principal, project_id)),
};

async function oneProject(service: Service, principal: Principal, id: string): Promise<z.infer<typeof projectOutput>> {
  const [row = { id, owner_id: principal.userId, name: id }] = await projectRows(service, principal, [id]);
  return { status: 'ok', project: presentProject(principal, row) };
}

/** The local user's project may have no row. */
type FoundProject = ProjectRow | Pick<ProjectRow, 'id' | 'owner_id' | 'name'>;

async function projectRows(
  { records }: Service,
  principal: Principal,
  ids: readonly string[],
): Promise<FoundProject[]> {
  const rows: FoundProject[] = await records.accounts.projects(ids);
  const own = principal.defaultProjectId;
  if (!ids.includes(own) || rows.some(({ id }) => id === own)) return rows;
  return [...rows, { id: own, owner_id: principal.userId, name: own === localProjectId ? 'Local default' : own }];
}

function presentProject(principal: Principal, row: FoundProject): Project {
  const role = roleIn(principal, row.id) ?? 'reader';
  return { ...row, is_default: row.id === principal.defaultProjectId, role };
}

function ownFirst(one: Project, other: Project): number {
  const byName = one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1);
  return Number(other.is_default) - Number(one.is_default) || byName;
}

const member = z.object({
  user: z.string(),
  role,
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

const membersOutput = z.object({
  status: z.literal('ok'),
  project_id: z.string(),
  results: z.array(member),
  may_manage: z.boolean().describe('Whether you may add, change and remove members'),
});

export const listMembers: Operation<z.infer<typeof projectInput>, z.infer<typeof membersOutput>> = {
  name: 'project_members',
  summary: 'The members of a project and their roles',
  input: projectInput,
  output: membersOutput,
  async run({ records }, { principal }, input) {
    const projectId = resolveProject(principal, input.project_id);
    const rows = await records.accounts.membersOf(projectId);
    const results = rows.map(presentMember).sort((one, other) => (one.user < other.user ? -1 : 1));
    return { status: 'ok', project_id: projectId, results, may_manage: manages(principal, projectId) };
  },
};

const place = { project_id: projectId, user: textUpTo(200).min(1) };
const memberOutput = z.object({ status: z.literal('ok'), project_id: z.string(), member });

const setInput = z.strictObject({ ...place, role });

export const setMember: Operation<z.infer<typeof setInput>, z.infer<typeof memberOutput>> = {
  name: 'project_member_set',
  summary: 'Add a member to a project you manage, or change their role',
  input: setInput,
  output: memberOutput,
  async run(service, { principal }, { project_id, user, role }) {
    const projectId = managed(principal, project_id);
    const row = await addMember(administrationOf(service, principal), { projectId, user, role });
    return { status: 'ok', project_id: projectId, member: presentMember(row) };
  },
};

const removeInput = z.strictObject(place);

export const removeProjectMember: Operation<z.infer<typeof removeInput>, z.infer<typeof memberOutput>> = {
  name: 'project_member_remove',
  summary: 'Remove a member from a project you manage; the conversations they saved stay',
  input: removeInput,
  output: memberOutput,
  async run(service, { principal }, { project_id, user }) {
    const projectId = managed(principal, project_id);
    const row = await removeMember(administrationOf(service, principal), { projectId, user });
    return { status: 'ok', project_id: projectId, member: presentMember(row) };
  },
};

/** A writer gets the same error as a caller who cannot see the project. */
function managed(principal: Principal, id: string): string {
  const projectId = resolveProject(principal, id);
  if (manages(principal, projectId)) return projectId;
  throw new MemoryError('permission_denied', 'project access denied');
}

/** A private project has no other members, so there is nothing to manage. */
function manages(principal: Principal, projectId: string): boolean {
  return projectId !== principal.defaultProjectId && roleIn(principal, projectId) === 'admin';
}

function presentMember({ user_id, role, created_at, updated_at }: MemberRow): z.infer<typeof member> {
  return { user: user_id, role, created_at, updated_at };
}

const token = z.object({
  token_id: z.string(),
  token_prefix: z.string().describe('The first characters of the token'),
  display_name: z.string(),
  scopes: z.array(z.enum(allScopes)),
  created_at: z.string(),
  rotated_at: z.string().optional(),
  expires_at: z.string().optional(),
  revoked_at: z.string().optional(),
  last_used_at: z.string().optional(),
  current: z.boolean().describe('Whether this call used the token'),
});

const tokensOutput = z.object({ status: z.literal('ok'), results: z.array(token) });

/** Lists only the caller's own tokens. Tokens cannot create tokens; only the operator can. */
export const listTokens: Operation<object, z.infer<typeof tokensOutput>> = {
  name: 'token_list',
  summary: 'Your own tokens, without their values',
  input: z.strictObject({}),
  output: tokensOutput,
  async run({ records }, { principal }) {
    const rows = await records.accounts.tokens(principal.userId);
    const newestFirst = rows.sort((one, other) => (one.created_at > other.created_at ? -1 : 1));
    return { status: 'ok', results: newestFirst.map((row) => presentToken(row, principal.tokenId)) };
  },
};

const revokeInput = z.strictObject({ token_id: textUpTo(200).min(1).describe('The complete id') });
const revokeOutput = z.object({ status: z.literal('ok'), token });

export const revokeOwnToken: Operation<z.infer<typeof revokeInput>, z.infer<typeof revokeOutput>> = {
  name: 'token_revoke',
  summary: 'Revoke one of your own tokens; it stops working with the next request',
  input: revokeInput,
  output: revokeOutput,
  async run(service, { principal }, { token_id }) {
    const known = await service.records.accounts.token(token_id);
    if (known === undefined || known.user_id !== principal.userId) {
      throw new MemoryError('not_found', 'You have no token with this id');
    }
    const row = await revokeToken(administrationOf(service, principal), known.id);
    return { status: 'ok', token: presentToken(row, principal.tokenId) };
  },
};

function presentToken(
  { id, user_id: _, hash: __, scope_rule: ___, prefix, ...row }: TokenRow,
  current?: string,
): z.infer<typeof token> {
  return { token_id: id, token_prefix: prefix, ...row, current: id === current };
}

function administrationOf({ records, audit, now }: Service, { userId }: Principal): Administration {
  return { accounts: records.accounts, audit, now, actorId: userId };
}
