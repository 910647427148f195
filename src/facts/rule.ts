import type { FactWords, ObjectKind, RuleLine, RulePredicate } from '../language/fact-words.js';
import type { Role } from '../model/conversation.js';

export interface Rule {
  /** The first words of a clause it may match, in small letters without what follows an apostrophe. */
  starts: readonly string[];
  /** Matches from the beginning of a clause; the group `object` holds the value. */
  pattern: () => RegExp;
  predicate: RulePredicate;
  kind: ObjectKind;
  /** The sentence says that it is over. */
  ends?: true;
  /** About a project instead of the speaker; the group `subject` may name it. */
  project?: true;
  /** The value must be none of the refused words of the predicate. */
  checked?: true;
  /** What a sentence must hold where the first words are too common to tell. */
  holds?: string;
}

/** The rules of a language for what a speaker says; the assistant speaks of the user with other words. */
export function rulesOf(words: FactWords, role: Role): Rule[] {
  return (words.rules ?? []).flatMap((line) => {
    const { assistant } = line[4] ?? {};
    if (role === 'user' || assistant === 'as is') return ruleOf(line, words, 'user');
    return assistant === undefined ? [] : ruleOf(line, words, 'assistant');
  });
}

function ruleOf(line: RuleLine, { slots, assistantStarts = {} }: FactWords, person: Role): Rule {
  const [starts, shape, predicate, kind, { assistant: _, ...extra } = {}] = line;
  const words = starts.split(' ').map((word) => (person === 'user' ? word : (assistantStarts[word] ?? word)));
  return { ...extra, predicate, kind, starts: words, pattern: patternOf(shape, slots?.[person] ?? {}) };
}

/** Made when it is first needed: most commands never read a message, and a start should not pay for the rules. */
function patternOf(shape: string, slots: Readonly<Record<string, string>>): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= compiled(shape, slots);
    return made;
  };
}

function compiled(shape: string, slots: Readonly<Record<string, string>>): RegExp {
  const text = shape
    .replace(/\{(\w+)\}/g, (whole, name: string) => slots[name] ?? whole)
    .replaceAll('{}', '(?<object>.+)')
    .replaceAll(' ?', '\\s?')
    .replaceAll(' ', '\\s+');
  return new RegExp(`^${text}`, 'diu');
}
