import { auditEvents } from '../../../auth/audit.js';
import type { Administration } from '../../../auth/users.js';
import type { AuditRow, UserRow } from '../../../records/account-rows.js';
import type { Command, Invocation, Result } from '../../command.js';
import { loadConfigFor, observerFor } from '../../open.js';
import { printable } from '../../terminal.js';

export const userCreate: Command<{ displayName?: string }> = {
  name: 'admin user create',
  operator: true,
  arguments: [{ name: '<name>', text: 'Letters, digits and . _ @ + -' }],
  summary: 'Create a user with a private project',
  options: [{ flags: '--display-name <text>', text: 'Display name (default: the user name)' }],
  examples: ['threadkeep admin user create nora --display-name "Nora Lind"'],
  async run(invocation) {
    const { createUser } = await import('../../../auth/users.js');
    const [name = ''] = invocation.args;
    const user = await administer(invocation, { changes: true }, (administration) =>
      createUser(administration, { name, displayName: invocation.options.displayName }),
    );
    return userResult(user, 'Created');
  },
};

export const userList: Command = {
  name: 'admin user list',
  operator: true,
  summary: 'List users',
  examples: ['threadkeep admin user list', 'threadkeep admin user list --json'],
  async run(invocation) {
    const users = await administer(invocation, { changes: false }, ({ accounts }) => accounts.users());
    const rows = users.map(({ id, display_name, created_at, disabled_at }) => {
      return [id, display_name, `created ${moment(created_at)}`, disabled_at && `disabled ${moment(disabled_at)}`];
    });
    return { json: { status: 'ok', results: users.map(shown) }, text: () => table(rows, 'no users') };
  },
};

export const userDisable = switching('disable', 'Disable a user: their tokens stop working with the next request');
export const userEnable = switching('enable', 'Enable a disabled user');

function switching(word: 'disable' | 'enable', summary: string): Command {
  return {
    name: `admin user ${word}`,
    operator: true,
    arguments: [{ name: '<name>', text: 'The user' }],
    summary,
    examples: [`threadkeep admin user ${word} nora`],
    async run(invocation) {
      const { setUserDisabled } = await import('../../../auth/users.js');
      const [name = ''] = invocation.args;
      const user = await administer(invocation, { changes: true }, (administration) =>
        setUserDisabled(administration, name, { disabled: word === 'disable' }),
      );
      return userResult(user, word === 'disable' ? 'Disabled' : 'Enabled');
    },
  };
}

function userResult(user: UserRow, done: string): Result {
  const name = user.display_name === user.id ? user.id : `${user.id} (${printable(user.display_name)})`;
  return { json: { status: 'ok', user: shown(user) }, text: (style) => `${done} ${style.strong(name)}` };
}

function shown({ id, ...rest }: UserRow): object {
  return { name: id, ...rest };
}

/** Opens the accounts for one command. `changes` is false for a read-only command. */
export async function administer<T>(
  invocation: Pick<Invocation, 'shared' | 'secrets'>,
  { changes }: { changes: boolean },
  run: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { config } = await loadConfigFor(invocation);
  const observer = await observerFor(invocation, config);
  const { withAdministration } = await import('../../../app/open-callers.js');
  return withAdministration({ config, observer, changes }, run);
}

/** One line per row, with aligned columns. */
export function table(rows: readonly (readonly (string | undefined)[])[], empty: string): string {
  if (rows.length === 0) return empty;
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => printable(cell ?? '').padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-05-02 18:30`: short, for lists. */
export function moment(time: string | undefined): string | undefined {
  return time?.slice(0, 16).replace('T', ' ');
}

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
    { flags: '--user <name>', text: 'Only events about this user or caused by them' },
    { flags: '--event <event>', text: 'Only this kind of event', choices: auditEvents },
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

/** A text line has room for one id; `--json` lists them all. */
function targetsOf({ targets = [] }: AuditRow): string | undefined {
  const [first] = targets;
  return first === undefined || targets.length === 1 ? first : `${first} …`;
}
