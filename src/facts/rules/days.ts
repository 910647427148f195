import { readDate } from '../dates.js';
import { type Groups, rules } from '../rule.js';

const own = { assistant: true } as const;

export const dayRules = rules([
  [
    'my',
    '{my} (?:birthday|birth date|date of birth|birthdate) (?:is|falls)(?: on)? {}',
    day('profile_birthday'),
    'date',
    own,
  ],
  ['i', '{I} was born (?:on )?{}', day('profile_birthday'), 'date', own],
  ['i', '{I} was born in (?<object>(?:19|20)[0-9]{2})(?![0-9])', 'profile_birth_year', 'number', own],
  [
    'my our',
    "{my} (?<event>[\\p{L}]+(?:'s)?(?: [\\p{L}]+){0,2}) is (?:on |scheduled for |due on )?{}",
    dated,
    'date',
    own,
  ],
  ['mein', 'mein geburtstag ist (?:am )?{}', day('profile_birthday'), 'date'],
  ['ich', 'ich (?:bin|wurde) am (?<object>.+?) geboren', day('profile_birthday'), 'date'],
  ['mon', 'mon anniversaire est le {}', day('profile_birthday'), 'date'],
  ['je', 'je suis née? le {}', day('profile_birthday'), 'date'],
  ['mi', 'mi cumpleaños es el {}', day('profile_birthday'), 'date'],
  ['nací yo', '(?:yo )?nací el {}', day('profile_birthday'), 'date'],
  ['мій', 'мій день народження(?: —| -|:)? {}', day('profile_birthday'), 'date'],
  ['я', 'я народи(?:вся|лася) {}', day('profile_birthday'), 'date'],
  ['我', '我的?生日是(?<object>[^哪什]{3,16})', day('profile_birthday'), 'date'],
  ['我', '我出生于(?<object>[^哪什]{3,16})', day('profile_birthday'), 'date'],
]);

function day(predicate: string) {
  return (_: Groups, object: string): string | undefined => (readDate(object) === undefined ? undefined : predicate);
}

/** "My wife's birthday is on the 9th of November" is `date_wife_birthday`. */
function dated(groups: Groups, object: string): string | undefined {
  const event = (groups.event ?? '').toLowerCase().replaceAll("'s", '').trim().split(/\s+/);
  if (readDate(object) === undefined || /^(?:birthday|name|question|guess|answer)$/.test(event.join('_')))
    return undefined;
  return `date_${event.join('_')}`;
}
