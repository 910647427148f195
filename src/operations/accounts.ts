import { z } from 'zod';
import { resolveProject, roleIn } from '../auth/access.js';
import { addMember, removeMember } from '../auth/projects.js';
import { revokeToken } from '../auth/tokens.js';
import type { Administration } from '../auth/users.js';
import { allScopes, type Principal, projectRoles } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import type { MemberRow, TokenRow } from '../records/account-rows.js';
import { projectId, textUpTo } from './fields.js';
import type { Operation } from './operation.js';
import type { Service } from './service.js';

const member = z.object({
  user: z.string(),
  role: z.enum(projectRoles),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

const listInput = z.strictObject({ project_id: projectId });
const membersOutput = z.object({
  status: z.literal('ok'),
  project_id: z.string(),
  results: z.array(member),
  may_manage: z.boolean().describe('Whether you may add, change and remove members'),
});

export const listMembers: Operation<z.infer<typeof listInput>, z.infer<typeof membersOutput>> = {
  name: 'project_members',
  summary: 'Who is in a project, with which role',
  input: listInput,
  output: membersOutput,
  async run({ records }, { principal }, input) {
    const projectId = resolveProject(principal, input.project_id);
    const rows = await records.accounts.membersOf(projectId);
    const results = rows.map(presentMember).sort((one, other) => (one.user < other.user ? -1 : 1));
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
    return { status: 'ok', project_id: projectId, member: presentMember(row) };
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
  token_prefix: z.string().describe('How it begins'),
  display_name: z.string(),
  scopes: z.array(z.enum(allScopes)),
  created_at: z.string(),
  rotated_at: z.string().optional(),
  expires_at: z.string().optional(),
  revoked_at: z.string().optional(),
  last_used_at: z.string().optional(),
  current: z.boolean().describe('The token of this very call'),
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

const revokeInput = z.strictObject({ token_id: textUpTo(200).min(1).describe('Its whole id') });
const revokeOutput = z.object({ status: z.literal('ok'), token });

export const revokeOwnToken: Operation<z.infer<typeof revokeInput>, z.infer<typeof revokeOutput>> = {
  name: 'token_revoke',
  summary: 'Refuse one of your own tokens from the next request on',
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
