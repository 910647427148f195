import { createHash } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The canonical lower-case form, or undefined: two spellings of one UUID must not become two conversations. */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}

/**
 * The id of a conversation whose client-chosen id another project has, or may have. Derived from project and id, so that
 * the same client finds it again by the id it knows.
 */
export function idWithin(projectId: string, id: string): string {
  const hex = createHash('sha256').update(`threadkeep:conversation:${projectId}:${id}`).digest('hex');
  // Version 8 and variant bits of RFC 9562: a custom UUID.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Project ids become part of partition keys, so `:` is not allowed. */
export const projectIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export const localProjectId = 'local-default';

/** The user when authentication is off. */
export const localUserId = 'local';

/** User names, which may be e-mail addresses. `:` is not allowed, because names become part of keys. */
export const userNamePattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;
