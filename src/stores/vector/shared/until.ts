import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 120_000;
const LONGEST_PAUSE = 2_000;

/**
 * Polls with growing pauses until the check passes: for services that finish a write or an index build later.
 * Throws when it takes two minutes.
 */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MILLISECONDS;
  for (let pause = 20; !(await isSo()); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    if (performance.now() > end) throw new Error(`Timed out waiting until ${what}.`);
    await delay(pause);
  }
}
