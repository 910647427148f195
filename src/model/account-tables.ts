/** Who may use the service, and what they did that has to be remembered. A part of tables.ts. */
export const accountTables = [
  {
    /** The id is the name that people type. */
    name: 'users',
    columns: {
      display_name: { type: 'text', optional: true },
      default_project_id: { type: 'text' },
      created_at: { type: 'text' },
      disabled_at: { type: 'text', optional: true },
    },
    unique: [['default_project_id']],
  },
  {
    name: 'tokens',
    columns: {
      user_id: { type: 'text' },
      display_name: { type: 'text', optional: true },
      /** SHA-256 of the token: the token itself is nowhere. */
      hash: { type: 'text' },
      /** Its first characters, so that a person recognises it. */
      prefix: { type: 'text' },
      scopes: { type: 'json' },
      /** Which rule its scopes were given under; absent in tokens from before `memory:manage`. */
      scope_rule: { type: 'integer', optional: true },
      created_at: { type: 'text' },
      rotated_at: { type: 'text', optional: true },
      expires_at: { type: 'text', optional: true },
      revoked_at: { type: 'text', optional: true },
      last_used_at: { type: 'text', optional: true },
      /** The application that acts with it after a person allowed it; its value changes with every refresh. */
      client_id: { type: 'text', optional: true },
    },
    unique: [['hash']],
    indexes: [['user_id']],
  },
  {
    name: 'projects',
    columns: {
      owner_id: { type: 'text' },
      name: { type: 'text' },
      description: { type: 'text', optional: true },
      created_at: { type: 'text' },
      updated_at: { type: 'text' },
    },
    indexes: [['owner_id']],
  },
  {
    name: 'members',
    columns: {
      project_id: { type: 'text' },
      user_id: { type: 'text' },
      role: { type: 'text' },
      created_at: { type: 'text' },
      updated_at: { type: 'text' },
    },
    indexes: [['user_id'], ['project_id']],
  },
  {
    /** Who someone is at an issuer of identities; the id is a hash of both. */
    name: 'identities',
    columns: {
      issuer: { type: 'text' },
      subject: { type: 'text' },
      user_id: { type: 'text' },
      created_at: { type: 'text' },
    },
    indexes: [['user_id']],
  },
  {
    /** OAuth clients: registered ones, and those described by a document at their id. */
    name: 'clients',
    columns: {
      name: { type: 'text' },
      redirect_uris: { type: 'json' },
      kind: { type: 'text' },
      created_at: { type: 'text' },
      /** When a person first let it in. */
      trusted_at: { type: 'text', optional: true },
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
      kind: { type: 'text' },
      /** `open` or `used`. */
      state: { type: 'text' },
      user_id: { type: 'text', optional: true },
      token_id: { type: 'text', optional: true },
      data: { type: 'json' },
      created_at: { type: 'text' },
      expires_at: { type: 'text' },
    },
    indexes: [['expires_at'], ['token_id'], ['user_id']],
  },
  {
    /** Security events. Equal ones close together are one row with a count. */
    name: 'audit',
    columns: {
      at: { type: 'text' },
      event: { type: 'text' },
      user_id: { type: 'text', optional: true },
      token_id: { type: 'text', optional: true },
      project_id: { type: 'text', optional: true },
      client_id: { type: 'text', optional: true },
      /** A word from a closed list, such as why a token was refused. */
      reason: { type: 'text', optional: true },
      /** Who did it, where that is not the user it is about. */
      actor_id: { type: 'text', optional: true },
      /** Ids of conversations or facts. */
      targets: { type: 'json', optional: true },
      count: { type: 'integer' },
    },
    indexes: [['at'], ['user_id', 'at'], ['actor_id', 'at'], ['event', 'at']],
  },
] as const;
