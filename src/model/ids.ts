import { createHash } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The canonical lower-case form, or undefined: one UUID must never be two memories because of its spelling. */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}

/**
 * The id of a memory whose sender chose one that another project has already. Made from both, so that the same sender
 * finds the same memory again by the id they know.
 */
export function idWithin(projectId: string, id: string): string {
  const hex = createHash('sha256').update(`threadkeep:conversation:${projectId}:${id}`).digest('hex');
  // Version 8 and the variant of RFC 9562: a UUID of our own making.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Project ids end up in scopes, so `:` is left out of them. */
export const projectIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export const localProjectId = 'local-default';

/** The person at this machine, when nobody has to prove who they are. */
export const localUserId = 'local';

/** Names of users: what a person types, also an e-mail address. `:` is left out, because names end up in keys. */
export const userNamePattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;
