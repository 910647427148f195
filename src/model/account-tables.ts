import type { ProjectRole, Scope } from './access.js';
import { integer, json, optional, text } from './columns.js';

export type HandleKind = 'session' | 'sign_in' | 'consent' | 'code' | 'refresh';

/** Who may use the service, and what they did that has to be remembered. A part of tables.ts. */
export const accountTables = [
  {
    /** The id is the name that people type. */
    name: 'users',
    columns: {
      display_name: optional(text()),
      default_project_id: text(),
      created_at: text(),
      disabled_at: optional(text()),
    },
    unique: [['default_project_id']],
  },
  {
    name: 'tokens',
    columns: {
      user_id: text(),
      display_name: optional(text()),
      /** SHA-256 of the token: the token itself is nowhere. */
      hash: text(),
      /** Its first characters, so that a person recognises it. */
      prefix: text(),
      scopes: json<Scope[]>(),
      /** Which rule its scopes were given under; absent in tokens from before `memory:manage`. */
      scope_rule: optional(integer()),
      created_at: text(),
      rotated_at: optional(text()),
      expires_at: optional(text()),
      revoked_at: optional(text()),
      last_used_at: optional(text()),
      /** The application that acts with it after a person allowed it; its value changes with every refresh. */
      client_id: optional(text()),
    },
    unique: [['hash']],
    indexes: [['user_id']],
  },
  {
    name: 'projects',
    columns: {
      owner_id: text(),
      name: text(),
      description: optional(text()),
      created_at: text(),
      updated_at: text(),
    },
    indexes: [['owner_id']],
  },
  {
    name: 'members',
    columns: {
      project_id: text(),
      user_id: text(),
      role: text<ProjectRole>(),
      created_at: text(),
      updated_at: text(),
    },
    indexes: [['user_id'], ['project_id']],
  },
  {
    /** Who someone is at an issuer of identities; the id is a hash of both. */
    name: 'identities',
    columns: {
      issuer: text(),
      subject: text(),
      user_id: text(),
      created_at: text(),
    },
    indexes: [['user_id']],
  },
  {
    /** OAuth clients: registered ones, and those described by a document at their id. */
    name: 'clients',
    columns: {
      name: text(),
      redirect_uris: json<string[]>(),
      kind: text<'registered' | 'document'>(),
      created_at: text(),
      /** When a person first let it in. */
      trusted_at: optional(text()),
    },
    indexes: [['kind', 'created_at']],
  },
  {
    /**
     * What someone proves by showing a random value: a browser session, a sign-in under way, an authorization code, a
     * refresh token. The id is the hash of that value.
     */
    name: 'handles',
    columns: {
      kind: text<HandleKind>(),
      /** `open` or `used`. */
      state: text<'open' | 'used'>(),
      user_id: optional(text()),
      token_id: optional(text()),
      data: json<Record<string, string>>(),
      created_at: text(),
      expires_at: text(),
    },
    indexes: [['expires_at'], ['token_id'], ['user_id']],
  },
  {
    /** Security events. Equal ones close together are one row with a count. */
    name: 'audit',
    columns: {
      at: text(),
      event: text(),
      user_id: optional(text()),
      token_id: optional(text()),
      project_id: optional(text()),
      client_id: optional(text()),
      /** A word from a closed list, such as why a token was refused. */
      reason: optional(text()),
      /** Who did it, where that is not the user it is about. */
      actor_id: optional(text()),
      /** Ids of conversations or facts. */
      targets: optional(json<string[]>()),
      count: integer(),
    },
    indexes: [['at'], ['user_id', 'at'], ['actor_id', 'at'], ['event', 'at']],
  },
] as const;
