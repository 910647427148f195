// @ts-expect-error A plain script, shared with the benchmarks.
import { zipOf as write } from '../../bench/zip.mjs';

/** A zip of one file. */
export const zipOf = write as (name: string, pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
