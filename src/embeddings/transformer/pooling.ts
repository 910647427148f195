export type Pooling = 'mean' | 'cls' | 'max';

export interface TokenStates {
  /** Texts × length × dimension. */
  values: Float32Array;
  length: number;
  dimension: number;
  /** How many of the states of each text are its own; the rest is padding. */
  counts: readonly number[];
}

/** One unit vector for each text from the states of its tokens. */
export function pool({ values, length, dimension, counts }: TokenStates, pooling: Pooling): Float32Array[] {
  return counts.map((count, text) => {
    const begin = text * length * dimension;
    const rows = pooling === 'cls' ? 1 : count;
    const vector = new Float64Array(dimension);
    if (pooling === 'max') vector.fill(Number.NEGATIVE_INFINITY);
    for (let row = 0; row < rows; row++) {
      const at = begin + row * dimension;
      for (let axis = 0; axis < dimension; axis++) {
        const value = values[at + axis] ?? 0;
        const sofar = vector[axis] ?? 0;
        // A sum has the direction of the mean, and only the direction is kept.
        vector[axis] = pooling === 'max' ? Math.max(sofar, value) : sofar + value;
      }
    }
    return unit(vector);
  });
}

/** The vector at length one. One without a direction becomes the first axis, always the same. */
export function unit(vector: Float64Array | Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 1e-12) || !Number.isFinite(length)) {
    return Float32Array.from(vector, (_, axis) => (axis === 0 ? 1 : 0));
  }
  return Float32Array.from(vector, (value) => value / length);
}
