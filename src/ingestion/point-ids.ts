/*
 * A chunk has a point in the vector store for each of its windows. The first has the chunk's own id, the others are UUIDs
 * of version 8 (free use) that count in their last four digits, where a chunk's id has zeros. So a point names its chunk
 * by itself: nothing has to be stored or looked up to get from one to the other.
 */

const version = 14;
const digits = 4;

/** The point of a window, counted from 0. */
export function pointId(chunkId: string, window: number): string {
  if (window === 0) return chunkId;
  const number = window.toString(16).padStart(digits, '0');
  return `${chunkId.slice(0, version)}8${chunkId.slice(version + 1, -digits)}${number}`;
}

/** The points of a chunk, as many as it has windows. */
export function pointIds({ id, windows = 1 }: { id: string; windows?: number }): string[] {
  return Array.from({ length: windows }, (_, window) => pointId(id, window));
}

/** The chunk a point belongs to. */
export function chunkOfPoint(id: string): string {
  if (id[version] !== '8') return id;
  return `${id.slice(0, version)}5${id.slice(version + 1, -digits)}${'0'.repeat(digits)}`;
}
