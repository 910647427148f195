import { StartupError } from '../model/errors.js';
import type { Records } from '../records/open.js';

/** The setting that says which backup is being restored; gone when everything is there. */
export const restoreMark = 'restore';

/** The setting that says which installation is being copied into this one, and how far that is. */
export const migrationMark = 'migration';

/** `vectors`: every row is there and checked, and only vectors are still being made. */
export type Migration = {
  source: string;
  stage: 'rows' | 'vectors';
};

export async function refuseUnfinishedRestore({ settings }: Pick<Records, 'settings'>): Promise<void> {
  const migration = (await settings.get(migrationMark)) as Migration | undefined;
  if (migration?.stage === 'rows') {
    throw new StartupError('restore_unfinished', 'A migration into this store did not reach its end.', {
      hint: 'Run `threadkeep migrate` with the same two configurations again; it goes on where it stopped.',
    });
  }
  if ((await settings.get(restoreMark)) === undefined) return;
  throw new StartupError('restore_unfinished', 'A restore into this store did not reach its end.', {
    hint: 'Run `threadkeep restore` with the same file again; it goes on where it stopped.',
  });
}
