import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Why a test on a disk of its own cannot run here; undefined when it can. */
export const whyNoDisk = ((): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small disk needs Linux and root';
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-disk-'));
  const mounted = mount(folder, 1);
  if (mounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return mounted ? undefined : 'this machine does not let us mount a small disk';
})();

export interface SmallDisk {
  folder: string;
  /** Not while a file on it is open for writing. */
  makeReadOnly(): void;
}

/** A real file system of this many megabytes, gone after the test. */
export function aSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'threadkeep-disk-'));
  if (!mount(folder, megabytes)) throw new Error('the disk could not be mounted');
  onTestFinished(() => {
    // Also while a dying process still holds a file on it.
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    makeReadOnly() {
      const { status } = spawnSync('mount', ['-o', 'remount,ro', folder]);
      if (status !== 0) throw new Error('the disk could not be made read-only');
    },
  };
}

function mount(folder: string, megabytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status === 0;
}
