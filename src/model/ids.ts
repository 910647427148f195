const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The canonical lower-case form, or undefined: one UUID must never be two memories because of its spelling. */
export function canonicalUuid(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  return uuidPattern.test(lower) ? lower : undefined;
}

/** Project ids end up in scopes, so `:` is left out of them. */
export const projectIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export const localProjectId = 'local-default';

/** The person at this machine, when nobody has to prove who they are. */
export const localUserId = 'local';

/** Names of users: what a person types, also an e-mail address. `:` is left out, because names end up in keys. */
export const userNamePattern = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/;
