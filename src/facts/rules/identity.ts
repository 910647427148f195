import { isLasting, isOccupation } from '../lexicon.js';
import { type Groups, rules } from '../rule.js';

const over = { ends: true } as const;

export const identityRules = rules([
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
  ['ich', 'ich bin (?<object>[0-9]{1,3}) (?:jahre alt)', age, 'number'],
  ['ich', 'ich bin (?:ein |eine )?{}', germanIdentity, 'short'],
  ['ich', 'ich bin allergisch (?:gegen|auf) {}', 'allergic_to', 'topics'],
  ['j', "j'ai (?<object>[0-9]{1,3}) ans", age, 'number'],
  ['je', 'je suis (?:un |une )?{}', frenchIdentity, 'short'],
  ['je', "je suis allergique (?:aux|à la|à l'|au|à) ?{}", 'allergic_to', 'topics'],
  ['tengo yo', '(?:yo )?tengo (?<object>[0-9]{1,3}) años', age, 'number'],
  ['soy yo', '(?:yo )?soy (?:un |una )?{}', spanishIdentity, 'short'],
  ['soy yo', '(?:yo )?soy alérgic[oa] al? {}', 'allergic_to', 'topics'],
  ['мені', 'мені (?<object>[0-9]{1,3}) (?:рок|рік|літ)', age, 'number'],
  ['я', 'я (?:— |- )?{}', ukrainianIdentity, 'short'],
  ['у', 'у мене алергія на {}', 'allergic_to', 'topics'],
  ['я', 'я маю алергію на {}', 'allergic_to', 'topics'],
  ['我', '我(?:今年)?(?:已经)?(?<object>[0-9]{1,3})岁', age, 'number'],
  ['我', '我是(?:一)?[名位个]?(?<object>[^的谁什哪]{2,10}(?:者|人|主义者))', chineseIdentity, 'short'],
  ['我', '我对(?<object>[^哪什]{1,12})过敏', 'allergic_to', 'topics'],
]);

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

function age(_: Groups, object: string): string | undefined {
  return /^[0-9]/.test(object) && (Number(object) < 3 || Number(object) > 120) ? undefined : 'profile_age';
}

const germanIdentities =
  /^(?:vegetarier(?:in)?|veganer(?:in)?|vegetarisch|vegan|verheiratet|ledig|geschieden|verwitwet|linkshänder(?:in)?|rentner(?:in)?|deutsche?r?|österreicher(?:in)?|schweizer(?:in)?|schwanger|katholisch|evangelisch|muslim(?:in)?|christ(?:in)?|diabetiker(?:in)?|nichtraucher(?:in)?|mutter|vater|alleinerziehend)$/iu;
function germanIdentity(_: Groups, object: string): string | undefined {
  return germanIdentities.test(object) ? 'profile_identity' : undefined;
}

const frenchIdentities =
  /^(?:végétarien(?:ne)?|végane?|végan|mariée?|célibataire|divorcée?|veu(?:f|ve)|gauch(?:er|ère)|française?|belge|suisse|canadien(?:ne)?|québécoise?|enceinte|catholique|musulmane?|juive?|diabétique|non-fumeu(?:r|se)|mère(?: célibataire)?|père)$/iu;
function frenchIdentity(_: Groups, object: string): string | undefined {
  return frenchIdentities.test(object) ? 'profile_identity' : undefined;
}

const spanishIdentities =
  /^(?:vegetarian[oa]|vegan[oa]|casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|zurd[oa]|español[a]?|mexican[oa]|argentin[oa]|colombian[oa]|chilen[oa]|peruan[oa]|católic[oa]|musulm(?:án|ana)|judí[oa]|diabétic[oa]|celíac[oa]|jubilad[oa]|madre(?: soltera)?|padre)$/iu;
function spanishIdentity(_: Groups, object: string): string | undefined {
  return spanishIdentities.test(object) ? 'profile_identity' : undefined;
}

const ukrainianIdentities =
  /^(?:вегетаріан(?:ець|ка)|веган(?:ка)?|одружен(?:ий|а)|заміжня|неодружен(?:ий|а)|розлучен(?:ий|а)|вдів(?:ець|ка)?|вдова|шульга|українець|українка|католи(?:к|чка)|мусульман(?:ин|ка)|діабетик|пенсіонер(?:ка)?|мама|тато|батько)$/iu;
function ukrainianIdentity(_: Groups, object: string): string | undefined {
  return ukrainianIdentities.test(object) ? 'profile_identity' : undefined;
}

function chineseIdentity(_: Groups, object: string): string | undefined {
  return /^(?:素食者|素食主义者|左撇子|基督徒|穆斯林|.{1,6}国人|.{2,4}人|糖尿病人)$/u.test(object)
    ? 'profile_identity'
    : undefined;
}
