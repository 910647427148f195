import { createHash } from 'node:crypto';
import type { UserRow } from '../records/account-rows.js';
import { inserted } from '../records/accounts.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import { type Administration, newUser, userChanges } from './users.js';

export interface Identity {
  issuer: string;
  subject: string;
  /** How the issuer calls them, for people to read. */
  label?: string | undefined;
}

/**
 * The user behind an identity of an issuer; made when it is seen for the first time, with a private project. Two issuers
 * never share a user, whatever names or addresses they claim.
 */
export async function userOf(administration: Administration, identity: Identity): Promise<UserRow> {
  const { accounts, audit, now } = administration;
  const { issuer, subject } = identity;
  const id = createHash('sha256').update(`${issuer}\n${subject}`).digest('hex');
  const known = await accounts.identity(id);
  const user = known === undefined ? undefined : await accounts.user(known.user_id);
  if (user !== undefined) return user;
  const label = identity.label
    ?.replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 200);
  const created = newUser(`user_${id.slice(0, 20)}`, label === '' ? undefined : label, now());
  const row = { id, issuer, subject, user_id: created.id, created_at: created.created_at };
  try {
    await accounts.write([...userChanges(created), inserted('identities', row)]);
  } catch (error) {
    // The same person came in twice at once: the other one was faster.
    if (error instanceof WriteConflict) return userOf(administration, identity);
    throw error;
  }
  await audit.record({ event: 'user_created', userId: created.id, reason: 'first_sign_in' });
  return created;
}
