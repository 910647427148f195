import type { DiskRecord } from './recording.mjs';

export interface Pending {
  serial: number;
  kind: 'write' | 'truncate';
  offset: number;
  data: Buffer;
}
interface DiskFile {
  durable: Buffer;
  pending: Pending[];
}
export function createDisk(): {
  apply(record: DiskRecord): void;
  epoch(): number;
  current(): { name: string; content: Buffer }[];
  names(): { now: Map<string, DiskFile>; certain: Map<string, DiskFile> };
};
export function contentOf(
  durable: Buffer,
  pending: readonly Pending[],
  arrived?: (change: Pending) => 'all' | 'none' | boolean[],
  unwritten?: number,
): Buffer;
