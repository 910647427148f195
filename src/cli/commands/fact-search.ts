import type { FactOutput } from '../../operations/facts/present.js';
import type { PersonOutput } from '../../operations/people.js';
import type { Command } from '../command.js';
import { type FactOptions, factOptions, factPayload } from '../filters.js';
import { perform } from '../perform.js';
import { counted, printable, type Style } from '../terminal.js';

export const factSearch: Command<FactOptions> = {
  name: 'fact-search',
  arguments: [{ name: '[query...]', text: 'Words to look for in subject, predicate and value (default: all facts)' }],
  summary: 'Search the stored facts',
  options: [{ flags: '--subject <name>', text: 'Only facts about this subject; user is the speaker' }, ...factOptions],
  examples: [
    'threadkeep fact-search',
    'threadkeep fact-search guitar --include-superseded',
    'threadkeep fact-search --subject user --source claude --status superseded',
    'threadkeep fact-search --predicate profile_location --json | jq -r ".results[0].object_normalized"',
  ],
  async run(invocation) {
    const { args, options } = invocation;
    const query = args.join(' ');
    const payload = factPayload(options, query === '' ? {} : { query });
    const { value: found } = await perform(invocation, 'facts_search', payload);
    return { json: found, text: (style) => factsText(found.results, found.cursor, style) };
  },
};

export const profileGet: Command<FactOptions> = {
  name: 'profile-get',
  summary: 'Print the profile: the stored facts about you',
  options: [
    { flags: '--subject <name>', text: 'The subject of the profile (default: user, the speaker)' },
    ...factOptions,
  ],
  examples: [
    'threadkeep profile-get',
    'threadkeep profile-get --predicate profile_role --include-superseded',
    'threadkeep profile-get --subject Atlas --source-quality direct_user_statement --json',
  ],
  async run(invocation) {
    const { value: profile } = await perform(invocation, 'profile_get', factPayload(invocation.options));
    return {
      json: profile,
      text(style) {
        const { active_fact_count: active, freshest_at } = profile.summary;
        const fresh = freshest_at === null ? '' : `, last confirmed ${freshest_at.slice(0, 10)}`;
        const heading = style.faint(`${counted(active, 'active fact')}${fresh}`);
        return `${heading}\n${factsText(profile.facts, profile.cursor, style)}`;
      },
    };
  },
};

export const people: Command<{ asOf?: string; projectId?: string }> = {
  name: 'people',
  summary: 'List the people in memory and their relation to you',
  options: [
    { flags: '--as-of <date>', text: 'People known at this date or time (UTC)' },
    { flags: '--project-id <id>', text: 'The project to look in (default: your own)' },
  ],
  examples: ['threadkeep people', 'threadkeep people --json | jq -r ".results[].name"'],
  async run(invocation) {
    const { asOf, projectId } = invocation.options;
    const payload = {
      ...(asOf === undefined ? {} : { as_of: asOf }),
      ...(projectId === undefined ? {} : { project_id: projectId }),
    };
    const { value: found } = await perform(invocation, 'people_list', payload);
    return { json: found, text: (style) => peopleText(found.results, style) };
  },
};

/** Two lines per person: name and relation, then since when and from which source. */
function peopleText(results: readonly PersonOutput[], style: Style): string {
  if (results.length === 0) return 'no people known yet';
  return results.map((person) => personText(person, style)).join('\n');
}

function personText(person: PersonOutput, style: Style): string {
  const { name, other_names, relations, kind, since, confidence, conversation_ids, facts } = person;
  const called = [name ?? 'no name', ...other_names].map(oneLine).join(', ');
  const what = relations.length === 0 ? [] : [relations.map(oneLine).join(', ')];
  const sources = conversation_ids.length === 1 ? '1 conversation' : `${conversation_ids.length} conversations`;
  const known = [kind, `since ${since.slice(0, 10)}`, confidence, sources];
  const about = facts.map(({ predicate, value }) => `   ${predicate}: ${oneLine(value)}`);
  const head = [style.strong(called), ...what].join(' · ');
  return [head, ...about, `   ${style.faint(known.join(' · '))}`].join('\n');
}

/** Names and values are untrusted client input. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}

/** Two lines per fact: its statement, then its source and id. */
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
