import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aUser } from '../support/accounts.js';
import { createFaults } from '../support/faults/faults.mjs';
import { aService } from '../support/service.js';

const rules = { resource: 'http://127.0.0.1/mcp', issuer: 'http://127.0.0.1' };
const redirect_uri = 'http://127.0.0.1/back';
const client = {
  id: 'client_1',
  name: 'Test client',
  redirect_uris: [redirect_uri],
  kind: 'registered' as const,
  created_at: '2026-11-15T08:00:00Z',
};
const verifier = 'v'.repeat(43);

describe('a refresh token', () => {
  it('can be shown again after the store failed to renew it, whichever write it failed at', async () => {
    const faults = createFaults();
    const service = await aService({ api: { auth: 'oauth_resource_server' } }, { around: faults.around });
    const { name } = await aUser(service, 'nora');
    const grants = service.runtime.access.oauth?.connect?.grants;
    if (grants === undefined) throw new Error('nobody issues tokens');
    const code = await grants.code(
      name,
      {
        client,
        redirectUri: redirect_uri,
        scopes: ['memory:read'],
        codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
      },
      ['memory:read'],
    );
    const shown = { code, client_id: client.id, redirect_uri, code_verifier: verifier };
    let { refresh_token } = await grants.exchange(new URLSearchParams(shown), rules);
    const refresh = () => grants.refresh(new URLSearchParams({ client_id: client.id, refresh_token }), rules);
    for (const write of [1, 2, 3, 4]) {
      faults.set({ on: 'metadata.write', fault: 'error', at: [faults.calls('metadata.write') + write] });
      const renewed = await refresh().then(
        (answer) => answer,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'metadata_unavailable' });
          return undefined;
        },
      );
      faults.clear();
      ({ refresh_token } = renewed ?? (await refresh()));
    }
    expect(refresh_token).toBeTypeOf('string');
  });
});
