import type { Ranks } from './byte-pairs.js';

export interface Vocabulary {
  /** Cuts a text into the pieces within which bytes are merged. */
  pattern: string;
  ranks: Ranks;
  longestToken: number;
}

/** The encodings the package carries. */
export const encodings = ['cl100k_base', 'o200k_base', 'p50k_base', 'p50k_edit', 'r50k_base', 'gpt2'] as const;

export type Encoding = (typeof encodings)[number];

/** Reads the tables of an encoding out of the optional package; rejects when it is not installed. */
export async function loadVocabulary(encoding: Encoding): Promise<Vocabulary> {
  // A computed name keeps the package optional for the compiler too.
  const name = `js-tiktoken/ranks/${encoding}`;
  const tables: { default?: unknown } = await import(name);
  return readVocabulary(tables.default);
}

/** Each line of the tables is a mark, the rank of its first token, then tokens of rising rank in base64. */
function readVocabulary(tables: unknown): Vocabulary {
  const { pat_str: pattern, bpe_ranks: lines } = (tables ?? {}) as { pat_str?: unknown; bpe_ranks?: unknown };
  if (typeof pattern !== 'string' || typeof lines !== 'string') throw new Error('The token tables have another form.');
  const ranks = new Map<string, number>();
  let longestToken = 0;
  for (const line of lines.split('\n')) {
    const [, firstRank, ...tokens] = line.split(' ');
    for (const [position, token] of tokens.entries()) {
      const bytes = Buffer.from(token, 'base64').toString('latin1');
      ranks.set(bytes, Number(firstRank) + position);
      longestToken = Math.max(longestToken, bytes.length);
    }
  }
  return { pattern, ranks, longestToken };
}
