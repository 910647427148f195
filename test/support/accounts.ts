import { onTestFinished } from 'vitest';
import { openCallers } from '../../src/app/open-callers.js';
import { openMetadata } from '../../src/app/open-metadata.js';
import { createToken } from '../../src/auth/tokens.js';
import { createUser } from '../../src/auth/users.js';
import { openRecords } from '../../src/records/open.js';
import { type Answer, aFolder, configIn, type TestService } from './service.js';

export interface TestUser {
  name: string;
  token: string;
  tokenId: string;
  /** A POST of JSON with the token. */
  post(path: string, body: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

/** A user with a token for everything, or for the given scopes. */
export async function aUser(service: TestService, name: string, scopes?: readonly string[]): Promise<TestUser> {
  const { administration } = service.runtime.access;
  if ((await administration.accounts.user(name)) === undefined) await createUser(administration, { name });
  const { token, row } = await createToken(administration, { user: name, scopes });
  return { name, token, tokenId: row.id, ...callsWith(service, token) };
}

export function callsWith(service: TestService, token: string): Pick<TestUser, 'post' | 'get'> {
  const authorization = `Bearer ${token}`;
  return {
    get: (path) => service.send(path, { headers: { authorization } }),
    post: (path, body) =>
      service.send(path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

export const bearer = { api: { auth: 'bearer_token' } } as const;

const silent = { log() {}, count() {}, duration() {} };

/** The accounts of a folder, as the admin commands open them. */
export async function accountsIn(folder: string) {
  const config = await configIn(folder, bearer);
  const metadata = await openMetadata(config, { log() {} });
  onTestFinished(metadata.close);
  const now = () => new Date().toISOString();
  return openCallers({ config, records: openRecords(metadata, now), observer: silent, now });
}

export async function someAccounts() {
  return accountsIn(await aFolder());
}
