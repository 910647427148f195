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
    '(?:ich habe|ich besitze|wir haben) (?<object>(?:ein(?:e|en)?|zwei|drei|meine(?:n)? eigene[n]?) .+)',
    known,
    'thing',
  ],
  ['j nous', "(?:j'ai|je possède|nous avons) (?<object>(?:une?|deux|trois) .+)", known, 'thing'],
  ['tengo yo', '(?:yo )?tengo (?<object>(?:una?|dos|tres) .+)', known, 'thing'],
  ['у', 'у (?:мене|нас) є {}', known, 'thing'],
  ['я', 'я маю {}', known, 'thing'],
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
