import { relation } from '../../../fact-readings.js';
import type { FactLexicon, Groups, RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;

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
