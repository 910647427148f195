/**
 * Which predicates answer which questions. A pattern is a regular expression over the lower-case question. In it `{i}`,
 * `{do}`, `{am}`, `{was}` and `{my}` stand for the person asked about (I, do, am, was, my; or Nora, does, is, was, Nora's);
 * `{x}` is what a family of predicates is about (my favourite {x}).
 */
export interface FactRoute {
  /** Predicates, or beginnings of families (`owns_`) that `{x}` completes. */
  predicates: readonly string[];
  asks: readonly string[];
  /** Only facts whose value holds the words behind the pattern: "do I like olives", "am I vegetarian". */
  named?: true;
  /** Only facts whose value is such a one: a town alone is no address. */
  value?: RegExp;
}

/** The first route that fits wins, so the narrow ones stand before the wide ones. */
export const factRoutes: readonly FactRoute[] = [
  {
    predicates: ['profile_surname'],
    asks: ['{my} (?:last name|surname|family name)'],
  },
  {
    predicates: ['profile_nickname'],
    asks: ['{my} nickname', '(?:how|what) {do} {i} (?:want|like|prefer) to be called'],
  },
  {
    predicates: ['profile_name'],
    asks: [
      "what(?:'s| is) {my} (?:full |first |real )?name(?! (?:for|of|on|in|at))",
      'what {my} (?:full |first |real )?name is',
      'what {am} {i} called',
      'wie hei(?:ß|ss)e ich|(?:was|wie) ist mein name',
      "comment (?:est-ce que )?je m'appelle|quel est mon (?:pré)?nom",
      'c[óo]mo me llamo|cu[áa]l es mi nombre',
      "як мене звати|яке (?:в мене|моє) ім['’]я",
      '我叫什么|我的名字(?:是|叫)什么',
    ],
  },
  { predicates: ['profile_email'], asks: ['{my} e-?mail'] },
  { predicates: ['profile_location'], asks: ['{my} (?:home |current |new |old )?address'], value: /\p{N}/u },
  {
    predicates: ['profile_location'],
    asks: [
      'where {do} {i} (?:currently |now |actually )?live',
      'where {i} (?:currently |now )?lives?',
      'where (?:did {i} (?:use to )?live|(?:was|were) {i} living)',
      '(?:what|which) (?:city|town|country|state|street|place) (?:{do}|did) {i} (?:currently |now |use to )?live',
      'where {am} {i} (?:currently |now )?(?:living|based)',
      '{my} (?:home |current )?location',
      'wo (?:wohne|lebe) ich|wo habe ich (?:früher |vorher )?(?:gewohnt|gelebt)',
      "où (?:est-ce que )?(?:j'habite|je vis|j'habitais)|où habit(?:é|e)-je",
      'd[óo]nde (?:vivo|vivía|resido)',
      'де я (?:зараз )?(?:живу|мешкаю|жив|жила|мешкав|мешкала)',
      '我(?:现在|以前|之前)?住在?(?:哪|什么地方)',
    ],
  },
  {
    predicates: ['profile_origin'],
    asks: ['where {am} {i} (?:originally )?from', 'where {do} {i} come from', '{my} (?:home ?town|home country)'],
  },
  {
    predicates: ['profile_employer'],
    asks: [
      'where {do} {i} (?:currently |now )?work(?! (?:out|on))',
      'where {i} (?:currently |now )?works?(?! (?:out|on))',
      'where did {i} (?:use to )?work(?! (?:out|on))',
      '(?:who|whom|what company|which company|which firm) (?:{do}|did) {i} (?:currently |now |use to )?work (?:for|at)',
      '{my} (?:current |previous |former |old |last )?(?:employer|company)',
      'wo arbeite ich|für wen arbeite ich',
      'où (?:est-ce que )?je travaille|pour qui (?:est-ce que )?je travaille',
      'd[óo]nde trabajo|para qui[ée]n trabajo',
      'де я працюю',
      '我在哪(?:里|儿|家公司)?(?:工作|上班)',
    ],
  },
  {
    predicates: ['profile_role'],
    asks: [
      'what {do} {i} do (?:for (?:a living|work)|professionally)',
      'what {do} {i} work as',
      '{my} (?:current |previous |former |old |last )?(?:job|occupation|profession|job title|position|role)(?: title)?(?! in| at| of)',
      'was bin ich von beruf|als was arbeite ich|was ist mein beruf',
      'quel est mon (?:métier|travail)|que fais-je dans la vie',
      'en qu[ée] trabajo|cu[áa]l es mi (?:trabajo|profesi[óo]n)',
      'ким я працюю|яка моя професія',
      '我(?:是)?做什么(?:工作)?的|我的(?:工作|职业)是什么',
    ],
  },
  {
    predicates: ['profile_birthday', 'profile_birth_year'],
    asks: [
      "(?:when|what day|what date)(?: is|'s) {my} birthday",
      '(?:what is|when is) {my} (?:birth ?day|birth date|date of birth)',
      '(?:when|what year|which year|what day) {was} {i} born',
      'wann (?:habe ich|ist mein) geburtstag|wann bin ich geboren',
      'quand est mon anniversaire|quand suis-je née?',
      'cu[áa]ndo es mi cumpleaños|cu[áa]ndo nac[íi]',
      'коли (?:в мене|мій) день народження|коли я народи\\p{L}+',
      '我(?:的)?生日是|我什么时候出生',
    ],
  },
  { predicates: ['profile_age', 'profile_birth_year'], asks: ['how old {am} {i}', '{my} age', 'wie alt bin ich'] },
  {
    predicates: ['allergic_to'],
    asks: ['{my} allerg(?:y|ies)', 'what {am} {i} allergic', 'what allergies {do} {i} have'],
  },
  { predicates: ['allergic_to'], asks: ['^{am} {i} allergic to'], named: true },
  { predicates: ['profile_condition'], asks: ['{my} (?:health|medical) (?:condition|issue|problem)s?'] },
  {
    predicates: ['date_'],
    asks: [
      "(?:when|what day|what date)(?: is|'s) {my} (?<x>[\\p{L}' ]+)",
      "(?:what is|what's) the date of {my} (?<x>[\\p{L}' ]+)",
    ],
  },
  {
    predicates: ['relation_', 'pet_'],
    asks: [
      "what(?:'s| is) {my} (?:older |younger |big |little )?(?<x>[\\p{L} ]+?)(?:'s|s') name",
      "what(?:'s| is) the name of {my} (?:older |younger |big |little )?(?<x>[\\p{L} ]+)",
      "what(?:'s| is) {my} (?:older |younger |big |little )?(?<x>[\\p{L} ]+) (?:called|named)",
      "who(?:'s| is) {my} (?:older |younger |big |little )?(?<x>[\\p{L} ]+)",
      'wie hei(?:ß|ss)t meine? (?<x>\\p{L}+)',
      "comment s'appelle (?:ma|mon) (?<x>\\p{L}+)",
      'c[óo]mo se llama mi (?<x>\\p{L}+)',
    ],
  },
  { predicates: ['pet_'], asks: ["{my} pets?(?:'s?)? (?:names?|called|named)", '(?:what|which) pets? {do} {i} have'] },
  {
    predicates: ['family'],
    asks: [
      'how many (?:kids|children|siblings|brothers|sisters|sons|daughters|grandchildren) {do} {i} have',
      '{do} {i} have (?:any )?(?:kids|children|siblings|brothers|sisters)',
      '(?:tell me about|who is in|what is) {my} family',
    ],
  },
  {
    predicates: ['favorite_'],
    asks: [
      '{my} (?:all[- ]time |absolute |current |new |old |previous )*favou?rite (?<x>[\\p{L}\\p{N} -]+)',
      '(?:was|welche[rs]?) ist meine? lieblings(?<x>\\p{L}+)',
      'quel(?:le)? est (?:ma|mon) (?<x>\\p{L}+) préférée?',
      'cu[áa]l es mi (?<x>\\p{L}+) (?:favorit|preferid)[oa]',
    ],
  },
  {
    predicates: ['owns_'],
    asks: [
      '(?:what|which) (?:kind of |type of |sort of |brand of |model of )?(?<x>[\\p{L} -]+?) {do} {i} (?:own|have|drive|ride|use)(?: now| currently)?$',
      '(?:what|which) (?:kind |type |brand |model )?(?:of )?(?<x>[\\p{L} -]+?) is {mine}$',
      '{do} {i} (?:still )?(?:own|have) (?:an? |any |my )?(?<x>[\\p{L} -]+)$',
      'how many (?<x>[\\p{L} -]+?) {do} {i} (?:own|have)$',
    ],
  },
  { predicates: ['owns_'], asks: ['what (?:things )?{do} {i} own', '{my} (?:possessions|belongings)'] },
  {
    predicates: ['dislikes'],
    asks: ['what {do} {i} (?:dislike|hate|not like|not enjoy)', "what (?:don't|doesn't) {i} (?:like|enjoy)"],
  },
  {
    predicates: ['likes', 'dislikes'],
    asks: ['^{do} {i} (?:really |still )?(?:like|love|enjoy|hate|dislike)'],
    named: true,
  },
  {
    predicates: ['likes'],
    asks: ['what {do} {i} (?:really )?(?:like|love|enjoy)(?: to do)?$', 'what {am} {i} (?:into|fond of)'],
  },
  { predicates: ['prefers'], asks: ['what {do} {i} prefer', '{my} preferences?'] },
  { predicates: ['prefers'], asks: ['^{do} {i} prefer'], named: true },
  { predicates: ['native_language'], asks: ['{my} (?:native language|mother tongue|first language)'] },
  {
    predicates: ['speaks', 'native_language'],
    asks: [
      '(?:what|which) languages? {do} {i} speak',
      'how many languages {do} {i} speak',
      'welche sprachen spreche ich',
    ],
  },
  { predicates: ['speaks', 'native_language'], asks: ['^{do} {i} speak'], named: true },
  {
    predicates: ['plays'],
    asks: ['(?:what|which) (?:instruments?|sports?|games?) {do} {i} play', 'what {do} {i} play'],
  },
  { predicates: ['plays'], asks: ['^{do} {i} (?:still )?play'], named: true },
  { predicates: ['learning'], asks: ['what {am} {i} (?:currently |now )?(?:learning|studying)'] },
  {
    predicates: ['studied'],
    asks: [
      '(?:what|where) did {i} (?:study|graduate|go to (?:college|university))',
      '{my} (?:degree|major|alma mater)',
    ],
  },
  { predicates: ['knows'], asks: ['{my} skills', 'what {am} {i} good at', 'what skills {do} {i} have'] },
  {
    predicates: ['plans'],
    asks: ['{my} plans?$', 'what {am} {i} planning(?: to do)?$', 'what {do} {i} plan(?: to do)?$'],
  },
  { predicates: ['goal'], asks: ['{my} (?:goals?|aims?)$'] },
  { predicates: ['habit'], asks: ['{my} (?:habits?|routine)'] },
  {
    predicates: ['recurring_topic'],
    asks: [
      'recurring topics?',
      'what (?:topics? )?{do} {i} (?:often|usually|most|always) (?:talk|ask|write)(?: about)?',
      '{my} (?:usual|frequent|common) topics?',
    ],
  },
  { predicates: ['profile_identity'], asks: ['^{am} {i} '], named: true },
  {
    predicates: ['profile_', 'family', 'speaks', 'likes'],
    asks: [
      'who {am} {i}$',
      'what do you know about (?:me|{i})',
      '(?:tell me|what is known) about (?:me|myself)$',
      '{my} profile',
    ],
  },
  {
    predicates: ['creator'],
    asks: ['who (?:created|made|built|wrote|founded|invented|started)', '(?:creator|author|founder|maintainer) of'],
  },
  {
    predicates: ['command_name'],
    asks: ['command name', 'name of the command', "what(?:'s| is) the (?:cli )?command"],
  },
  {
    predicates: ['project_name'],
    asks: ['(?:name of (?:the|my|our) (?:project|product|app)|(?:project|product|app) called|project name)'],
  },
  { predicates: ['deadline'], asks: ['deadline'] },
  {
    predicates: ['launch_date'],
    asks: ['(?:launch|release|go-live) date', 'when (?:do|will) we (?:launch|release|go live)'],
  },
  {
    predicates: ['_strategy'],
    asks: ["(?:the|our|my|its|\\p{L}+'s) (?<x>[\\p{L} ]+?) strategy", '(?<x>\\p{L}+) strategy'],
  },
  {
    predicates: ['uses'],
    asks: ['what (?:tech(?:nology)?|tools?|stack|technologies) (?:do|does|are)', '(?:our|the) (?:tech )?stack'],
  },
  { predicates: ['decision'], asks: ['what (?:did|have|has) (?:{i}|we|the team) decided?', '(?:our|my) decisions?'] },
];
