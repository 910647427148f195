import { languageOf } from '../language/languages.js';
import { nameTerms } from '../language/names.js';
import { stopTermsOf } from '../language/query-terms.js';
import { indexTerms, queryTerms } from '../language/terms.js';
import type { Hit } from '../model/hit.js';
import type { Steps } from '../model/steps.js';
import { type NamedTime, timesNamed } from './dates.js';
import { holdsAnswer, type Question, type WeightedTerm } from './question.js';
import { isAside, isAsking, isBareReply, quoting, type Sentence, type Slice, sentencesIn } from './quote.js';
import { overIn, type Superseded, type Support, type SupportRules, thresholds } from './support.js';

/*
 * Chooses the passages of the hits that answer a question: which sentences, how much around them, and whether they are
 * about the person that the question names.
 */

/** One or two sentences of a hit that answer the question, and their support. */
export interface Passage {
  hit: Hit;
  quote: Slice;
  support: Support;
  /** Whether it contains something of the requested kind; undefined where that cannot be determined. */
  holdsKind: boolean | undefined;
  /** The resolved times in it, for a question about time. */
  times: readonly NamedTime[];
  /** Its statements that no longer hold and that the question asks about; the passage is history if there are any. */
  over: readonly Superseded[];
  /** The turn it replies to, where the reply alone is not self-contained. */
  context?: { hit: Hit; quote: Slice };
}

export interface PassageInput {
  question: Question;
  terms: readonly WeightedTerm[];
  /** Best first. */
  hits: readonly Hit[];
  /** The turn before a hit, if known. */
  before: (hit: Hit) => Hit | undefined;
  rules: SupportRules;
  /** The statements of a hit that no longer hold. */
  superseded: (hit: Hit) => readonly Superseded[];
  /** Whether a hit is by or about a person named in the question; undefined when it names no speaker. */
  aboutNamed: (hit: Hit) => boolean | undefined;
  /** The question asks for the assistant's words: "what did you recommend". */
  asksReply: boolean;
}

/**
 * The sentences that answer, best first: from the best hit and from those nearly as relevant. The less certain the best
 * one is, the more are shown. Other people's words and questions are left out as long as there is something better.
 */
export function* choosingPassages(input: PassageInput): Steps<Passage[]> {
  const { question, hits, aboutNamed } = input;
  const found: Passage[] = [];
  for (const hit of hits) {
    const passage = yield* findingPassage(hit, input);
    if (passage !== undefined) found.push(passage);
    yield;
    // Remembered for the choice below, because it reads the whole turn.
    aboutNamed(hit);
    yield;
  }
  const passages = repliesUp(found);
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
  // A hit that search ranked higher stays beside the lead if it contains any of the question's words.
  const joins = (each: Passage): boolean =>
    isBorneOut(each) || (each.support.coverage > 0 && each.hit.relevance >= lead.hit.relevance);
  const contenders = others.filter(
    (each) => each.hit.relevance >= lead.hit.relevance * share && joins(each) && each.quote.shown !== lead.quote.shown,
  );
  const chosen = [lead, ...contenders.filter(isFirstOfItsWords)].slice(0, thresholds.passages);
  return question.asksPresent ? standingFirst(newestFirst(chosen, input.terms)) : chosen;
}

/** Whether the passage is related closely enough to the question to answer it at all. */
export function isBorneOut({ support }: Passage): boolean {
  const { value, coverage, closeness = 0 } = support;
  return value >= thresholds.found && (coverage > 0 || closeness >= thresholds.wordless);
}

/** Whether the assistant said it; between people who speak in turn, the role does not identify the speaker. */
export function isReply({ role, speaker }: Hit): boolean {
  return role === 'assistant' || speaker !== undefined;
}

/**
 * The best passage. An ended one yields to one that still holds, unless a successor replaced it and answers instead.
 */
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

/** Puts history last, unless the first passage leads to its replacement. */
function standingFirst(passages: readonly Passage[]): Passage[] {
  const [lead] = passages;
  if (lead !== undefined && isReplaced(lead)) return [...passages];
  return [...passages.filter(isStanding), ...passages.filter((passage) => !isStanding(passage))];
}

/** Raises a reply to the relevance of the question it answers: "Yes, exactly" alone matches nothing. */
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

function* findingPassage(hit: Hit, whole: PassageInput): Steps<Passage | undefined> {
  const input = { ...whole, rules: whole.rules.saidAt(hit.at) };
  const { question, rules, terms } = input;
  const sentences = sentencesIn(hit);
  yield;
  const best = yield* findingBest(sentences, input);
  if (best === undefined) return undefined;
  const { from, to } = extentOf(best, { ...input, sentences, text: hit.text });
  yield;
  const quote = yield* quoting(hit.text, { from, to, terms });
  yield;
  const before = input.before(hit);
  const context = before === undefined ? undefined : yield* findingContext(before, quote, input);
  yield;
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

/** A long turn contains the words of many questions, so only the words near the quote count as its support. */
function around(text: string, { start, end }: Slice): string {
  return text.slice(Math.max(0, start - thresholds.beside), end + thresholds.beside);
}

/** The turn before, if it is short; of a long one, only the sentence that is replied to. */
function near(before: Hit | undefined, context: Passage['context']): Hit | undefined {
  if (before === undefined || before.text.length <= 2 * thresholds.beside) return before;
  return context === undefined ? undefined : { ...before, text: context.quote.text };
}

/** The statement that covers most of the question; ties go to the one that says more. */
export function* findingBest(
  sentences: readonly Sentence[],
  { question, rules }: PassageInput,
): Steps<Sentence | undefined> {
  let best: { sentence: Sentence; score: number } | undefined;
  for (const sentence of sentences) {
    const { text } = sentence;
    const fits = holdsAnswer(question.kind, text) === true ? 0.25 : 0;
    const tells = isAsking(text) || isAside(text) ? -0.4 : isBareReply(text) ? -0.1 : 0;
    const score = (yield* rules.covering(text)) + fits + tells + Math.min(text.length, 200) / 2_000;
    if (best === undefined || score > best.score) best = { sentence, score };
    yield;
  }
  return best?.sentence;
}

/** The sentence that a reply answers, shown when the reply contains no words of the question. */
function* findingContext(before: Hit, quote: Slice, input: PassageInput): Steps<Passage['context']> {
  const { rules, terms } = input;
  const own = rules.coverageOf(quote.text);
  if (own >= thresholds.selfContained && !isBareReply(quote.text)) return undefined;
  const sentences = sentencesIn(before);
  const asked = sentences.filter(({ text }) => isAsking(text));
  // Replies usually answer a question; only a bare "yes" may also agree with a statement.
  const candidates = asked.length > 0 || !isBareReply(quote.text) ? asked : sentences;
  let covering: { sentence: Sentence; share: number } | undefined;
  for (const sentence of candidates) {
    const share = yield* rules.covering(sentence.text);
    if (covering === undefined || share >= covering.share) covering = { sentence, share };
    yield;
  }
  if (covering === undefined || (covering.share <= own && !isBareReply(quote.text))) return undefined;
  const { sentence } = covering;
  return { hit: before, quote: yield* quoting(before.text, { from: sentence, to: sentence, terms }) };
}

/** Of statements that contain the same words of the question, the newest is the current one. */
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
  /** The turn's text and its sentences. */
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

/** How far a quote extends around the best sentence: some need the next or previous one to make sense. */
function extentOf(best: Sentence, input: ExtentInput): Extent {
  const { sentences, text } = input;
  const at = sentences.indexOf(best);
  if (isHeading(best.text)) return { from: best, to: listUnder(best, sentences.slice(at + 1), text) };
  const previous = sentences[at - 1];
  if (previous !== undefined && fitsWith(previous, best) && onlyRepeats(best, input) && !isAsking(previous.text)) {
    return { from: previous, to: best };
  }
  return { from: best, to: companionOf(best, sentences[at + 1], input) };
}

/** Includes the next sentence when it contains the requested kind of answer and the first does not. */
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

/** "Shopping list for Sunday:" introduces the answer. */
function isHeading(text: string): boolean {
  return /[:：][*_]*$/u.test(text);
}

/** The last line under a heading: the items of a list, or the lines up to an empty one. */
function listUnder(heading: Sentence, following: readonly Sentence[], text: string): Sentence {
  const isList = following[0] !== undefined && item.test(following[0].text);
  let last = heading;
  for (const sentence of following) {
    const gap = text.slice(last.end, sentence.start);
    const isNewLine = gap.includes('\n');
    const ends = isList ? isNewLine && !item.test(sentence.text) : last !== heading && /\n\s*\n/.test(gap);
    // A longer quote would be cut with an ellipsis anyway.
    if (ends || last.end - heading.start > thresholds.sentence) break;
    last = sentence;
  }
  return last;
}

const item = /^(?:[-*+•–—]|[0-9]{1,3}[.)])\s/u;

/** "My favourite book now." after "I finished Stoner.": it adds no word to those of the question. */
function onlyRepeats({ text }: Sentence, { question, terms }: ExtentInput): boolean {
  if (question.kind === 'yes_no' || isBareReply(text)) return false;
  const asked = new Set(terms.map(({ term }) => term));
  const small = stopTermsOf(languageOf(text));
  const words = queryTerms(text);
  return words.some((term) => asked.has(term)) && words.every((term) => asked.has(term) || small.has(term));
}

/** The people that a question names, and the places outside a turn where a name may occur. */
interface NamedInput {
  question: Question;
  /** The terms of the speakers' names in the question. */
  people: ReadonlySet<string>;
  before: (hit: Hit) => Hit | undefined;
  /** The title, tags and summary of a hit's conversation. */
  heading: (hit: Hit) => string;
}

/** Whether a hit is by or about a person named in the question; undefined when it names no speaker. */
export function isAboutNamed(hit: Hit, { people, before }: NamedInput): boolean | undefined {
  if (people.size === 0 || hit.speaker === undefined) return undefined;
  const isNamed = (words: readonly string[]): boolean => words.some((word) => people.has(word));
  const isNamedIn = (text: string): boolean => isNamed(indexTerms(text.slice(0, mostRead)));
  return isNamed(nameTerms(hit.speaker)) || isNamedIn(hit.text) || isNamedIn(before(hit)?.text ?? '');
}

/** The maximum length of a message that is read whole. */
const mostRead = 20_000;

/**
 * The context of a quote when a hit is read as a whole: its message or, if that is longer than any that people type,
 * the part around the quote. A megabyte contains the words of any question.
 */
export function saidWith(text: string, { start, end }: Pick<Slice, 'start' | 'end'>): string {
  if (text.length <= mostRead) return text;
  const from = Math.max(0, Math.min(start - mostRead / 2, text.length - mostRead));
  return text.slice(from, Math.max(end, from + mostRead));
}

/**
 * The names in the question that occur neither in the passage nor around it: the passage may be about another person.
 * Between people who speak in turn, `isAboutNamed` decides, because speakers seldom say their own name.
 */
export function unmentionedIn(
  passage: Passage,
  input: NamedInput & { aboutNamed: (hit: Hit) => boolean | undefined },
): string[] {
  const { hit, quote, context } = passage;
  if (input.aboutNamed(hit) !== undefined) return [];
  const { names } = input.question;
  if (names.length === 0) return [];
  const before = near(input.before(hit), context)?.text ?? '';
  const words = new Set([around(hit.text, quote), before, input.heading(hit)].flatMap(indexTerms));
  return names.filter(({ terms }) => !terms.some((term) => words.has(term))).map(({ written }) => written);
}
