export interface Replayed {
  /** States judged, by what left them. */
  kill: number;
  power: number;
  /** States that were left out, because they equal one that was judged. */
  equal: number;
  /** Milliseconds of the slowest opening. */
  slowest: number;
  lost: string[];
  corrupt: string[];
  commits: number;
  operations: Record<string, number>;
}
export function replay(
  recording: Buffer,
  options: { workers: number; chances: number; seed: number; share?: number },
): Promise<Replayed>;
