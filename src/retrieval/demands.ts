import { findingWords, foldedWords, foldingWords } from '../language/phrase.js';
import { distinctTerms, indexTerms, portionsOf } from '../language/terms.js';
import type { Role } from '../model/conversation.js';
import type { Steps } from '../model/steps.js';
import type { Content, Demand } from './query-language.js';

/** What a condition of the query language applies to: one message and its conversation. */
export interface Subject {
  text: string;
  role: Role;
  /** More than one if it was captured more than once. */
  sources: readonly string[];
  threadIds: readonly string[];
  titles: readonly string[];
  tags: readonly string[];
}

/**
 * Whether a message meets all conditions and no negated one, in steps: it may have a megabyte. Of several sources,
 * threads or roles, one is enough.
 */
export function* judgingDemands(
  subject: Subject,
  { wanted, unwanted }: { wanted: readonly Demand[]; unwanted: readonly Demand[] },
): Steps<boolean> {
  if (wanted.length + unwanted.length === 0) return true;
  const meeting = demandMeter(subject);
  const meetsAny = function* (demands: readonly Demand[], side: Side): Steps<boolean> {
    for (const demand of demands) if (yield* meeting(demand, side)) return true;
    return false;
  };
  if (yield* meetsAny(unwanted, 'unwanted')) return false;
  for (const demand of wanted) {
    const alternatives = either.has(demand.kind) ? wanted.filter(({ kind }) => kind === demand.kind) : [demand];
    if (!(yield* meetsAny(alternatives, 'wanted'))) return false;
  }
  return true;
}

type Side = 'wanted' | 'unwanted';

/** A message has one role, and rarely more than one source or thread, so several values mean any of them. */
const either: ReadonlySet<Demand['kind']> = new Set(['source', 'thread', 'role']);

function demandMeter(subject: Subject): (demand: Demand, side: Side) => Steps<boolean> {
  let words: string | undefined;
  let terms: ReadonlySet<string> | undefined;
  const holding = function* (phrase: string): Steps<boolean> {
    words ??= yield* foldingWords(subject.text);
    yield;
    return yield* findingWords(words, foldedWords(phrase));
  };
  /** Excluding a word also excludes its other forms. */
  const mentioning = function* (phrase: string): Steps<boolean> {
    if (/\s/.test(phrase)) return yield* holding(phrase);
    terms ??= yield* distinctTerms(subject.text);
    const held = terms;
    const asked = indexTerms(phrase);
    return asked.length > 0 && asked.every((term) => held.has(term));
  };
  return function* (demand, side) {
    switch (demand.kind) {
      case 'phrase':
        return yield* side === 'wanted' ? holding(demand.value) : mentioning(demand.value);
      case 'source':
        return subject.sources.includes(demand.value);
      case 'thread':
        return subject.threadIds.includes(demand.value);
      case 'tag':
        return subject.tags.includes(demand.value);
      case 'title':
        for (const title of subject.titles)
          if (yield* findingWords(foldedWords(title), foldedWords(demand.value))) return true;
        return false;
      case 'role':
        return subject.role === demand.value;
      case 'has':
        return yield* holdingContent(subject.text, contentPatterns[demand.value]);
      default:
        return demand satisfies never;
    }
  };
}

/** A little more than the longest match of the patterns below. */
const longestContent = 1_100;

function* holdingContent(text: string, pattern: RegExp): Steps<boolean> {
  let start = 0;
  for (const { length } of portionsOf(text)) {
    // A match that begins after the portion is found in the next one.
    const match = pattern.exec(text.slice(start, start + length + longestContent));
    if (match !== null && match.index < length) return true;
    start += length;
    yield;
  }
  return false;
}

const contentPatterns: Record<Content, RegExp> = {
  code: /```|~~~|`[^`\n]{1,500}`/,
  link: /\b(?:https?:\/\/|www\.)[^\s]/i,
  image: /!\[[^\]\n]{0,500}\]\(|data:image\/|\.(?:png|jpe?g|gif|webp|svg|heic|avif)\b|\[[^\]\n]{0,40}\bimage\b/i,
};
