import type { RuleLine } from '../../../fact-words.js';
import { isLasting } from '../people.js';

const own = { assistant: true } as const;

export const nameRules: readonly RuleLine[] = [
  ['my our', "{my} (?:full |first |real |given )?name(?: is|'s) (?:actually |now )?{}", 'profile_name', 'person', own],
  ['my', '{my} (?:surname|last name|family name) is {}', 'profile_surname', 'person', own],
  ['i im', '{am} (?:called|named) {}', 'profile_name', 'person', own],
  [
    'you please just everyone',
    '(?:(?:you|everyone) (?:can|may)|please|just)(?: just)? call me {}',
    'profile_nickname',
    'person',
    { holds: '\\bme\\b' },
  ],
  ['call', 'call me {}', 'profile_nickname', 'proper', { holds: '\\bme\\b' }],
  ['my', '{my} (?:friends|family|colleagues|parents|team|mates) (?:all )?call me {}', 'profile_nickname', 'person'],
  ['my', '{my} nickname is {}', 'profile_nickname', 'person', own],
  ['i', '{I} (?:usually )?go by {}', 'profile_nickname', 'proper', own],
  ['i im this', "(?:i am|i'm|im|this is) (?<object>\\p{Lu}.+)", introduced, 'proper', { holds: '\\b(?:i|im)\\b' }],
  [
    'my',
    '{my} (?:new |current |main |work |private |personal )?e-?mail(?: address)?(?: is|:) {}',
    'profile_email',
    'email',
    own,
  ],
];

/** "I'm Maria": a name only when it is written as one and is no other word with a capital. */
function introduced(_: unknown, object: string): string | undefined {
  const words = object.split(/\s+/);
  const plain = words.every((word) =>
    /^\p{Lu}\p{Ll}+(?:['-]\p{Lu}\p{Ll}+)?$|^(?:Mc|Mac|De|O')\p{Lu}\p{Ll}+$/u.test(word),
  );
  const ordinary =
    /^(?:I|The|A|An|In|At|On|Not|So|Very|Just|Ok|Okay|Sure|Sorry|Done|Going|Looking|Trying|Here|New|Back|Happy|Sad|Tired|Fine|Good|From|Also|Working|Using|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Now|Getting|Still|Having|Building|Learning|Planning)$/;
  if (!plain || words.some((word) => ordinary.test(word) || isLasting(word))) return undefined;
  return 'profile_name';
}
