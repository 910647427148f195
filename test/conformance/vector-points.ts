import type { Point } from '../../src/stores/vector/contract.js';

export function pointId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function aPoint(fields: Partial<Point> & Pick<Point, 'id' | 'vector'>): Point {
  return { scope: 'user:one', conversationId: 'conversation-1', ...fields };
}

/** Points with vectors in all directions, the same for the same seed; ids count up from one. */
export function manyPoints({
  count,
  dimension,
  lengths = [1],
  seed = 1,
}: {
  count: number;
  dimension: number;
  lengths?: readonly number[];
  seed?: number;
}): Point[] {
  const draw = normalNumbers(seed);
  return Array.from({ length: count }, (_, i) => {
    const vector = Float32Array.from({ length: dimension }, draw);
    const scale = (lengths[i % lengths.length] ?? 1) / Math.hypot(...vector);
    return aPoint({ id: pointId(i + 1), vector: vector.map((number) => number * scale) });
  });
}

/** Normally distributed numbers from a small linear generator: reproducible, and even in all directions. */
export function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
