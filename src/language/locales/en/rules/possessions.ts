import { gone, known } from '../../../fact-readings.js';
import type { FactLexicon, Groups, RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;
const some = '(?=an?\\s|one\\s|two\\s|three\\s|four\\s|five\\s|several\\s|some\\s|my own\\s|\\d|\\p{Lu})';

export const possessionRules: readonly RuleLine[] = [
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
];

const unowned =
  /^(?:the |my )?(?:bug|problem|issue|mistakes?|fault|outcome|decision|responsibility|it|that|this|process|task|ticket|code|feature|roadmap|narrative|relationship)(?!\p{L})/iu;

/** "I own …" is said of possessions, whatever they are. */
function anything(_: Groups, object: string, { ownedItem }: FactLexicon): string | undefined {
  return unowned.test(object) ? undefined : `owns_${ownedItem(object) ?? 'item'}`;
}

/** "My car is a Honda Civic": the item is named by the subject, the value by what it is. */
function mine(groups: Groups, object: string, { ownedItem }: FactLexicon): string | undefined {
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
