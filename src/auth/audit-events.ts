/** Everything the audit log can say. */
export const auditEvents = [
  'user_created',
  'user_disabled',
  'user_enabled',
  'token_created',
  'token_first_used',
  'token_rotated',
  'token_revoked',
  'token_refused',
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'client_registered',
  'consent_given',
  'consent_denied',
  'code_replayed',
  'refresh_replayed',
  'access_denied',
  'project_created',
  'member_added',
  'member_removed',
  'role_changed',
] as const;

export type AuditEventName = (typeof auditEvents)[number];
