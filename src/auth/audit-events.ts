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
  'access_denied',
  'project_created',
  'member_added',
  'member_removed',
  'role_changed',
] as const;

export type AuditEventName = (typeof auditEvents)[number];
