import type { PersonOutput } from '../../operations/people.js';
import type { Command } from '../command.js';
import { perform } from '../perform.js';
import { printable, type Style } from '../style.js';

export const people: Command<{ asOf?: string; projectId?: string }> = {
  name: 'people',
  summary: 'List who the memory knows, and what they are to you',
  options: [
    { flags: '--as-of <date>', text: 'Who was known at this date or time (UTC)' },
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

/** Two lines for each: who it is, then since when and how that is known. */
function peopleText(results: readonly PersonOutput[], style: Style): string {
  if (results.length === 0) return 'no people known yet';
  return results.map((person) => personText(person, style)).join('\n');
}

function personText(person: PersonOutput, style: Style): string {
  const { name, other_names, relations, kind, since, confidence, conversation_ids, facts } = person;
  const called = [name ?? 'no name', ...other_names].map(oneLine).join(', ');
  const what = relations.length === 0 ? [] : [relations.map(oneLine).join(', ')];
  const told = conversation_ids.length === 1 ? '1 conversation' : `${conversation_ids.length} conversations`;
  const known = [kind, `since ${since.slice(0, 10)}`, confidence, told];
  const about = facts.map(({ predicate, value }) => `   ${predicate}: ${oneLine(value)}`);
  const head = [style.strong(called), ...what].join(' · ');
  return [head, ...about, `   ${style.faint(known.join(' · '))}`].join('\n');
}

/** Names are the client's words. */
function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
