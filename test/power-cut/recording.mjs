/** A recording: what shim.c wrote down and the marks of record.mjs, in the order in which they happened. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

export const kinds = {
  1: 'create',
  2: 'write',
  3: 'truncate',
  4: 'sync',
  5: 'unlink',
  6: 'rename',
  7: 'make-folder',
  8: 'sync-folder',
  9: 'mark',
};
const HEADER = 16;

/** @returns {{ kind: string, name: string, offset: number, data: Buffer }[]} */
export function readRecords(bytes) {
  const records = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < HEADER) throw new Error('the recording ends in the middle of a record');
    const kind = kinds[bytes.readUInt8(at)];
    if (kind === undefined) throw new Error(`unknown record at ${at}`);
    const names = at + HEADER;
    const data = names + bytes.readUInt16LE(at + 2);
    const end = data + bytes.readUInt32LE(at + 4);
    records.push({
      kind,
      name: bytes.toString('utf8', names, data),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      data: bytes.subarray(data, end),
    });
    at = end;
  }
  return records;
}

/** The bytes that `readRecords` reads. */
export function recordBytes({ kind, name, offset, data }) {
  const header = Buffer.alloc(HEADER);
  header.writeUInt8(Number(Object.keys(kinds).find((number) => kinds[number] === kind)), 0);
  header.writeUInt16LE(Buffer.byteLength(name), 2);
  header.writeUInt32LE(data.length, 4);
  header.writeBigUInt64LE(BigInt(offset), 8);
  return Buffer.concat([header, Buffer.from(name), data]);
}

/** What a client saw at this moment, as a record of its own. */
export function markBytes(value) {
  return recordBytes({ kind: 'mark', name: '', offset: 0, data: Buffer.from(JSON.stringify(value)) });
}

/** Consecutive versions of a page differ little, so a wide window makes a recording small. */
export function pack(bytes) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

export function unpack(bytes) {
  return brotliDecompressSync(bytes);
}
