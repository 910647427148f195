import type { Meaning, Script, TenseWords } from '../language.js';
import { languageOf } from '../language-of.js';
import { derived, isUnspacedScript } from '../languages.js';

/** Which of the dates that a phrase without a year may mean: the latest, the one to come, or no single one. */
export type Lean = 'latest' | 'coming' | 'none';

export type Place = { start: number; end: number; meaning: Meaning };

/** Positions of the verbs that decide it. */
type Marker = { start: number; end: number; lean: 'latest' | 'coming' };

/**
 * How the dates of a statement lean, by the tense of the words around them: first of the clause they stand in, then of its
 * sentence. The verb before a date counts more than the one behind it. Takes lower-case text with its accents.
 */
export function leanIn(lower: string): (place: Place) => Lean {
  const patterns = compiled().get(languageOf(lower));
  if (patterns === undefined) return () => 'coming';
  const markers = [...lower.matchAll(patterns.markers)].map((match): Marker => {
    const lean = match.groups?.past === undefined ? 'coming' : 'latest';
    return { start: match.index, end: match.index + match[0].length, lean };
  });
  return ({ start, end, meaning }) => {
    const lead = lower.slice(Math.max(0, start - nearby), start);
    const clause = boundsOf(lower, { start, end, edge: clauseEdge });
    if (patterns.againBefore.test(lead) || patterns.againBehind.test(lower.slice(end, end + nearby))) return 'none';
    if (meaning === 'weekday' && patterns.everyOne?.test(lead) === true) return 'none';
    if (patterns.aim.test(lead)) return 'coming';
    const sentence = boundsOf(lower, { start, end, edge: sentenceEdge });
    const found =
      nearest(markers, { start, end, bounds: clause }) ?? nearest(markers, { start, end, bounds: sentence });
    // In the past tense, "in three days" means how long it took.
    if (meaning === 'ahead' && found?.lean === 'latest') return 'none';
    return found?.lean ?? 'coming';
  };
}

type Bounds = [start: number, end: number];

/** No clause that matters is longer; a text without any mark would be looked through for every date in it. */
const farthest = 400;
const nearby = 60;

const sentenceEdge = /(?<!\d)[.!?…]+\s|[。！？\n]/gu;
const clauseEdge = /(?<!\d)[.!?…,;:]+\s|\s[–—-]\s|[()。！？，；\n]/gu;

function boundsOf(text: string, { start, end, edge }: { start: number; end: number; edge: RegExp }): Bounds {
  const from = Math.max(0, start - farthest);
  const last = [...text.slice(from, start).matchAll(edge)].at(-1);
  const after = text.slice(end, end + farthest).search(edge);
  return [last === undefined ? from : from + last.index + last[0].length, after < 0 ? end + farthest : end + after];
}

function nearest(
  markers: readonly Marker[],
  { start, end, bounds: [from, to] }: { start: number; end: number; bounds: Bounds },
): Marker | undefined {
  const inside = markers.filter((marker) => marker.start >= from && marker.end <= to);
  return inside.findLast((marker) => marker.start < start) ?? inside.find((marker) => marker.start >= end);
}

interface Patterns {
  markers: RegExp;
  /** "Every Monday, Wednesday and" a Friday; farther away it is about something else. */
  againBefore: RegExp;
  againBehind: RegExp;
  everyOne?: RegExp;
  aim: RegExp;
}

function patternsOf(words: TenseWords, script: Script): Patterns {
  const [before, behind] = isUnspacedScript(script) ? ['', ''] : ['(?<!\\p{L})', '(?!\\p{L})'];
  const directly = (source: string): RegExp => new RegExp(`${before}(?:${source})\\s*$`, 'u');
  const markers = `${before}(?:(?<past>${words.past})|(?:${words.coming}))${behind}`;
  return {
    markers: new RegExp(markers, 'gu'),
    againBefore: new RegExp(`${before}(?:${words.again})(?:[\\s,]+\\p{L}+){0,5}[\\s,]*$`, 'u'),
    againBehind: new RegExp(`^(?:\\s+\\p{L}+){0,2}[\\s,]*${before}(?:${words.again})${behind}`, 'u'),
    ...(words.everyOne === undefined ? {} : { everyOne: directly(words.everyOne) }),
    aim: directly(words.aim),
  };
}

/** A language without tense has its dates read as most are meant: ahead. */
const compiled = derived(
  (languages) =>
    new Map(
      languages.flatMap(({ code, script, time }): [string, Patterns][] =>
        time?.tense === undefined ? [] : [[code, patternsOf(time.tense, script)]],
      ),
    ),
);
