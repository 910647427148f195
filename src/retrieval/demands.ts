import { containsWords, foldedWords } from '../language/phrase.js';
import { indexTerms } from '../language/terms.js';
import type { Role } from '../model/conversation.js';
import type { Content, Demand } from './query-language.js';

/** What a demand of the query language is about: one message and its conversation. */
export interface Subject {
  text: string;
  role: Role;
  /** More than one where it was captured more than once. */
  sources: readonly string[];
  threadIds: readonly string[];
  titles: readonly string[];
  tags: readonly string[];
}

/** Whether a message has all that is wanted and nothing that is not. Of several sources, threads or roles one is enough. */
export function passesDemands(
  subject: Subject,
  { wanted, unwanted }: { wanted: readonly Demand[]; unwanted: readonly Demand[] },
): boolean {
  if (wanted.length + unwanted.length === 0) return true;
  const isMet = demandMeter(subject);
  if (unwanted.some((demand) => isMet(demand, 'unwanted'))) return false;
  return wanted.every((demand) => {
    const alternatives = either.has(demand.kind) ? wanted.filter(({ kind }) => kind === demand.kind) : [demand];
    return alternatives.some((each) => isMet(each, 'wanted'));
  });
}

/** A message has one role, and rarely more than one source or thread, so two of them can only mean either. */
const either: ReadonlySet<Demand['kind']> = new Set(['source', 'thread', 'role']);

function demandMeter(subject: Subject): (demand: Demand, side: 'wanted' | 'unwanted') => boolean {
  let words: string | undefined;
  let terms: ReadonlySet<string> | undefined;
  const holds = (phrase: string): boolean => {
    words ??= foldedWords(subject.text);
    return containsWords(words, foldedWords(phrase));
  };
  /** Excluding a word also excludes its other forms. */
  const mentions = (phrase: string): boolean => {
    if (/\s/.test(phrase)) return holds(phrase);
    terms ??= new Set(indexTerms(subject.text));
    const held = terms;
    const asked = indexTerms(phrase);
    return asked.length > 0 && asked.every((term) => held.has(term));
  };
  return (demand, side) => {
    switch (demand.kind) {
      case 'phrase':
        return side === 'wanted' ? holds(demand.value) : mentions(demand.value);
      case 'source':
        return subject.sources.includes(demand.value);
      case 'thread':
        return subject.threadIds.includes(demand.value);
      case 'tag':
        return subject.tags.includes(demand.value);
      case 'title':
        return subject.titles.some((title) => containsWords(foldedWords(title), foldedWords(demand.value)));
      case 'role':
        return subject.role === demand.value;
      case 'has':
        return contentPatterns[demand.value].test(subject.text);
      default:
        return demand satisfies never;
    }
  };
}

const contentPatterns: Record<Content, RegExp> = {
  code: /```|~~~|`[^`\n]{1,500}`/,
  link: /\b(?:https?:\/\/|www\.)[^\s]/i,
  image: /!\[[^\]\n]{0,500}\]\(|data:image\/|\.(?:png|jpe?g|gif|webp|svg|heic|avif)\b|\[[^\]\n]{0,40}\bimage\b/i,
};
