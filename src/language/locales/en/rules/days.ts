import type { Groups, RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;

export const dayRules: readonly RuleLine[] = [
  [
    'my',
    '{my} (?:birthday|birth date|date of birth|birthdate) (?:is|falls)(?: on)? {}',
    'profile_birthday',
    'date',
    own,
  ],
  ['i', '{I} was born (?:on )?{}', 'profile_birthday', 'date', own],
  ['i', '{I} was born in (?<object>(?:19|20)[0-9]{2})(?![0-9])', 'profile_birth_year', 'number', own],
  [
    'my our',
    "{my} (?<event>[\\p{L}]+(?:'s)?(?: [\\p{L}]+){0,2}) is (?:on |scheduled for |due on )?{}",
    dated,
    'date',
    own,
  ],
];

/** "My wife's birthday is on the 9th of November" is `date_wife_birthday`. */
function dated(groups: Groups): string | undefined {
  const event = (groups.event ?? '').toLowerCase().replaceAll("'s", '').trim().split(/\s+/);
  if (/^(?:birthday|name|question|guess|answer)$/.test(event.join('_'))) return undefined;
  return `date_${event.join('_')}`;
}
