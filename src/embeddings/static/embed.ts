/*
 * A static model: the vector of a text is the sum of the rows of its word pieces, at length one. Each row already holds
 * how much its piece matters. Sums run in double precision and in a fixed order, so every machine computes the same.
 */
import { slices, unknownPiece } from '../word-pieces.js';
import { createSpelling } from './spelling.js';
import type { StaticTable } from './table.js';

export interface StaticModel {
  readonly dimension: number;
  /** The unit vector of `text`. Text without a single known word piece is the first axis. */
  embed(text: string): Float32Array;
  /**
   * One vector for each stretch of at most `windowSize` word pieces, in order and at least one. The stretches are of equal
   * length, because a vector of three words left over at the end would be near to everything that mentions them.
   */
  embedWindows(text: string, windowSize: number): Float32Array[];
  /** What `embed` computes, pausing after every bounded piece of work, for a caller that must stay responsive. */
  steps(text: string): Generator<void, Float32Array, void>;
}

export function createStaticModel(table: StaticTable): StaticModel {
  const split = splitterOf(table);
  const piecesOf = (text: string) => split(text.replace(pictures, ' '));

  function* steps(text: string): Generator<void, Float32Array, void> {
    const sum = createSum(table);
    for (const slice of slices(text)) {
      sum.add(piecesOf(slice));
      yield;
    }
    return sum.unitVector();
  }

  return {
    dimension: table.dimension,
    embed(text) {
      const sum = createSum(table);
      for (const slice of slices(text)) sum.add(piecesOf(slice));
      return sum.unitVector();
    },
    embedWindows(text, windowSize) {
      const pieces: number[] = [];
      for (const slice of slices(text)) {
        for (const piece of piecesOf(slice)) if (piece !== unknownPiece) pieces.push(piece);
      }
      return evenly(pieces, windowSize).map((window) => {
        const sum = createSum(table);
        sum.add(window);
        return sum.unitVector();
      });
    },
    steps,
  };
}

/** Reading a vocabulary takes 100 ms or more; a process that opens the model again uses the same splitter. */
const splitters = new WeakMap<StaticTable, (text: string) => number[]>();

function splitterOf(table: StaticTable): (text: string) => number[] {
  const known = splitters.get(table);
  if (known !== undefined) return known;
  const split = createSpelling(table.vocabulary, table.englishRows);
  splitters.set(table, split);
  return split;
}

// The tokeniser would take a word with an emoji stuck to it for one unknown word, and the word would be lost.
const pictures = /(?![©®™])[\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}]/gu;

function createSum({ dimension, rows, scales, countOnce }: StaticTable) {
  const sums = new Float64Array(dimension);
  const counted = new Set<number>();
  const isNew = (piece: number) => !countOnce || counted.size !== counted.add(piece).size;
  return {
    add(pieces: readonly number[]): void {
      const known = pieces.filter((piece) => piece !== unknownPiece && isNew(piece));
      // Two rows at a time is a third faster, because the sums are read and written half as often.
      for (let index = 0; index < known.length; index += 2) {
        const first = known[index] ?? 0;
        const second = known[index + 1] ?? first;
        const firstScale = scales[first] ?? 0;
        const secondScale = index + 1 < known.length ? (scales[second] ?? 0) : 0;
        const firstBegin = first * dimension;
        const secondBegin = second * dimension;
        for (let axis = 0; axis < dimension; axis++) {
          const both = (sums[axis] ?? 0) + firstScale * (rows[firstBegin + axis] ?? 0);
          sums[axis] = both + secondScale * (rows[secondBegin + axis] ?? 0);
        }
      }
    },
    unitVector(): Float32Array {
      let squares = 0;
      for (let axis = 0; axis < dimension; axis++) squares += (sums[axis] ?? 0) ** 2;
      const vector = new Float32Array(dimension);
      // No known piece, or rows that cancel each other: still a valid direction, always the same.
      if (squares < 1e-20) vector[0] = 1;
      else for (let axis = 0; axis < dimension; axis++) vector[axis] = (sums[axis] ?? 0) / Math.sqrt(squares);
      return vector;
    },
  };
}

function evenly(pieces: readonly number[], windowSize: number): (readonly number[])[] {
  const count = Math.max(1, Math.ceil(pieces.length / windowSize));
  const edge = (index: number) => Math.round((index * pieces.length) / count);
  return Array.from({ length: count }, (_, index) => pieces.slice(edge(index), edge(index + 1)));
}
