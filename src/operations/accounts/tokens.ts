import { z } from 'zod';
import { revokeToken } from '../../auth/tokens.js';
import { allScopes } from '../../model/access.js';
import { MemoryError } from '../../model/errors.js';
import type { TokenRow } from '../../records/account-rows.js';
import { textUpTo } from '../fields.js';
import type { Operation } from '../operation.js';
import { administrationOf } from './administration.js';

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

const listOutput = z.object({ status: z.literal('ok'), results: z.array(token) });

/** One's own only. A token cannot make tokens: that is for whoever runs the service. */
export const listTokens: Operation<object, z.infer<typeof listOutput>> = {
  name: 'token_list',
  summary: 'Your own tokens, without their values',
  input: z.strictObject({}),
  output: listOutput,
  async run({ records }, { principal }) {
    const rows = await records.accounts.tokens(principal.userId);
    const newestFirst = rows.sort((one, other) => (one.created_at > other.created_at ? -1 : 1));
    return { status: 'ok', results: newestFirst.map((row) => present(row, principal.tokenId)) };
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
    return { status: 'ok', token: present(row, principal.tokenId) };
  },
};

function present(
  { id, user_id: _, hash: __, scope_rule: ___, prefix, ...row }: TokenRow,
  current?: string,
): z.infer<typeof token> {
  return { token_id: id, token_prefix: prefix, ...row, current: id === current };
}
