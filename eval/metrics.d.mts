import type { Place, Question } from './suite.mjs';

export type Row = { kind: string; labelled: boolean; rank?: number } & Record<Metric, number>;
export type Metric = 'mrr' | `${'any' | 'recall' | 'all'}@${5 | 10}` | `session ${'any' | 'all'}@${5 | 10}`;
export type Means = { n: number } & Record<Metric, number>;

export function scoreAnswer(question: Pick<Question, 'kind' | 'evidence' | 'keys'>, hits: readonly Place[][]): Row;
export function summarise(rows: readonly Row[]): { all: Means } & Record<string, Means>;
export function percentile(values: readonly number[], share: number): number;
