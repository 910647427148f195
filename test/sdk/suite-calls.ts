/*
 * The steps of shared-suite.json as calls of the interface. Nothing of Node is used here: scripts/rings/runtimes.mjs runs it in
 * Deno, Bun and a browser too.
 */
import type { Memory } from '../../src/sdk/memory.js';

export interface Step {
  call: string;
  input: Record<string, unknown>;
  as?: string;
  /** A call that must have been possible before this one means anything. */
  after?: string;
  /** These fields of it; lists are whole. */
  answer?: unknown;
  error?: string;
}

/** Texts of the form `{name.field}` replaced with what an earlier answer holds there. */
export function filled(value: unknown, kept: Record<string, unknown>): unknown {
  if (typeof value === 'string') {
    const path = /^\{([\w.]+)\}$/.exec(value)?.[1];
    if (path === undefined) return value;
    return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], kept);
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, kept)]));
}

/** The call of the interface that a step names. */
export function run(memory: Memory, call: string, input: Record<string, unknown>): Promise<unknown> {
  const { data, ...fields } = input;
  // The inputs come from a file that the other languages read too; the memory itself refuses what is wrong with them.
  const given = input as never;
  const options = fields as never;
  const calls: Record<string, () => Promise<unknown>> = {
    insert: () => memory.insert(given),
    validate: () => memory.validate(given),
    search: () => memory.search(given),
    search_all: () => collected(memory.searchAll(given)),
    retrieve: () => memory.retrieve(given),
    context: () => memory.context(given),
    ask: () => memory.ask(given),
    facts_search: () => memory.facts.search(given),
    facts_all: () => collected(memory.facts.all(given)),
    facts_supersede: () => memory.facts.supersede(given),
    facts_restore: () => memory.facts.restore(given),
    facts_add: () => memory.facts.add(given),
    facts_correct: () => memory.facts.correct(given),
    facts_retract: () => memory.facts.retract(given),
    facts_pin: () => memory.facts.pin(given),
    facts_unpin: () => memory.facts.unpin(given),
    facts_undo: () => memory.facts.undo(given),
    profile_get: () => memory.profile(given),
    people_list: () => memory.people(given),
    timeline: () => memory.timeline(given),
    timeline_all: () => collected(memory.timelineAll(given)),
    activity: () => memory.activity(given),
    conversations_list: () => memory.conversations.list(given),
    conversations_all: () => collected(memory.conversations.all(given)),
    conversations_update: () => memory.conversations.update(given),
    pending_approve: () => memory.pending.approve(given),
    pending_reject: () => memory.pending.reject(given),
    project_list: () => memory.projects.list(),
    project_default_get: () => memory.projects.default(),
    project_get: () => memory.projects.get(String(input.project_id)),
    project_members: () => memory.projects.members(String(input.project_id)),
    forget: () => memory.forget(given),
    export: () => exported(memory.export(given)),
    import: () => memory.import(String(data), options),
    imports_get: () => memory.imports.get(given),
    health: () => memory.health(),
    ready: () => memory.ready(),
  };
  return calls[call]?.() ?? Promise.reject(new Error(`${call} is not a call of the interface`));
}

async function collected(items: AsyncIterable<unknown>): Promise<{ results: unknown[] }> {
  const results: unknown[] = [];
  for await (const item of items) results.push(item);
  return { results };
}

async function exported(pieces: AsyncIterable<string>): Promise<{ text: string; types: unknown[] }> {
  let text = '';
  for await (const piece of pieces) text += piece;
  const lines = text.trimEnd().split('\n');
  return { text, types: lines.map((line) => (JSON.parse(line) as { type: unknown }).type) };
}
