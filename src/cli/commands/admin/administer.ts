import type { Administration } from '../../../auth/users.js';
import type { Invocation } from '../../command.js';
import { loadConfigFor, observerFor } from '../../open.js';
import { printable } from '../../style.js';

/** Opens the accounts for one command. `changes` is false for one that only looks. */
export async function administer<T>(
  invocation: Pick<Invocation, 'shared' | 'secrets'>,
  { changes }: { changes: boolean },
  run: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { config } = await loadConfigFor(invocation);
  const observer = await observerFor(invocation, config);
  const { withAdministration } = await import('../../../app/open-administration.js');
  return withAdministration({ config, observer, changes }, run);
}

/** One line a row, its cells in columns. */
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

/** `2026-05-02 18:30`: enough to recognise a moment. */
export function moment(time: string | undefined): string | undefined {
  return time?.slice(0, 16).replace('T', ' ');
}
