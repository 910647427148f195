import { createHash, randomBytes } from 'node:crypto';
import { invalidInput, MemoryError } from '../model/errors.js';
import { localUserId, userNamePattern } from '../model/ids.js';
import { memberId, namedUser, type UserRow } from '../records/account-rows.js';
import { type AccountRecords, inserted, patched } from '../records/accounts.js';
import type { Change } from '../records/store.js';
import { WriteConflict } from '../stores/metadata/contract.js';
import type { Audit } from './audit.js';

/** The dependencies of account changes. */
export interface Administration {
  accounts: AccountRecords;
  audit: Audit;
  now: () => string;
  /** The acting user; absent for an operator at the command line. */
  actorId?: string;
}

const longestDisplayName = 200;

/** Creates a user and their private project. */
export async function createUser(
  { accounts, audit, now }: Administration,
  { name, displayName }: { name: string; displayName?: string | undefined },
): Promise<UserRow> {
  if (!userNamePattern.test(name)) {
    throw invalidInput('name', 'must be 1 to 128 letters, digits or . _ @ + - and begin with a letter or digit');
  }
  if (name === localUserId)
    throw invalidInput('name', `must not be ${localUserId}: that name is reserved for the local user`);
  const user = newUser(name, checkedLabel('display_name', displayName), now());
  await orConflict(accounts.write(userChanges(user)), 'A user with this name already exists');
  await audit.record({ event: 'user_created', userId: user.id });
  return user;
}

function newUser(id: string, displayName: string | undefined, now: string): UserRow {
  const default_project_id = `private-${randomBytes(16).toString('hex')}`;
  return namedUser({
    id,
    ...(displayName === undefined ? {} : { display_name: displayName }),
    default_project_id,
    created_at: now,
  });
}

/** The user, their private project and their membership, to be written atomically. */
function userChanges(user: UserRow): Change[] {
  const { id, default_project_id: project, created_at } = user;
  const times = { created_at, updated_at: created_at };
  return [
    inserted('users', user),
    inserted('projects', { id: project, owner_id: id, name: 'Private', ...times }),
    inserted('members', { id: memberId(project, id), project_id: project, user_id: id, role: 'admin', ...times }),
  ];
}

/** A disabled user's tokens are rejected from the next request on; none of their data is removed. */
export async function setUserDisabled(
  administration: Administration,
  name: string,
  { disabled }: { disabled: boolean },
): Promise<UserRow> {
  const { accounts, audit, now } = administration;
  const user = await requireUser(accounts, name);
  if ((user.disabled_at !== undefined) === disabled) return user;
  const { disabled_at: _, ...enabled } = user;
  const changed: UserRow = disabled ? { ...enabled, disabled_at: now() } : enabled;
  await accounts.write([patched('users', name, { disabled_at: changed.disabled_at })]);
  await audit.record({ event: disabled ? 'user_disabled' : 'user_enabled', userId: name });
  return changed;
}

export async function requireUser(accounts: AccountRecords, name: string): Promise<UserRow> {
  const user = await accounts.user(name);
  if (user === undefined) throw new MemoryError('not_found', 'There is no user with this name; see admin user list');
  return user;
}

/** Validates a display name: no control characters, which could move the cursor of a terminal that prints it. */
export function checkedLabel(field: string, text: string | undefined): string | undefined {
  const label = text?.trim();
  if (label === undefined || label === '') return undefined;
  if (label.length > longestDisplayName || /\p{Cc}/u.test(label)) {
    throw invalidInput(field, `must be at most ${longestDisplayName} characters on one line`);
  }
  return label;
}

/** Turns a write conflict into a `conflict` error: the object already exists. */
export async function orConflict(work: Promise<void>, message: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof WriteConflict) throw new MemoryError('duplicate_conflict', message);
    throw error;
  }
}

export interface Identity {
  issuer: string;
  subject: string;
  /** The display name from the issuer. */
  label?: string | undefined;
}

/**
 * The user of an external identity, created with a private project when first seen. Users are never shared between
 * issuers, whatever names or addresses they claim.
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
    // Two concurrent sign-ins of the same person: the other one created the user.
    if (error instanceof WriteConflict) return userOf(administration, identity);
    throw error;
  }
  await audit.record({ event: 'user_created', userId: created.id, reason: 'first_sign_in' });
  return created;
}
