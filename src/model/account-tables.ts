import type { ProjectRole, Scope } from './access.js';
import { integer, json, optional, text } from './columns.js';

export type HandleKind = 'session' | 'sign_in' | 'consent' | 'code' | 'refresh';

/** Tables for accounts and security events. Part of tables.ts. */
export const accountTables = [
  {
    /** The id is the user name. */
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
      /** SHA-256 of the token: the token itself is not stored. */
      hash: text(),
      /** Its first characters, so that people recognise it. */
      prefix: text(),
      scopes: json<Scope[]>(),
      /** The version of the rule that granted its scopes; absent in tokens older than `memory:manage`. */
      scope_rule: optional(integer()),
      created_at: text(),
      rotated_at: optional(text()),
      expires_at: optional(text()),
      revoked_at: optional(text()),
      last_used_at: optional(text()),
      /** The OAuth client it was issued to; its value changes with every refresh. */
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
    /** External identities; the id is a hash of issuer and subject. */
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
    /** OAuth clients: registered ones, and those described by a metadata document at their id. */
    name: 'clients',
    columns: {
      name: text(),
      redirect_uris: json<string[]>(),
      kind: text<'registered' | 'document'>(),
      created_at: text(),
      /** When a user first approved it. */
      trusted_at: optional(text()),
    },
    indexes: [['kind', 'created_at']],
  },
  {
    /**
     * Secrets that prove something when presented: a browser session, a pending sign-in, an authorization code, a
     * refresh token. The id is the hash of the secret.
     */
    name: 'handles',
    columns: {
      kind: text<HandleKind>(),
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
    /** Security events. Equal events close together are one row with a count. */
    name: 'audit',
    columns: {
      at: text(),
      event: text(),
      user_id: optional(text()),
      token_id: optional(text()),
      project_id: optional(text()),
      client_id: optional(text()),
      /** A word from a closed list, such as why a token was rejected. */
      reason: optional(text()),
      /** The acting user, if not the user the event is about. */
      actor_id: optional(text()),
      /** Ids of conversations or facts. */
      targets: optional(json<string[]>()),
      count: integer(),
    },
    indexes: [['at'], ['user_id', 'at'], ['actor_id', 'at'], ['event', 'at']],
  },
] as const;
