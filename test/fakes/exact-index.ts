import type { Distance } from '../../src/stores/vector/contract.js';

export interface Row {
  id: string;
  vector: readonly number[];
  fields: Record<string, unknown>;
}

export interface Found {
  row: Row;
  cosine: number;
  dot: number;
  squared: number;
}

/** What every stand-in answers from: all rows measured, nothing approximate. */
export function exactIndex({ dimension }: { dimension: number }) {
  const rows = new Map<string, Row>();

  function measure(vector: readonly number[]): void {
    if (vector.length !== dimension) throw new Error(`a vector of ${vector.length} numbers, expected ${dimension}`);
    if (!vector.every(Number.isFinite)) throw new Error('a vector holds something that is no number');
  }

  return {
    rows,
    dimension,

    put(row: Row): void {
      measure(row.vector);
      rows.set(row.id, row);
    },

    /** Nearest first; equals in an order of no meaning, as real services answer. */
    nearest(asked: {
      vector: readonly number[];
      distance: Distance;
      limit: number;
      matches: (row: Row) => boolean;
    }): Found[] {
      measure(asked.vector);
      const found = [...rows.values()].filter(asked.matches).map((row) => measured(row, asked.vector));
      return found
        .reverse()
        .sort((one, other) => order(asked.distance, one) - order(asked.distance, other))
        .slice(0, asked.limit);
    },
  };
}

export type ExactIndex = ReturnType<typeof exactIndex>;

function measured(row: Row, query: readonly number[]): Found {
  let [dot, squared, ofQuery, ofRow] = [0, 0, 0, 0];
  for (let i = 0; i < query.length; i++) {
    const one = query[i] ?? 0;
    const other = row.vector[i] ?? 0;
    dot += one * other;
    squared += (one - other) ** 2;
    ofQuery += one * one;
    ofRow += other * other;
  }
  const lengths = Math.sqrt(ofQuery * ofRow);
  // Services answer in single precision.
  return { row, dot: Math.fround(dot), squared: Math.fround(squared), cosine: Math.fround(dot / lengths) };
}

function order(distance: Distance, { cosine, dot, squared }: Found): number {
  return distance === 'l2' ? squared : distance === 'cosine' ? -cosine : -dot;
}
