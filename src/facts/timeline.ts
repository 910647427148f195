import { compareSources, type Fact, type FactSource, isPlainlySaid } from '../model/fact.js';
import { decisionAgainst, pinnedSince } from './by-hand.js';
import { kindOf } from './predicates.js';
import { ownedItem } from './rules.js';

/** Whether a fact still holds, and if not, since when and because of which other fact. */
export interface Verdict {
  status: 'active' | 'superseded';
  at?: string;
  by?: string;
  /** The fact holds, but the tagging model reads a newer message as contradicting it. */
  isContested?: true;
}

type Judged = Pick<Fact, 'id' | 'predicate' | 'object_key' | 'sources' | 'superseded_by_hand' | 'changes'>;

interface Event {
  fact: Judged;
  source: FactSource;
}

/**
 * Judges the facts of one subject and predicate by everything stated about them. Only message times count, so the
 * verdicts do not depend on the order in which conversations arrive.
 */
export function judge(facts: readonly Judged[], values: 'one' | 'many'): Map<string, Verdict> {
  const heardAs = successorsByHand(facts, values);
  const events = facts.flatMap((fact) => fact.sources.map((source) => eventOf(fact, source, heardAs)));
  const timeline = createTimeline(events, values);
  const verdicts = new Map(facts.map((fact) => [fact.id, byHand(fact) ?? verdictOn(fact, timeline)]));
  return values === 'one' ? contested(underPins(facts, verdicts), events) : verdicts;
}

/**
 * The tagging model is not accurate enough to replace a plain statement, but too accurate to ignore: when it reads a
 * different value, or an end, from a newer message, the fact is marked as contested.
 */
function contested(verdicts: Map<string, Verdict>, events: readonly Event[]): Map<string, Verdict> {
  const doubts = events.filter(({ source }) => isGuess(source) && !source.hedged);
  for (const [id, verdict] of verdicts) {
    if (verdict.status !== 'active') continue;
    const own = events.filter(({ fact, source }) => fact.id === id && !source.ends && isPlainlySaid(source));
    const last = own.toSorted((one, other) => compareSources(one.source, other.source)).at(-1);
    if (last === undefined || isPinned(last.fact)) continue;
    const isDoubted = doubts.some(
      ({ fact, source }) =>
        fact.predicate === last.fact.predicate &&
        isAfter(source, last.source) &&
        (source.ends ? covers(fact, last.fact) : fact.object_key !== last.fact.object_key),
    );
    if (isDoubted) verdicts.set(id, { ...verdict, isContested: true });
  }
  return verdicts;
}

/** A statement in the user's own words that only the tagging model found. */
function isGuess({ role, pasted, guessed }: FactSource): boolean {
  return role === 'user' && pasted !== true && guessed === true;
}

/**
 * Keeps a pinned value for a single-valued predicate: later statements are recorded and take effect once it is
 * unpinned.
 */
function underPins(facts: readonly Judged[], verdicts: Map<string, Verdict>): Map<string, Verdict> {
  const pins = facts.filter((fact) => isPinned(fact) && verdicts.get(fact.id)?.status === 'active');
  for (const fact of facts) {
    const pin = pins.find(({ predicate }) => predicate === fact.predicate);
    if (pin === undefined || pins.includes(fact) || verdicts.get(fact.id)?.status !== 'active') continue;
    const at = fact.sources.findLast(({ ends }) => !ends)?.stated_at;
    verdicts.set(fact.id, { status: 'superseded', ...(at === undefined ? {} : { at }), by: pin.id });
  }
  return verdicts;
}

function isPinned(fact: Judged): boolean {
  return pinnedSince(fact) !== undefined;
}

interface Timeline {
  /** The events of a fact in order. */
  about(fact: Judged): readonly Event[];
  /** The first event that ends, corrects or replaces a statement. */
  endOf(statement: Event): Event | undefined;
}

/**
 * Indexed, so that each statement is compared only with relevant events: one conversation may state thousands of
 * values.
 */
function createTimeline(unsorted: readonly Event[], values: 'one' | 'many'): Timeline {
  const events = [...unsorted].sort((one, other) => compareSources(one.source, other.source));
  const placeOf = new Map(events.map((event, place) => [event, place]));
  const byFact = groupedBy(events, ({ fact }) => fact.id);
  const byKey = groupedBy(events, ({ fact }) => fact.object_key);
  const special = events.filter(({ source }) => source.ends || source.corrects !== undefined);
  const byUser = events.filter(({ source }) => isPlainlySaid(source));
  const beside = statedTogether(events);
  const isEnd = (statement: Event, rival: Event): boolean =>
    (rival.fact.id !== statement.fact.id || rival.source.ends === true) &&
    (kindOf(statement.fact.predicate)?.within === rival.fact.predicate
      ? endsWithin(statement, rival, beside(statement))
      : isOver(statement, rival, values));
  const nextOf = (statement: Event): Event | undefined => {
    for (let place = (placeOf.get(statement) ?? 0) + 1; place < events.length; place++) {
      const rival = events[place];
      if (rival !== undefined && isEnd(statement, rival)) return rival;
    }
    return undefined;
  };
  return {
    about: (fact) => byFact.get(fact.id) ?? [],
    endOf(statement) {
      const first = (among: readonly Event[]) => among.find((rival) => isEnd(statement, rival));
      const found = [first(special), first(byKey.get(statement.fact.object_key) ?? [])];
      // A plain statement of another value matters only for a single-valued predicate.
      if (values === 'one') found.push(nextOf(statement));
      if (values === 'one' && !isPlainlySaid(statement.source)) found.push(first(byUser));
      const ends = found.filter((rival) => rival !== undefined);
      return ends.sort((one, other) => (placeOf.get(one) ?? 0) - (placeOf.get(other) ?? 0))[0];
    },
  };
}

function groupedBy(events: readonly Event[], keyOf: (event: Event) => string): Map<string, Event[]> {
  const groups = new Map<string, Event[]>();
  for (const event of events) {
    const group = groups.get(keyOf(event));
    if (group === undefined) groups.set(keyOf(event), [event]);
    else group.push(event);
  }
  return groups;
}

/**
 * Counts a statement of a value the user replaced by hand as a statement of the replacement. Otherwise the user could
 * never choose the older of two values. Where values add up, this applies only to mutually exclusive predicates.
 */
function eventOf(fact: Judged, source: FactSource, heardAs: ReadonlyMap<string, Judged>): Event {
  const successor = heardAs.get(fact.id);
  if (successor === undefined || source.ends) return { fact, source };
  const { corrects: _, ...said } = source;
  return { fact: successor, source: said };
}

/**
 * The fact at the end of each chain of supersessions by hand. Corrections are not included: a correction states the new
 * value by hand, after every statement of the old one.
 */
function successorsByHand(facts: readonly Judged[], values: 'one' | 'many'): Map<string, Judged> {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const nextOf = (fact: Judged): Judged | undefined => {
    const hand = fact.superseded_by_hand;
    const decision = decisionAgainst(fact);
    if (hand === undefined || decision?.at !== hand.superseded_at) return undefined;
    const next = byId.get(hand.superseded_by);
    const replaces = values === 'one' && next?.predicate === fact.predicate;
    return replaces || next?.object_key === fact.object_key ? next : undefined;
  };
  const ends = new Map<string, Judged>();
  for (const fact of facts) {
    const passed = new Set([fact]);
    for (let next = nextOf(fact); next !== undefined && !passed.has(next); next = nextOf(next)) {
      passed.add(next);
      ends.set(fact.id, next);
    }
  }
  return ends;
}

function verdictOn(fact: Judged, timeline: Timeline): Verdict {
  const about = timeline.about(fact);
  const own = about.filter(({ source }) => !source.ends);
  const byUser = own.filter(({ source }) => isPlainlySaid(source));
  const statements = byUser.length > 0 ? byUser : own;
  let last: Verdict | undefined;
  for (const statement of statements) {
    const end = timeline.endOf(statement);
    if (end === undefined) return { status: 'active' };
    // A new employer ends a position but does not replace it with another.
    const replaced = !end.source.ends && kindOf(fact.predicate)?.within !== end.fact.predicate;
    const by = replaced ? { by: end.fact.id } : {};
    // An earlier plain statement outranks a guess, but a fact cannot end before it was stated.
    const at = [end.source.stated_at, statement.source.stated_at].sort().at(-1) ?? end.source.stated_at;
    last = { status: 'superseded', at, ...by };
  }
  if (last !== undefined) return last;
  // Only its end was ever stated.
  const [ending] = about;
  return { status: 'superseded', ...(ending === undefined ? {} : { at: ending.source.stated_at }) };
}

/** A decision holds until the fact is stated again later; a pin holds regardless of later statements. */
function byHand(fact: Judged): Verdict | undefined {
  const decision = decisionAgainst(fact);
  if (decision !== undefined) {
    const by = decision.by === undefined ? {} : { by: decision.by };
    return { status: 'superseded', at: decision.until ?? decision.at, ...by };
  }
  return isPinned(fact) ? { status: 'active' } : undefined;
}

/** Whether a later sentence ends, corrects or replaces a statement. */
function isOver(statement: Event, rival: Event, values: 'one' | 'many'): boolean {
  const { source } = rival;
  if (!isPlainlySaid(source) && isPlainlySaid(statement.source)) return false;
  // The user's statements outrank the assistant's and pasted text, whichever came first.
  const outranks = isPlainlySaid(source) && !isPlainlySaid(statement.source) && !isNewGuess(statement, rival);
  if (corrects(rival, statement) && !corrects(statement, rival) && source.stated_at >= statement.source.stated_at)
    return true;
  if (!isAfter(source, statement.source) && !outranks) return false;
  const rivals = kindOf(rival.fact.predicate)?.rival === statement.fact.predicate;
  if (rival.fact.predicate !== statement.fact.predicate)
    return rivals && !source.ends && rival.fact.object_key === statement.fact.object_key;
  if (source.ends) return covers(rival.fact, statement.fact);
  return values === 'one' && rival.fact.object_key !== statement.fact.object_key;
}

/** A newer, unhedged guess is kept beside an earlier plain statement; see `contested`. */
function isNewGuess({ source }: Event, { source: before }: Event): boolean {
  return isGuess(source) && !source.hedged && isAfter(source, before);
}

/**
 * A position stated together with an employer ends with that employer or when a new one is stated; "my job" is any
 * position.
 */
function endsWithin(statement: Event, { fact, source }: Event, beside: readonly Judged[]): boolean {
  if (!isPlainlySaid(source) && isPlainlySaid(statement.source)) return false;
  if (!isAfter(source, statement.source)) return false;
  if (source.ends) return isAnyJob(fact) || beside.some((each) => covers(fact, each));
  const isSame = ({ object_key: known }: Judged): boolean =>
    hasWordsOf(known, fact.object_key) || hasWordsOf(fact.object_key, known);
  return beside.length > 0 && !beside.some(isSame);
}

/** The facts stated in the same sentence that a statement depends on, such as the employer of a position. */
function statedTogether(events: readonly Event[]): (statement: Event) => readonly Judged[] {
  const place = ({ fact, source }: Event): string =>
    source.by_hand
      ? `${fact.id} ${source.stated_at}`
      : `${source.conversation_id} ${source.message_index} ${source.start}`;
  const bySentence = groupedBy(
    events.filter(({ source }) => !source.ends),
    place,
  );
  return (statement) => {
    const within = kindOf(statement.fact.predicate)?.within;
    const together = bySentence.get(place(statement)) ?? [];
    return together.map(({ fact }) => fact).filter(({ predicate }) => predicate === within);
  };
}

function isAnyJob({ predicate, object_key }: Judged): boolean {
  return predicate === 'profile_employer' && object_key === 'job';
}

/** "My car" covers "a red car" and any other car; "my job" covers any employer. */
function covers(ended: Judged, special: Judged): boolean {
  const { object_key: general, predicate } = ended;
  if (isAnyJob(ended)) return true;
  if (predicate.startsWith('owns_') && !general.includes(' ') && ownedItem(general) === predicate.slice('owns_'.length))
    return true;
  return hasWordsOf(general, special.object_key);
}

function corrects({ source }: Event, { fact }: Event): boolean {
  return source.corrects !== undefined && hasWordsOf(source.corrects, fact.object_key);
}

function hasWordsOf(general: string, special: string): boolean {
  if (general === special) return true;
  const words = new Set(special.split(' '));
  return general.split(' ').every((word) => words.has(word));
}

/**
 * Stated later, or further on in the same conversation. Statements with equal times in two conversations are equally
 * recent.
 */
function isAfter(one: FactSource, other: FactSource): boolean {
  if (one.stated_at !== other.stated_at) return one.stated_at > other.stated_at;
  if (one.conversation_id !== other.conversation_id) return false;
  return (
    one.message_index - other.message_index > 0 ||
    (one.message_index === other.message_index && one.start > other.start)
  );
}
