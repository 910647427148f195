import { ownedItem } from '../lexicon.js';
import { type Groups, rules } from '../rule.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;
const some = '(?=an?\\s|one\\s|two\\s|three\\s|four\\s|five\\s|several\\s|some\\s|my own\\s|\\d|\\p{Lu})';

export const possessionRules = rules([
  ['i we', `(?:{I}|we) {often}own {}`, anything, 'thing', own],
  ['i', `{have} {often}${some}{}`, known, 'thing', own],
  [
    'i we',
    `(?:i|we|i've|we've|i have|we have) {often}(?:bought|got|purchased|adopted|received|inherited)(?: myself| ourselves)? ${some}{}`,
    known,
    'thing',
  ],
  ['i', '{I} {often}drive (?<object>an? .+)', 'owns_car', 'thing', own],
  [
    'my our',
    '{my} (?<item>[\\p{L}-]+(?: [\\p{L}-]+)?) is (?<object>(?:an? |the )?(?=.*(?:\\p{Lu}|\\d)).+)',
    mine,
    'thing',
    own,
  ],
  [
    'i we',
    "(?:i|we|i've|we've) {often}(?:sold|gave away|got rid of|lost|crashed|totaled|broke|returned|traded in) (?:my|our|the) {}",
    gone,
    'thing',
    over,
  ],
  ['i we', '(?:i|we) (?:no longer (?:have|own)) (?:my|our|the|an?) {}', gone, 'thing', over],
  [
    'i we',
    "(?:i|we) (?:don't|do not) (?:have|own) (?:my|our|the|an?|any) (?<object>.+?) any ?more",
    gone,
    'thing',
    over,
  ],
  ['i we', '(?:i|we) used to (?:have|own) (?<object>.+)', gone, 'thing', over],
  [
    'my our',
    '{my} (?<object>[\\p{L}-]+(?: [\\p{L}-]+){0,2}) (?:was|got|has been|is) (?:stolen|sold|totaled|gone for good|destroyed)',
    gone,
    'thing',
    over,
  ],
  [
    'my our',
    '{my} (?<object>dog|cat|[\\p{L}-]+ (?:dog|cat)|horse|rabbit|hamster) (?:died|passed away)',
    gone,
    'thing',
    over,
  ],
  [
    'ich wir',
    '(?:ich habe|ich besitze|wir haben) (?<object>(?:ein(?:e|en)?|zwei|drei|meine(?:n)? eigene[n]?) .+?)(?: (?:gekauft|bekommen|adoptiert|geerbt))?[.!]*$',
    germanKnown,
    'thing',
  ],
  ['ich wir', '(?:ich habe|ich besitze|wir haben) kein(?:e|en)? (?<object>.+?) mehr', gone, 'thing', over],
  ['ich wir', '(?:ich habe mein|wir haben unser)(?:e|en)? (?<object>.+?) verkauft', gone, 'thing', over],
  ['j nous', "(?:j'ai|je possède|nous avons) (?<object>(?:une?|deux|trois) .+)", known, 'thing'],
  ['je nous', "(?:je n'ai|nous n'avons) plus (?:de |d'){}", gone, 'thing', over],
  ['j nous', "(?:j'ai|nous avons) vendu (?:mon|ma|mes|notre|nos) {}", gone, 'thing', over],
  ['tengo yo', '(?:yo )?tengo (?<object>(?:una?|dos|tres) .+)', known, 'thing'],
  ['ya', 'ya no tengo (?:una? |mi )?{}', gone, 'thing', over],
  ['vendí yo', '(?:yo )?vendí mi {}', gone, 'thing', over],
  ['у', 'у (?:мене|нас) є {}', known, 'thing'],
  ['я', 'я маю {}', known, 'thing'],
  ['у', 'у (?:мене|нас) (?:більше|вже|уже) нема(?:є)? {}', gone, 'thing', over],
  ['я ми', '(?:я продала?|ми продали) (?:сво[єюїг]\\p{L}* )?{}', gone, 'thing', over],
  ['我', '我(?:家)?有(?<object>[一两二三四五\\d]+[\\p{L}]{1,12})', known, 'thing'],
]);

const unowned =
  /^(?:the |my )?(?:bug|problem|issue|mistakes?|fault|outcome|decision|responsibility|it|that|this|process|task|ticket|code|feature|roadmap|narrative|relationship)(?!\p{L})/iu;

/** "I own …" is said of possessions, whatever they are. */
function anything(_: Groups, object: string): string | undefined {
  return unowned.test(object) ? undefined : `owns_${ownedItem(object) ?? 'item'}`;
}

/** "I have …" is said of headaches too, so the thing must be one that can be owned. */
function known(_: Groups, object: string): string | undefined {
  if (/(?<!\p{L})(?:question|problem|issue|idea|about|meeting|named only)(?!\p{L})/iu.test(object)) return undefined;
  const item = ownedItem(object);
  return item === undefined ||
    !/^(?:\p{Lu}|\p{Lo}|\d|(?:an?|one|two|three|four|five|several|some|my own|ein|eine|einen|zwei|drei|une?|una|deux|trois|dos|tres)\s|\p{sc=Cyrillic})/u.test(
      object,
    )
    ? undefined
    : `owns_${item}`;
}

/** "Ich habe einen Hund gesehen" tells what was done, not what is there. */
function germanKnown(groups: Groups, object: string): string | undefined {
  const done = /\s(?:\p{Ll}*ge\p{Ll}+(?:t|en)|(?:be|ver|er|ent|zer)\p{Ll}+(?:t|en)|\p{Ll}+iert)$/u;
  return done.test(object) ? undefined : known(groups, object);
}

/** "My car is a Honda Civic": the item is named by the subject, the value by what it is. */
function mine(groups: Groups, object: string): string | undefined {
  const item = ownedItem(groups.item ?? '');
  if (item === undefined || !/\p{Lu}|\d/u.test(object)) return undefined;
  if (
    /^(?:not|in|at|on|too|very|so|called|named|from|an? (?:mess|wreck|problem|bit|little|pain|joke))(?!\p{L})/iu.test(
      object,
    )
  )
    return undefined;
  return `owns_${item}`;
}

function gone(_: Groups, object: string): string | undefined {
  const item = ownedItem(object);
  return item === undefined ? undefined : `owns_${item}`;
}
