import { isLasting } from '../lexicon.js';
import { rules } from '../rule.js';

const own = { assistant: true } as const;

export const nameRules = rules([
  ['my our', "{my} (?:full |first |real |given )?name(?: is|'s) (?:actually |now )?{}", 'profile_name', 'person', own],
  ['my', '{my} (?:surname|last name|family name) is {}', 'profile_surname', 'person', own],
  ['i im', '{am} (?:called|named) {}', 'profile_name', 'person', own],
  [
    'you please just everyone',
    '(?:(?:you|everyone) (?:can|may)|please|just)(?: just)? call me {}',
    'profile_nickname',
    'person',
  ],
  ['call', 'call me {}', 'profile_nickname', 'proper'],
  ['my', '{my} (?:friends|family|colleagues|parents|team|mates) (?:all )?call me {}', 'profile_nickname', 'person'],
  ['my', '{my} nickname is {}', 'profile_nickname', 'person', own],
  ['i', '{I} (?:usually )?go by {}', 'profile_nickname', 'proper', own],
  ['i im this', "(?:i am|i'm|im|this is) (?<object>\\p{Lu}.+)", introduced, 'proper'],
  [
    'my',
    '{my} (?:new |current |main |work |private |personal )?e-?mail(?: address)?(?: is|:) {}',
    'profile_email',
    'email',
    own,
  ],
  ['meine', 'meine (?:e-?)?mail(?:-?adresse)?(?: ist| lautet|:) {}', 'profile_email', 'email'],
  ['mon', 'mon (?:adresse )?e-?mail(?: est|:) {}', 'profile_email', 'email'],
  ['mi', 'mi (?:correo(?: electrónico)?|e-?mail)(?: es|:) {}', 'profile_email', 'email'],
  ['моя мій', '(?:моя|мій) (?:електронна )?(?:пошта|адреса|e-?mail|імейл)(?: —| -|:)? {}', 'profile_email', 'email'],
  ['我', '我的(?:电子)?(?:邮箱|邮件)(?:地址)?是 ?{}', 'profile_email', 'email'],
  ['ich', 'ich heiße {}', 'profile_name', 'person'],
  ['mein', 'mein name ist {}', 'profile_name', 'person'],
  ['je', "je m'appelle {}", 'profile_name', 'person'],
  ['mon', 'mon (?:nom|prénom) est {}', 'profile_name', 'person'],
  ['me yo', '(?:yo )?me llamo {}', 'profile_name', 'person'],
  ['mi', 'mi nombre es {}', 'profile_name', 'person'],
  ['мене', 'мене звати {}', 'profile_name', 'person'],
  ['моє', "моє ім'я(?: —| -|:)? {}", 'profile_name', 'person'],
  ['我', '我(?:的名字)?(?:叫做?|是叫)(?<object>[^什谁哪]{1,20})', 'profile_name', 'person'],
  ['我', '我的(?:名字|姓名)(?:是|叫)(?<object>[^什谁哪]{1,20})', 'profile_name', 'person'],
]);

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
