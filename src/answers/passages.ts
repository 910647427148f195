import { languageOf } from '../language/languages.js';
import { nameTerms } from '../language/names.js';
import { stopTermsOf } from '../language/query-terms.js';
import { indexTerms, queryTerms } from '../language/terms.js';
import { type NamedTime, timesNamed } from './dates.js';
import type { Hit, WeightedTerm } from './hit.js';
import { holdsAnswer, type Question } from './question.js';
import { isAside, isAsking, isBareReply, quoteFrom, type Sentence, type Slice, sentencesIn } from './quote.js';
import { overIn, type Superseded, type Support, type SupportRules } from './support.js';
import { thresholds } from './thresholds.js';

/*
 * The passages of the hits that answer a question: which sentences, how far they reach, and whether they are about whom it names.
 */

/** One or two sentences of a hit that answer, and what they rest on. */
export interface Passage {
  hit: Hit;
  quote: Slice;
  support: Support;
  /** Something of the kind that was asked for stands in it; undefined where that cannot be told. */
  holdsKind: boolean | undefined;
  /** What the times in it mean, for a question about time. */
  times: readonly NamedTime[];
  /** What it answers that is no longer so: the passage is history then. */
  over: readonly Superseded[];
  /** The turn it replies to, where it says little alone. */
  context?: { hit: Hit; quote: Slice };
}

export interface PassageInput {
  question: Question;
  terms: readonly WeightedTerm[];
  /** Best first. */
  hits: readonly Hit[];
  /** The turn before a hit, where it is known. */
  before: (hit: Hit) => Hit | undefined;
  rules: SupportRules;
  /** What a hit states that is no longer so. */
  superseded: (hit: Hit) => readonly Superseded[];
  /** Whether a hit is by or about somebody the question names; undefined when it names none of those who speak. */
  aboutNamed: (hit: Hit) => boolean | undefined;
  /** The assistant's words are asked for: "what did you recommend". */
  asksReply: boolean;
}

/**
 * The sentences that answer, best first: from the best hit, and from those nearly as relevant; the less sure the best one
 * is, the more are shown. What somebody else said, or what only asks, stays out as long as there is better.
 */
export function choosePassages(input: PassageInput): Passage[] {
  const { question, hits, aboutNamed } = input;
  const passages = repliesUp(hits.flatMap((hit) => passageOf(hit, input) ?? []));
  const named = passages.filter(({ hit }) => aboutNamed(hit) !== false);
  const ofNamed = named.length > 0 ? named : passages;
  const replies = input.asksReply ? ofNamed.filter((each) => isReply(each.hit) && isBorneOut(each)) : [];
  const asked = replies.length > 0 ? replies : ofNamed;
  const telling = asked.filter(({ quote }) => !isAsking(quote.text));
  const candidates = telling.length > 0 ? telling : asked;
  const borneOut = candidates.filter(isBorneOut);
  const lead = leadOf(borneOut.length > 0 ? borneOut : candidates);
  if (lead === undefined) return [];
  const others = candidates.filter((passage) => passage !== lead);
  const share = contenderShare(lead, question);
  // What search found more relevant stays beside the one that took the word, if it has any of the words itself.
  const joins = (each: Passage): boolean =>
    isBorneOut(each) || (each.support.coverage > 0 && each.hit.relevance >= lead.hit.relevance);
  const contenders = others.filter(
    (each) => each.hit.relevance >= lead.hit.relevance * share && joins(each) && each.quote.shown !== lead.quote.shown,
  );
  const chosen = [lead, ...contenders.filter(isFirstOfItsWords)].slice(0, thresholds.passages);
  return question.asksPresent ? standingFirst(newestFirst(chosen, input.terms)) : chosen;
}

/** Whether it has enough to do with the question to answer it at all. */
export function isBorneOut({ support }: Passage): boolean {
  const { value, coverage, closeness = 0 } = support;
  return value >= thresholds.found && (coverage > 0 || closeness >= thresholds.wordless);
}

/** What the assistant said; where people speak in turn, a role says nothing about who did. */
export function isReply({ role, speaker }: Hit): boolean {
  return role === 'assistant' || speaker !== undefined;
}

/** The best one. One that only ended leaves the word to what still stands; where it was replaced, that answers. */
function leadOf(passages: readonly Passage[]): Passage | undefined {
  const [best] = passages;
  if (best === undefined || isStanding(best) || isReplaced(best)) return best;
  return passages.find((passage) => isStanding(passage) && passage.support.value >= thresholds.found) ?? best;
}

function isStanding({ over }: Passage): boolean {
  return over.length === 0;
}

function isReplaced({ over }: Passage): boolean {
  return over.some(({ successor }) => successor !== undefined);
}

/** History comes last, unless it leads to what took its place. */
function standingFirst(passages: readonly Passage[]): Passage[] {
  const [lead] = passages;
  if (lead !== undefined && isReplaced(lead)) return [...passages];
  return [...passages.filter(isStanding), ...passages.filter((passage) => !isStanding(passage))];
}

/** A reply is worth as much as the question it answers: "Yes, exactly" alone matches nothing. */
function repliesUp(passages: readonly Passage[]): Passage[] {
  const relevances = new Map(passages.map(({ hit }) => [hit.chunkId, hit.relevance]));
  const worth = ({ hit, context }: Passage): number =>
    Math.max(hit.relevance, context === undefined ? 0 : (relevances.get(context.hit.chunkId) ?? 0));
  return passages
    .map((passage) => ({ ...passage, hit: { ...passage.hit, relevance: worth(passage) } }))
    .sort((one, other) => other.hit.relevance - one.hit.relevance);
}

function contenderShare({ support }: Passage, { isList }: Question): number {
  if (isList) return thresholds.listContender;
  return support.value >= thresholds.high ? thresholds.sureContender : thresholds.contender;
}

function isFirstOfItsWords({ quote }: Passage, at: number, all: readonly Passage[]): boolean {
  return all.findIndex((other) => other.quote.shown === quote.shown) === at;
}

function passageOf(hit: Hit, whole: PassageInput): Passage | undefined {
  const input = { ...whole, rules: whole.rules.saidAt(hit.at) };
  const { question, rules, terms } = input;
  const sentences = sentencesIn(hit);
  const best = bestSentence(sentences, input);
  if (best === undefined) return undefined;
  const { from, to } = extentOf(best, { ...input, sentences, text: hit.text });
  const quote = quoteFrom(hit.text, { from, to, terms });
  const before = input.before(hit);
  const context = before === undefined ? undefined : contextOf(before, quote, input);
  return {
    hit,
    quote,
    support: rules.supportOf({ ...hit, text: `${around(hit.text, quote)}\n${hit.echo ?? ''}` }, near(before, context), {
      isReply: context !== undefined,
    }),
    holdsKind: holdsAnswer(question.kind, quote.text),
    over: overIn(hit.text.slice(from.start, to.end), input.superseded(hit), rules),
    times: question.kind === 'when' ? timesNamed(quote.text, hit.at) : [],
    ...(context === undefined ? {} : { context }),
  };
}

/** A long turn holds the words of many questions; those beside the quote are the ones that bear it out. */
function around(text: string, { start, end }: Slice): string {
  return text.slice(Math.max(0, start - thresholds.beside), end + thresholds.beside);
}

/** The turn before, as far as it is short; of a long one only what is replied to. */
function near(before: Hit | undefined, context: Passage['context']): Hit | undefined {
  if (before === undefined || before.text.length <= 2 * thresholds.beside) return before;
  return context === undefined ? undefined : { ...before, text: context.quote.text };
}

/** The sentence with the most of the question in it that tells rather than asks; of equals the one that tells more. */
export function bestSentence(sentences: readonly Sentence[], { question, rules }: PassageInput): Sentence | undefined {
  const scored = sentences.map((sentence) => {
    const { text } = sentence;
    const fits = holdsAnswer(question.kind, text) === true ? 0.25 : 0;
    const tells = isAsking(text) || isAside(text) ? -0.4 : isBareReply(text) ? -0.1 : 0;
    return { sentence, score: rules.coverageOf(text) + fits + tells + Math.min(text.length, 200) / 2_000 };
  });
  return scored.reduce<{ sentence: Sentence; score: number } | undefined>(
    (best, each) => (best === undefined || each.score > best.score ? each : best),
    undefined,
  )?.sentence;
}

/** A reply without the words of the question is shown with the sentence it replies to. */
function contextOf(before: Hit, quote: Slice, input: PassageInput): Passage['context'] {
  const { rules, terms } = input;
  const own = rules.coverageOf(quote.text);
  if (own >= thresholds.selfContained && !isBareReply(quote.text)) return undefined;
  const sentences = sentencesIn(before);
  const asked = sentences.filter(({ text }) => isAsking(text));
  // Only a question is replied to; a bare "yes" may also agree with a statement.
  const candidates = asked.length > 0 || !isBareReply(quote.text) ? asked : sentences;
  const covering = candidates.reduce<{ sentence: Sentence; share: number } | undefined>((best, sentence) => {
    const share = rules.coverageOf(sentence.text);
    return best === undefined || share >= best.share ? { sentence, share } : best;
  }, undefined);
  if (covering === undefined || (covering.share <= own && !isBareReply(quote.text))) return undefined;
  const { sentence } = covering;
  return { hit: before, quote: quoteFrom(before.text, { from: sentence, to: sentence, terms }) };
}

/** Of statements that hold the same words of the question, the newest is what is so now. */
function newestFirst(passages: readonly Passage[], terms: readonly WeightedTerm[]): Passage[] {
  const [lead] = passages;
  if (lead === undefined) return [];
  const wordsOf = ({ quote }: Passage): string => {
    const found = new Set(indexTerms(quote.text));
    return terms.flatMap(({ term }) => (found.has(term) ? [term] : [])).join(' ');
  };
  const words = wordsOf(lead);
  const isAlike = (passage: Passage): boolean =>
    words !== '' && isBorneOut(passage) && wordsOf(passage) === words && passage.hit.speaker === lead.hit.speaker;
  const alike = passages.filter(isAlike);
  const rest = passages.filter((passage) => !alike.includes(passage));
  const sorted = [...alike].sort((one, other) =>
    one.hit.at === other.hit.at ? 0 : one.hit.at < other.hit.at ? 1 : -1,
  );
  return alike.length === 0 ? [...passages] : [...sorted, ...rest];
}

interface ExtentInput {
  /** The turn and its sentences. */
  text: string;
  sentences: readonly Sentence[];
  question: Question;
  terms: readonly WeightedTerm[];
  rules: SupportRules;
}

/** From the first to the last sentence that is quoted. */
interface Extent {
  from: Sentence;
  to: Sentence;
}

/** How far a quote goes around the sentence that answers best: some say little without what follows or precedes. */
function extentOf(best: Sentence, input: ExtentInput): Extent {
  const { sentences, text } = input;
  const at = sentences.indexOf(best);
  if (isHeading(best.text)) return { from: best, to: listUnder(best, sentences.slice(at + 1), text) };
  const previous = sentences[at - 1];
  if (previous !== undefined && onlyRepeats(best, input) && fitsWith(previous, best) && !isAsking(previous.text)) {
    return { from: previous, to: best };
  }
  return { from: best, to: companionOf(best, sentences[at + 1], input) };
}

/** The sentence after it joins when it holds what was asked for and the first does not. */
function companionOf(best: Sentence, next: Sentence | undefined, { question, rules }: ExtentInput): Sentence {
  if (next === undefined || isAsking(next.text) || !fitsWith(best, next)) return best;
  const kindOnlyThere =
    holdsAnswer(question.kind, best.text) === false && holdsAnswer(question.kind, next.text) === true;
  const addsWords = rules.coverageOf(`${best.text} ${next.text}`) - rules.coverageOf(best.text) > 0.15;
  return kindOnlyThere || addsWords || isBareReply(best.text) || isAsking(best.text) ? next : best;
}

function fitsWith(one: Sentence, other: Sentence): boolean {
  return one.text.length + other.text.length <= thresholds.sentence;
}

/** "Shopping list for Sunday:" announces what is asked for. */
function isHeading(text: string): boolean {
  return /[:：][*_]*$/u.test(text);
}

/** The last line of what a heading announces: the items of a list, or the lines up to an empty one. */
function listUnder(heading: Sentence, following: readonly Sentence[], text: string): Sentence {
  const isList = following[0] !== undefined && item.test(following[0].text);
  let last = heading;
  for (const sentence of following) {
    const gap = text.slice(last.end, sentence.start);
    const isNewLine = gap.includes('\n');
    const ends = isList ? isNewLine && !item.test(sentence.text) : last !== heading && /\n\s*\n/.test(gap);
    // More is not shown anyway; the quote is cut with an ellipsis.
    if (ends || last.end - heading.start > thresholds.sentence) break;
    last = sentence;
  }
  return last;
}

const item = /^(?:[-*+•–—]|[0-9]{1,3}[.)])\s/u;

/** "My favourite book now." after "I finished Stoner.": it has no word that the question has not. */
function onlyRepeats({ text }: Sentence, { question, terms }: ExtentInput): boolean {
  if (question.kind === 'yes_no' || isBareReply(text)) return false;
  const asked = new Set(terms.map(({ term }) => term));
  const small = stopTermsOf(languageOf(text));
  const words = queryTerms(text);
  return words.some((term) => asked.has(term)) && words.every((term) => asked.has(term) || small.has(term));
}

/** Whom a question names, and where else than in a turn itself a name may stand. */
interface NamedInput {
  question: Question;
  /** The terms of the speakers' names in the question. */
  people: ReadonlySet<string>;
  before: (hit: Hit) => Hit | undefined;
  /** What a hit's conversation is said to be about. */
  heading: (hit: Hit) => string;
}

/** Whether it is by or about somebody the question names; undefined when it names none of those who speak. */
export function isAboutNamed(hit: Hit, { people, before }: NamedInput): boolean | undefined {
  if (people.size === 0 || hit.speaker === undefined) return undefined;
  const words = [...nameTerms(hit.speaker), ...indexTerms(hit.text), ...indexTerms(before(hit)?.text ?? '')];
  return words.some((word) => people.has(word));
}

/**
 * The names of the question that stand neither in the passage nor around it: what it says may be about somebody else.
 * Between people who speak in turn `isAboutNamed` tells; a turn there seldom says the name of its speaker.
 */
export function unmentionedIn(passage: Passage, input: NamedInput): string[] {
  const { hit, quote, context } = passage;
  if (isAboutNamed(hit, input) !== undefined) return [];
  const { names } = input.question;
  if (names.length === 0) return [];
  const before = near(input.before(hit), context)?.text ?? '';
  const words = new Set([around(hit.text, quote), before, input.heading(hit)].flatMap(indexTerms));
  return names.filter(({ terms }) => !terms.some((term) => words.has(term))).map(({ written }) => written);
}
