import { extracting, type Statement, type Telling } from '../../src/facts/extract.js';
import { groupOf, type Occasion, reconciling } from '../../src/facts/reconcile.js';
import type { Role } from '../../src/model/conversation.js';
import type { Fact } from '../../src/model/fact.js';
import { finished } from '../../src/model/steps.js';

export interface Said {
  text: string;
  /** A date or time in UTC that sorts as text. */
  at: string;
  role?: Role;
  conversation?: string;
  saveIntent?: Occasion['saveIntent'];
}

export function extractStatements(telling: Telling): Statement[] {
  return finished(extracting(telling));
}

export function anOccasion(parts: Partial<Occasion> = {}): Occasion {
  return {
    projectId: 'project',
    ownerId: 'owner',
    conversationId: 'conversation',
    source: 'claude',
    saidAt: () => '2026-01-01',
    chunkAt: (messageIndex) => messageIndex,
    ...parts,
  };
}

/** The facts that are known after these were said, in this order of arrival: the rules without a store. */
export function factsAfter(said: readonly Said[]): Fact[] {
  let facts: Fact[] = [];
  for (const { text, at, role = 'user', conversation = `${at} ${text}`, saveIntent } of said) {
    const occasion = anOccasion({ conversationId: conversation, saidAt: () => at, saveIntent });
    facts = factsWith(facts, extractStatements({ messages: [{ role, text }] }), occasion);
  }
  return facts.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Each group of statements is judged with the facts of its own group. */
export function factsWith(facts: readonly Fact[], statements: readonly Statement[], occasion: Occasion): Fact[] {
  const known = new Map(facts.map((fact) => [fact.id, fact]));
  for (const id of new Set(statements.map((statement) => groupOf(statement).id))) {
    const group = [...known.values()].filter((fact) => groupOf(fact).id === id);
    const told = statements.filter((statement) => groupOf(statement).id === id);
    for (const fact of finished(reconciling(group, told, occasion))) known.set(fact.id, fact);
  }
  return [...known.values()];
}
