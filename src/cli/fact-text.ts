import type { FactOutput } from '../operations/facts/present.js';
import { printable, type Style } from './style.js';

/** Two lines for each fact: what it says, then how it is known and its id. */
export function factsText(facts: readonly FactOutput[], cursor: string | null, style: Style): string {
  if (facts.length === 0) return 'no facts';
  const parts = facts.map((fact) => factText(fact, style));
  if (cursor !== null) parts.push(style.faint(`more: repeat the command with --cursor ${cursor}`));
  return parts.join('\n');
}

export function factText(fact: FactOutput, style: Style): string {
  const subject = fact.subject === 'user' ? '' : `${oneLine(fact.subject)} · `;
  const said = `${subject}${fact.predicate}: ${style.strong(oneLine(fact.object_normalized))}`;
  const known = [fact.stated_at.slice(0, 10), fact.confidence, fact.source_quality.replaceAll('_', ' '), fact.id];
  if (fact.pinned_at !== undefined) known.unshift('pinned');
  if (fact.status === 'superseded') known.unshift(`superseded ${fact.superseded_at?.slice(0, 10) ?? ''}`.trim());
  return `${said}\n   ${style.faint(known.join(' · '))}`;
}

/** Values are the client's words. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
