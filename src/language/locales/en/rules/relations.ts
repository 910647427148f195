import { type FactLexicon, type Groups, gone, known, type RuleLine, relation } from '../../../fact-words.js';

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

/** "I own …" states a possession, whatever it is. */
function anything(_: Groups, object: string, { ownedItem }: FactLexicon): string | undefined {
  return unowned.test(object) ? undefined : `owns_${ownedItem(object) ?? 'item'}`;
}

/** "My car is a Honda Civic": the subject names the item and the complement the value. */
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

const people =
  'wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mother|father|mom|mum|dad|parent|sister|brother|son|daughter|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|uncle|aunt|cousin|nephew|niece|boss|manager|landlord|best friend|friend|roommate|flatmate|neighbou?r|colleague|coworker|co-founder|mentor|therapist|doctor|dentist|teacher|stepson|stepdaughter|stepmother|stepfather|godson|goddaughter';
const pets = 'dog|puppy|cat|kitten|hamster|rabbit|parrot|horse|bird|fish|turtle|snake';
const kin =
  'kids?|child|children|sons?|daughters?|brothers?|sisters?|siblings?|twins|triplets|cousins?|nephews?|nieces?|grandchild(?:ren)?|grandsons?|granddaughters?|uncles?|aunts?|stepsons?|stepdaughters?|wife|husband|girlfriend|boyfriend|fianc[ée]e?|toddler|baby';
const count = '(?:an?|one|two|three|four|five|six|seven|eight|\\d{1,2})';

export const relationRules: readonly RuleLine[] = [
  [
    'my our',
    `{my} (?:late |older |younger |elder |big |little |eldest |youngest |oldest )?(?<who>${people})(?:'s name is| is called| is named|, whose name is|'s called|'s named) {}`,
    relation,
    'person',
    own,
  ],
  [
    'my our',
    `{my} (?:late |older |younger |elder |big |little |eldest |youngest |oldest )?(?<who>${people}) is (?:now |actually |still )?{}`,
    relation,
    'proper',
    own,
  ],
  [
    'my our',
    `{my} (?:older |younger |big |little |eldest |youngest )?(?<who>${people}) (?<object>\\p{Lu}.*)`,
    named,
    'proper',
  ],
  ['i im', '(?:{am}) {often}(?:happily )?married to {}', 'relation_spouse', 'proper'],
  ['i', `{have} (?:a|an|one) (?:[\\p{L}]+ )?(?<who>${people}) (?:named|called) {}`, relation, 'proper'],
  [
    'i we',
    `(?:{have}|we have|we've got) (?<object>(?:${count} )?(?:[\\p{L}-]+ ){0,2}(?:${kin})(?: (?:named|called) [^,.]+)?)(?!\\p{L})`,
    family,
    'phrase',
  ],
  [
    'my our',
    `{my} (?:[\\p{L}-]+ )?(?<pet>${pets})(?:'s name is| is called| is named|'s called|'s named) {}`,
    pet,
    'person',
    own,
  ],
  [
    'i we',
    `(?:{have}|we have|i got|we got|i adopted|we adopted) (?:a|an|one) (?:[\\p{L}-]+ ){0,3}(?<pet>${pets}) (?:named|called) {}`,
    pet,
    'proper',
  ],
];

/** "My sister Eva lives abroad": a name between the relation and its verb. */
function named(groups: Groups, object: string, lexicon: FactLexicon): string | undefined {
  return /^\p{Lu}\p{Ll}+$/u.test(object) ? relation(groups, object, lexicon) : undefined;
}

/** Young animals are named as their kind. */
function pet({ pet: which = '' }: Groups): string {
  const word = which.toLowerCase();
  return `pet_${word === 'puppy' ? 'dog' : word === 'kitten' ? 'cat' : word}`;
}

function family(_: Groups, object: string): string | undefined {
  return /^no\s|(?:issue|problem|question|name|birthday|'s)/iu.test(object) ? undefined : 'family';
}
