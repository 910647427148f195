import { compareSources, type Fact, type FactChange, type FactSource, isPlainlySaid } from '../model/fact.js';

type Changed = Pick<Fact, 'sources' | 'superseded_by_hand' | 'changes'>;

/** A user's decision that a fact does not hold. */
export interface Decision {
  at: string;
  /** The fact that replaced it; absent when it was retracted. */
  by?: string;
  /** The end of a retracted fact's validity; absent when it never was true. */
  until?: string;
}

/** The decision in force against a fact; undefined when the fact was stated again later, by a message or by hand. */
export function decisionAgainst(fact: Changed): Decision | undefined {
  const decided = newestDecision(fact);
  if (decided === undefined) return undefined;
  const own = fact.sources.filter(({ ends }) => !ends);
  const byUser = own.filter(isPlainlySaid);
  const statements = byUser.length > 0 ? byUser : own;
  return statements.some(({ stated_at }) => stated_at > decided.at) ? undefined : decided;
}

function newestDecision({ superseded_by_hand: hand, changes = [] }: Changed): Decision | undefined {
  const decisions = changes.flatMap((change): Decision[] => {
    if (change.kind === 'retracted') {
      return [{ at: change.at, ...(change.until === undefined ? {} : { until: change.until }) }];
    }
    return change.kind === 'corrected' ? [{ at: change.at, by: change.by }] : [];
  });
  if (hand !== undefined) decisions.push({ at: hand.superseded_at, by: hand.superseded_by });
  return decisions.reduce<Decision | undefined>(
    (newest, each) => (newest === undefined || each.at >= newest.at ? each : newest),
    undefined,
  );
}

/** The retraction in force: the user retracted the fact and it has not been stated again since. */
export function retractionOf(fact: Changed): Decision | undefined {
  const decision = decisionAgainst(fact);
  return decision?.by === undefined ? decision : undefined;
}

/** Whether the user said that the fact was never true, which removes it from the history as well. */
export function neverWasSo(fact: Changed): boolean {
  const retraction = retractionOf(fact);
  return retraction !== undefined && retraction.until === undefined;
}

/** When a fact was pinned; undefined when it is not. Correcting or retracting a fact unpins it. */
export function pinnedSince({ changes = [] }: Pick<Fact, 'changes'>): string | undefined {
  const last = changes.findLast(
    (change) => change.kind !== 'detached' && (change.kind !== 'added' || change.pinned === true),
  );
  return last?.kind === 'pinned' || last?.kind === 'added' ? last.at : undefined;
}

/** Limits the changes kept for one fact: older changes beyond this only repeat newer ones. */
const mostChanges = 100;

/** The fact with one more change; a change that adds a value also adds a source for it. */
export function withChange<Known extends Fact>(fact: Known, change: FactChange, value?: string): Known {
  const all = [...(fact.changes ?? []), change];
  // Only the newest change of a kind counts, so an older one of the same kind can be dropped; each detachment counts.
  const isRepeated = (each: FactChange, at: number): boolean =>
    each.kind !== 'detached' && all.some((other, place) => place > at && other.kind === each.kind);
  const first = all.findIndex(isRepeated);
  const dropped = all.length > mostChanges ? all[first] : undefined;
  const changes = dropped === undefined ? all : all.filter((each) => each !== dropped);
  const left = dropped === undefined ? fact.sources : fact.sources.filter((source) => !isOf(source, dropped));
  if (change.kind === 'detached') {
    return { ...fact, sources: left.filter((source) => !isAmong(change.sources, source)), changes };
  }
  const sources = value === undefined ? left : [...left, sourceByHand(change, value)];
  return { ...fact, sources, changes };
}

/** The fact as it was before its last change. */
export function withoutLastChange(fact: Fact): Fact {
  const { changes = [], ...kept } = fact;
  const last = changes.at(-1);
  const left = changes.slice(0, -1);
  const stated = fact.sources.filter((source) => last === undefined || !isOf(source, last));
  const sources = last?.kind === 'detached' ? [...stated, ...last.sources].sort(compareSources) : stated;
  return { ...kept, sources, ...(left.length === 0 ? {} : { changes: left }) };
}

/** The sentences that the user detached from a fact. */
export function detachedFrom({ changes = [] }: Pick<Fact, 'changes'>): FactSource[] {
  return changes.flatMap((change) => (change.kind === 'detached' ? change.sources : []));
}

/** Whether the user detached this sentence, wherever its chunk and whatever its time is by now. */
export function isDetached(fact: Pick<Fact, 'changes'>, source: FactSource): boolean {
  return isAmong(detachedFrom(fact), source);
}

function isAmong(
  sources: readonly FactSource[],
  { conversation_id, message_index, start, by_hand }: FactSource,
): boolean {
  if (by_hand) return false;
  return sources.some(
    (each) => each.conversation_id === conversation_id && each.message_index === message_index && each.start === start,
  );
}

/** Whether a source was created by this change by hand. */
function isOf({ by_hand, stated_at }: FactSource, { kind, at }: FactChange): boolean {
  return kind === 'added' && by_hand === true && stated_at === at;
}

/** The value the user entered with a change; undefined when the change did not set a value. */
export function valueEntered({ sources }: Pick<Fact, 'sources'>, { at }: FactChange): string | undefined {
  return sources.find(({ by_hand, stated_at }) => by_hand === true && stated_at === at)?.object_raw;
}

function sourceByHand(change: FactChange, value: string): FactSource {
  const isCorrection = change.kind === 'added' && change.corrects !== undefined;
  return {
    conversation_id: '',
    message_index: 0,
    chunk_index: 0,
    start: 0,
    end: 0,
    source: 'user',
    stated_at: change.at,
    role: 'user',
    object_raw: value,
    by_hand: true,
    ...(isCorrection ? { correction: true } : {}),
  };
}
