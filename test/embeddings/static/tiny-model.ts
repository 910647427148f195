import { createHash } from 'node:crypto';

/**
 * The two files of a model with one row per piece, small enough to check by hand. With `englishRows` it is of version 2,
 * and the rows after so many belong to other languages.
 */
export function tinyModel(
  rows: Record<string, number[]>,
  { countOnce = false, englishRows }: { countOnce?: boolean; englishRows?: number } = {},
) {
  const pieces = Object.keys(rows);
  const dimension = Object.values(rows)[0]?.length ?? 0;
  const vocabulary = Buffer.from(pieces.map((piece) => `${piece}\n`).join(''));
  const body = Buffer.alloc(pieces.length * (4 + dimension));
  for (const [place, piece] of pieces.entries()) {
    body.writeFloatLE(0.5, place * 4);
    for (const [axis, value] of (rows[piece] ?? []).entries()) {
      body.writeInt8(value, pieces.length * 4 + place * dimension + axis);
    }
  }
  const header = Buffer.alloc(64);
  header.write('TKSTATIC', 'latin1');
  const version = englishRows === undefined ? 1 : 2;
  for (const [place, value] of [version, pieces.length, dimension, countOnce ? 1 : 0].entries()) {
    header.writeUInt32LE(value, 8 + place * 4);
  }
  header.writeUInt32LE(englishRows ?? 0, 56);
  const split = header.subarray(56, englishRows === undefined ? 56 : 60);
  createHash('sha256').update(split).update(body).update(vocabulary).digest().copy(header, 24);
  return { model: Buffer.concat([header, body]), vocabulary };
}
