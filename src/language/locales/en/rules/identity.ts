import { age, type Groups, type RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;

const list = (words: string): Set<string> => new Set(words.split(' '));

/** Adjectives for lasting traits, not moods. */
const lastingTraits = list(
  'vegetarian vegan pescatarian married single divorced widowed engaged retired unemployed self-employed pregnant left-handed right-handed ambidextrous colour-blind color-blind colorblind blind deaf diabetic autistic dyslexic celiac coeliac asthmatic gay lesbian bisexual trans transgender non-binary nonbinary queer straight jewish muslim christian catholic protestant hindu buddhist atheist agnostic bilingual trilingual lactose-intolerant gluten-free introverted extroverted nearsighted short-sighted american british english scottish irish welsh canadian mexican brazilian argentinian argentine chilean colombian peruvian cuban german austrian swiss french italian spanish portuguese dutch belgian danish swedish norwegian finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian belarusian lithuanian latvian estonian serbian croatian slovenian bosnian albanian georgian armenian israeli palestinian lebanese syrian egyptian moroccan tunisian algerian nigerian ghanaian kenyan ethiopian indian pakistani bangladeshi nepali chinese taiwanese japanese korean vietnamese thai indonesian malaysian filipino singaporean australian iranian iraqi',
);

export function isLasting(text: string): boolean {
  const word = text.toLowerCase();
  return (
    lastingTraits.has(word) ||
    word === 'lactose intolerant' ||
    word === 'gluten intolerant' ||
    word === 'hard of hearing'
  );
}

const occupations = list(
  'nurse chef cook doctor student lawyer scientist cto ceo cfo coo cmo cio vp analyst architect artist pilot coach clerk intern judge barista surgeon vet freelancer entrepreneur professor paralegal realtor journalist lead head director dev swe consultant apprentice postdoc founder co-founder secretary mechanic vicar priest nun monk midwife au-pair model athlete soldier officer captain detective poet novelist sre devops sysadmin dba tutor trainee undergraduate handyman boss supervisor',
);
const trade =
  /(?:\p{L}{2}(?:er|eer|or|ist|wright|smith|keeper|man|woman)|(?:ic|tr|in|ar|et)ian|consultant|accountant|assistant|attendant|sergeant|superintendent|agent|president|resident)$/iu;
const notTrade = list(
  'lover beginner member teenager user owner father mother brother sister daughter parent widower speaker believer supporter learner eater drinker smoker newcomer loner hiker runner gamer swimmer walker number matter sufferer survivor outsider insider fighter sleeper riser winner loser reader listener customer subscriber prisoner stranger foreigner newbie human minor neighbor hoarder collector optimist pessimist perfectionist feminist communist socialist minimalist pacifist nudist activist vegetarian carnivore christian enthusiast commuter woman man pedestrian sucker shopper dreamer thinker eater picky follower',
);

/** The head of a phrase names a trade: "high school teacher", "head of marketing", "PhD student". */
export function isOccupation(text: string): boolean {
  const head =
    text
      .toLowerCase()
      .split(/\s+(?:of|at|for)\s+/)[0]
      ?.split(/\s+/)
      .at(-1) ?? '';
  if (notTrade.has(head)) return false;
  return occupations.has(head) || trade.test(head);
}

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

/** "I'm Maria": a name only when it is capitalised like one and is not another capitalised word. */
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

export const placeRules: readonly RuleLine[] = [
  ['i we', '(?:{I}|we) {often}(?:live|reside|stay permanently) in {}', 'profile_location', 'place', own],
  [
    'i im we',
    "(?:{am}|we're|we are) {often}(?:living|based|located|residing) (?:in|out of) {}",
    'profile_location',
    'place',
    own,
  ],
  ['i', "(?:i've|i have) {often}(?:lived|been living|been based) in {}", 'profile_location', 'place'],
  [
    'i we',
    "(?:i|we|i've|we've|i have|we have) {often}(?:moved|relocated)(?: back| house)?(?: here)?(?: from (?<old>[\\p{Lu}][\\p{L} .'-]{1,40}?))? to {}",
    'profile_location',
    'place',
  ],
  ['my our', '{my} (?:home|house|apartment|flat|place) is (?:located )?in {}', 'profile_location', 'place', own],
  ['my', '{my} (?:home ?town|city) is {}', 'profile_origin', 'place', own],
  ['i im', '{am} {often}(?:originally )?from {}', 'profile_origin', 'place', own],
  ['i', '{I} (?:originally )?(?:come|hail|came) from {}', 'profile_origin', 'place'],
  ['i', '{I} (?:grew up|was raised|was born(?: and raised)?) in (?!\\d){}', 'profile_origin', 'place'],
  [
    'i we',
    "(?:i|we)(?: no longer live| don't live| do not live)(?: here)? in {}(?<= anymore| any more)",
    'profile_location',
    'place',
    over,
  ],
  ['i we', '(?:i|we) no longer live in {}', 'profile_location', 'place', over],
  ['i we', '(?:i|we) used to live in {}', 'profile_location', 'place', over],
];

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

/** "a morning person", "an introvert", "a single mother": lasting traits, not moods or trades. */
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
