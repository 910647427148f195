import { age, type FactLexicon, type Groups, gone, known, type RuleLine, relation } from '../../../fact-words.js';

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
    "(?:i|we|i've|we've|i have|we have) {often}(?:moved|relocated)(?: back| house)?(?: here)?(?: from (?<old>\\p{Lu}[\\p{L} .'-]{1,40}?))? to {}",
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
const lastingKinds =
  /(?:^|\s)(?:person|vegetarian|vegan|introvert|extrovert|ambivert|mother|father|mom|mum|dad|parent|grandmother|grandfather|widow|widower|immigrant|citizen|veteran|christian|muslim|jew|buddhist|hindu|atheist|catholic|lover|owl|bird|foodie|gamer|runner|hiker|cyclist|swimmer|climber|reader|minimalist|perfectionist|optimist|pessimist|feminist|enthusiast|beginner|twin|only child|night owl|homeowner|expat|refugee|smoker|non-smoker|speaker|millennial|diabetic|celiac|celebrity|volunteer|polyglot|bookworm|redhead|teenager|pescatarian|stay-at-home (?:mom|dad|parent))$/iu;

function kindOfPerson(_: Groups, object: string): string | undefined {
  if (
    isOccupation(object) ||
    /^(?:bit|little|lot|few|huge|big|kind|sort|good|terrible|bad|different|new) /iu.test(object)
  )
    return undefined;
  return lastingKinds.test(object) || isLasting(object) ? 'profile_identity' : undefined;
}

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
