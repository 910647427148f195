import { StartupError } from '../model/errors.js';
import type { Records } from '../records/open.js';

/** The setting that says which backup is being restored; gone when everything is there. */
export const restoreMark = 'restore';

export async function refuseUnfinishedRestore({ settings }: Pick<Records, 'settings'>): Promise<void> {
  if ((await settings.get(restoreMark)) === undefined) return;
  throw new StartupError('restore_unfinished', 'A restore into this store did not reach its end.', {
    hint: 'Run `threadkeep restore` with the same file again; it goes on where it stopped.',
  });
}
