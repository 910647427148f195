import { readFileSync } from 'node:fs';
import type { Role } from '../../src/model/conversation.js';

/** A sentence and what it states: `predicate=value`, with `Subject:` in front when it is not the user, `-` when it ends. */
export interface LabelledSentence {
  language: string;
  text: string;
  role?: Role;
  title?: string;
  facts: string[];
}

/** Two statements about one predicate, and what is so and what was so after both. */
export interface History {
  predicate: string;
  said: [string, string];
  current: string[];
  past: string[];
}

export const sentences = linesOf<LabelledSentence>('sentences.jsonl');
export const histories = linesOf<History>('histories.jsonl');

function linesOf<Line>(name: string): Line[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** For comparing values: the article of a value is nobody's point. */
export function folded(value: string): string {
  return value.toLowerCase().replace(/^(?:an?|the|my|our|le|la|les|el|los|las|l')\s*(?<=[\s'])/, '');
}
