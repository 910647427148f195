export interface DiskRecord {
  kind: 'create' | 'write' | 'truncate' | 'sync' | 'unlink' | 'rename' | 'make-folder' | 'sync-folder' | 'mark';
  name: string;
  offset: number;
  data: Buffer;
}
export function readRecords(bytes: Buffer): DiskRecord[];
export function recordBytes(record: DiskRecord): Buffer;
export function pack(bytes: Buffer): Buffer;
export function unpack(bytes: Buffer): Buffer;
