import { auditEvents } from '../../../auth/audit.js';
import type { AuditRow } from '../../../records/account-rows.js';
import type { Command } from '../../command.js';
import { administer, table } from './users.js';

interface AuditOptions {
  limit?: number;
  user?: string;
  event?: string;
  since?: string;
}

export const audit: Command<AuditOptions> = {
  name: 'admin audit',
  operator: true,
  summary: 'Show security events, newest first',
  options: [
    { flags: '--limit <n>', text: 'How many (default: 50)', kind: 'count' },
    { flags: '--user <name>', text: 'Only what is about this user or was done by them' },
    { flags: '--event <event>', text: 'Only of this kind', choices: auditEvents },
    { flags: '--since <date>', text: 'Only from this date or time on (UTC)' },
  ],
  examples: [
    'threadkeep admin audit',
    'threadkeep admin audit --user nora --since 2026-05-01',
    'threadkeep admin audit --event access_denied --json',
    'threadkeep admin audit --event memory_forgotten --user nora',
  ],
  async run(invocation) {
    const { limit = 50, user, event, since } = invocation.options;
    const { utcTime } = await import('../../../model/time.js');
    const { invalidInput } = await import('../../../model/errors.js');
    const from = since === undefined ? undefined : utcTime(since);
    if (since !== undefined && from === undefined) throw invalidInput('since', 'must be a date or a time');
    const rows = await administer(invocation, { changes: false }, (administration) =>
      administration.audit.newest({ event, userId: user, from, limit }),
    );
    const lines = rows.map((row) => [
      row.at.slice(0, 19).replace('T', ' '),
      row.event,
      row.user_id,
      [row.token_id, row.client_id, row.project_id, row.reason, by(row), targetsOf(row)]
        .filter((part) => part !== undefined)
        .join(' '),
      row.count === 1 ? undefined : row.targets === undefined ? `${row.count} times` : `${row.count} in all`,
    ]);
    return { json: { status: 'ok', results: rows }, text: () => table(lines, 'no events') };
  },
};

function by({ actor_id, user_id }: AuditRow): string | undefined {
  return actor_id === undefined || actor_id === user_id ? undefined : `by ${actor_id}`;
}

/** A line for people has room for one; `--json` gives them all. */
function targetsOf({ targets = [] }: AuditRow): string | undefined {
  const [first] = targets;
  return first === undefined || targets.length === 1 ? first : `${first} …`;
}
