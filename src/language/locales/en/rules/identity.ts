import { age } from '../../../fact-readings.js';
import type { Groups, RuleLine } from '../../../fact-words.js';
import { isLasting, isOccupation } from '../people.js';

const over = { ends: true } as const;

export const identityRules: readonly RuleLine[] = [
  ['i im', '(?:{am}) {often}{}', lasting, 'short'],
  ['i im', "(?:{am}) {often}(?:an?) (?<object>(?:[\\p{L}'-]+ ){0,3}[\\p{L}'-]+)", kindOfPerson, 'role'],
  ['i im', '(?:{am}) (?:no longer|not) {}(?<= anymore| any more)', lasting, 'short', over],
  ['i im', '(?:{am}) no longer {}', lasting, 'short', over],
  ['i', 'i used to be {}', lasting, 'short', over],
  ['i im', '(?:{am}) {often}(?:severely |mildly )?allergic to {}', 'allergic_to', 'topics'],
  ['i', '{have} an? (?:severe |mild |bad )?(?<object>[\\p{L} ]{2,30}?) allergy', 'allergic_to', 'topic'],
  ['i', '{I} {often}(?:suffer|have suffered|have been suffering) from {}', 'profile_condition', 'topics'],
  [
    'i',
    "{have} {often}(?:been diagnosed with )?(?<object>adhd|add|autism|asthma|diabetes|type [12] diabetes|epilepsy|dyslexia|celiac disease|coeliac disease|crohn's(?: disease)?|arthritis|hypertension|high blood pressure|anxiety|depression|insomnia|tinnitus|ibs|pcos|endometriosis|ocd|ptsd|bipolar disorder|scoliosis|migraines)(?!\\p{L})",
    'profile_condition',
    'short',
  ],
  ['i', "(?:i was|i've been|i have been) diagnosed with (?!an? \\p{L}+ one){}", 'profile_condition', 'topics'],
  ['i im', '(?:{am}) {often}(?<object>[0-9]{1,3}) years? old', age, 'number'],
  [
    'i im',
    '(?:{am}) {often}(?<object>[0-9]{2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)(?: now)?[.!]?$',
    age,
    'number',
  ],
  [
    'i',
    "(?:i|i've|i have) {often}turned (?<object>[0-9]{2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-[a-z]+)?)(?![0-9%])",
    age,
    'number',
  ],
];

function lasting(_: Groups, object: string): string | undefined {
  return isLasting(object) ? 'profile_identity' : undefined;
}

/** "a morning person", "an introvert", "a single mother": what one is for good, not a mood and not a trade. */
const people =
  /(?:^|\s)(?:person|vegetarian|vegan|introvert|extrovert|ambivert|mother|father|mom|mum|dad|parent|grandmother|grandfather|widow|widower|immigrant|citizen|veteran|christian|muslim|jew|buddhist|hindu|atheist|catholic|lover|owl|bird|foodie|gamer|runner|hiker|cyclist|swimmer|climber|reader|minimalist|perfectionist|optimist|pessimist|feminist|enthusiast|beginner|twin|only child|night owl|homeowner|expat|refugee|smoker|non-smoker|speaker|millennial|diabetic|celiac|celebrity|volunteer|polyglot|bookworm|redhead|teenager|pescatarian|stay-at-home (?:mom|dad|parent))$/iu;

function kindOfPerson(_: Groups, object: string): string | undefined {
  if (
    isOccupation(object) ||
    /^(?:bit|little|lot|few|huge|big|kind|sort|good|terrible|bad|different|new) /iu.test(object)
  )
    return undefined;
  return people.test(object) || isLasting(object) ? 'profile_identity' : undefined;
}
