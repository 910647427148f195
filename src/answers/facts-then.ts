import type { Fact } from '../model/fact.js';

/** A time that is asked about, in UTC; both ends belong to it. */
export interface TimeAsked {
  from: string;
  to: string;
}

/** What was so at a time, with the day it was said. */
export interface HeldThen {
  fact: Fact;
  saidAt: string;
  /** It was said in that time; otherwise before it, and nothing else was until then. */
  isSaidThen: boolean;
}

/**
 * What was so at a time that is over, oldest first. Facts live in the time of what was said: what was said last before
 * holds until something else is said. Of things that have many values, those said at the time tell more than all that held.
 */
export function factsThen(
  facts: readonly Fact[],
  { times, isSingle }: { times: readonly TimeAsked[]; isSingle: boolean },
): HeldThen[] {
  const held = times.flatMap((time) => heldIn(facts, time, isSingle));
  const oldestFirst = held.sort((one, other) => (one.saidAt < other.saidAt ? -1 : 1));
  return oldestFirst.filter(({ fact }, at, all) => all.findIndex((other) => other.fact.id === fact.id) === at);
}

function heldIn(facts: readonly Fact[], { from, to }: TimeAsked, isSingle: boolean): HeldThen[] {
  const lasting = facts.filter(({ superseded_at }) => superseded_at === undefined || superseded_at > from);
  const said = lasting.flatMap(statementsOf).sort((one, other) => (one.saidAt < other.saidAt ? -1 : 1));
  const before = said.filter(({ saidAt }) => saidAt < from).map((each) => ({ ...each, isSaidThen: false }));
  const during = said
    .filter(({ saidAt }) => saidAt >= from && saidAt <= to)
    .map((each) => ({ ...each, isSaidThen: true }));
  if (isSingle) return [...before.slice(-1), ...during];
  return during.length > 0 ? during : before;
}

/** Every time it was said to be so; a sentence that ends it says the opposite. */
function statementsOf(fact: Fact): { fact: Fact; saidAt: string }[] {
  const said = fact.sources.filter(({ ends }) => ends !== true).map(({ stated_at }) => stated_at);
  return (said.length === 0 ? [fact.created_at, fact.stated_at] : said).map((saidAt) => ({ fact, saidAt }));
}
