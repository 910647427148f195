import {
  age,
  type FactLexicon,
  type FactWords,
  favourite,
  type Groups,
  gone,
  known,
  type RuleLine,
  relation,
  where,
} from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /^\p{L}*(?:lehrer|entwickler|ärzt|arzt|ingenieur|student|pfleger|schwester|berater|manager|leiter|techniker|mechaniker|anwalt|anwält|autor|forscher|informatiker|programmierer|verkäufer|köchin|koch|kaufmann|kauffrau|meister|maler|designer|architekt|journalist|musiker|buchhalter|erzieher|bäcker|wissenschaftler|übersetzer|handwerker|rentner|schüler|künstler|polizist|psycholog\p{L}*|physiker|chemiker|tischler|fahrer)(?:in|innen)?$/iu;

/** German nouns are capitalized: a trade in lower case is another word. */
function trade(_: Groups, object: string): string | undefined {
  return trades.test(object) && /^\p{Lu}/u.test(object) ? 'profile_role' : undefined;
}

function tradeAt(groups: Groups): string | undefined {
  return trade(groups, groups.what ?? '') === undefined ? undefined : 'profile_employer';
}

const identities =
  /^(?:vegetarier(?:in)?|veganer(?:in)?|vegetarisch|vegan|verheiratet|ledig|geschieden|verwitwet|linkshänder(?:in)?|rentner(?:in)?|deutsche?r?|österreicher(?:in)?|schweizer(?:in)?|schwanger|katholisch|evangelisch|muslim(?:in)?|christ(?:in)?|diabetiker(?:in)?|nichtraucher(?:in)?|mutter|vater|alleinerziehend)$/iu;

/** "Ich habe einen Hund gesehen" describes an event, not a possession. */
function had(groups: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const done = /\s(?:\p{Ll}*ge\p{Ll}+(?:t|en)|(?:be|ver|er|ent|zer)\p{Ll}+(?:t|en)|\p{Ll}+iert)$/u;
  return done.test(object) ? undefined : known(groups, object, lexicon);
}

/** Ordered by families of predicates: the first rule wins where two match the same words. */
const rules: readonly RuleLine[] = [
  ['meine', 'meine (?:e-?)?mail(?:-?adresse)?(?: ist| lautet|:) {}', 'profile_email', 'email'],
  ['ich', 'ich heiße {}', 'profile_name', 'person'],
  ['mein', 'mein name ist {}', 'profile_name', 'person'],
  [
    'ich wir',
    'ich (?:wohne|lebe)(?: jetzt| derzeit| aktuell| seit [^ ]+(?: jahren)?)? in (?!.*nicht[\\s.!]*$){}',
    'profile_location',
    'place',
  ],
  [
    'ich',
    'ich bin (?:vor kurzem |gerade |letztes jahr )?nach (?<object>[^,]+?) (?:um)?gezogen',
    'profile_location',
    'place',
  ],
  ['ich', 'ich (?:komme|stamme)(?: ursprünglich)? aus {}', 'profile_origin', 'place'],
  ['ich', 'ich (?:wohne|lebe) nicht mehr in {}', 'profile_location', 'place', over],
  ['mein', 'mein geburtstag ist (?:am )?{}', 'profile_birthday', 'date'],
  ['ich', 'ich (?:bin|wurde) am (?<object>.+?) geboren', 'profile_birthday', 'date'],
  ['ich', 'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? als {}', 'profile_role', 'role'],
  [
    'ich',
    'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? (?:bei|für|beim)(?: der| dem)? {}',
    'profile_employer',
    'organisation',
  ],
  [
    'ich',
    'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? als [^,.]+? (?:bei|für|beim)(?: der| dem)? {}',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'ich',
    'ich (?:arbeite|beginne|fange)(?: derzeit| seit [^ ]+(?: jahren)?| im \\p{L}+| ab \\p{L}+)? (?:bei|für|beim) [^,.]+? als (?<object>[^,.]+?)(?: an)?[.!]*$',
    'profile_role',
    'role',
  ],
  [
    'ich',
    'ich (?:beginne|fange)(?: im \\p{L}+| ab \\p{L}+| morgen| heute)? bei(?: der| dem)? (?<object>[^,.]+?)(?: an)?[.!]*$',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'ich',
    'ich habe (?:[\\p{L}\\d.]+ ){0,3}?bei(?: der| dem)? (?<object>[^\\s,.]+(?: [^\\s,.]+){0,3}?) (?:angefangen|begonnen)[.!]*$',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'ich',
    'ich habe (?:[\\p{L}\\d.]+ ){0,3}?bei(?: der| dem)? (?<object>[^\\s,.]+(?: [^\\s,.]+){0,3}?) (?:gekündigt|aufgehört)',
    'profile_employer',
    'properOrganisation',
    over,
  ],
  ['ich', 'ich bin (?:ein |eine )?{}', trade, 'role'],
  ['ich', 'ich bin (?:ein |eine )?(?<what>\\p{L}+) bei(?: der| dem)? {}', tradeAt, 'properOrganisation'],
  ['ich', 'ich bin (?<object>\\p{Lu}\\p{L}+) von beruf', 'profile_role', 'role'],
  ['ich', 'ich arbeite nicht mehr (?:bei|für) {}', 'profile_employer', 'organisation', over],
  ['ich', 'ich bin (?<object>[0-9]{1,3}) (?:jahre alt)', age, 'number'],
  ['ich', 'ich bin (?:ein |eine )?{}', where(identities, 'profile_identity'), 'short'],
  ['ich', 'ich bin allergisch (?:gegen|auf) {}', 'allergic_to', 'topics'],
  [
    'meine mein',
    `mein(?:e|en)? (?<who>frau|mann|freundin|freund|mutter|vater|schwester|bruder|sohn|tochter|chef|chefin|hund|katze) heißt {}`,
    relation,
    'person',
  ],
  [
    'ich wir',
    '(?:ich habe|wir haben) (?<object>(?:ein(?:e|en)?|zwei|drei|vier|fünf|\\d+) (?:\\p{L}+ )?(?:kinder?|söhne?|sohn|töchter|tochter|brüder|bruder|schwestern?|geschwister|zwillinge|enkel(?:kinder)?))(?!\\p{L})',
    'family',
    'phrase',
  ],
  [
    'ich wir',
    '(?:ich habe|ich besitze|wir haben) (?<object>(?:ein(?:e|en)?|zwei|drei|meine(?:n)? eigene[n]?) .+?)(?: (?:gekauft|bekommen|adoptiert|geerbt))?[.!]*$',
    had,
    'thing',
  ],
  ['ich wir', '(?:ich habe|ich besitze|wir haben) kein(?:e|en)? (?<object>.+?) mehr', gone, 'thing', over],
  ['ich wir', '(?:ich habe mein|wir haben unser)(?:e|en)? (?<object>.+?) verkauft', gone, 'thing', over],
  ['mein meine', 'meine? lieblings(?<what>\\p{L}+) (?:ist|sind) {}', favourite, 'favourite'],
  ['ich', 'ich (?:mag|liebe)(?: sehr)? (?!kein|.*nicht|.*nicht mehr){}', 'likes', 'topics'],
  ['ich', 'ich (?:hasse|verabscheue) {}', 'dislikes', 'topics'],
  ['ich', 'ich mag kein(?:e|en)? (?!.*\\smehr){}', 'dislikes', 'topics'],
  ['ich', 'ich mag (?<object>.+?) nicht$', 'dislikes', 'topics'],
  ['ich', 'ich spreche (?:fließend |etwas |gut )?{}', 'speaks', 'names'],
  ['ich', 'ich lerne (?:gerade |derzeit )?{}', 'learning', 'topic', { checked: true }],
  ['meine', 'meine muttersprache ist {}', 'native_language', 'names'],
  ['ich', 'ich spiele {}', 'plays', 'topics', { checked: true }],
  ['ich', 'ich bevorzuge {}', 'prefers', 'topic'],
  ['ich', 'ich ziehe (?<object>.+?) vor[.!]*$', 'prefers', 'topic'],
  ['ich', 'ich (?<object>\\p{L}+ (?:immer|meistens|normalerweise|nie|jeden) .+)', 'habit', 'phrase'],
  ['ich wir', '(?:ich habe|wir haben) (?:vor|geplant), {}', 'plans', 'phrase'],
  ['ich', 'ich plane,? {}', 'plans', 'phrase'],
];

export const facts: FactWords = {
  rules,
  clauses: {
    self: 'ich|mein|meine|meinen|wir',
    joint: 'und|aber|denn',
    now: 'jetzt|nun|inzwischen|mittlerweile|heute|seitdem|stattdessen',
    greeting: 'hallo|guten tag',
    leftOut: [{ begins: '(?:wohne|lebe|arbeite|heiße|komme aus|bin|habe?|mag|liebe|hasse)\\s', put: 'ich ' }],
    filler: 'übrigens|also|zur zeit|derzeit|momentan',
    sinceLead: 'seit|ab|im',
    sinceTime:
      'jänner|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|nächster woche|nächstem monat|\\p{L}+ jahren?',
    correction: 'eigentlich|korrektur',
    hedge: 'ich glaube\\s*,?\\s*',
    inverted: 'ich|wir',
    asking: 'wie|was|wo|wann|warum|wer|welche[rsn]?|kannst|könntest|kann|soll|hast|gibt|(?:wohne|bin|habe) ich',
    askingJoint: 'und',
    ellipsisJoint: 'und|aber',
    traits: {
      lead: 'ich bin',
      and: 'und',
      joint: 'und',
    },
    ellipses: [
      {
        speaker: /^(?:.{0,40}[\s,])?ich(?!\p{L})/iu,
        joint:
          /(?:,\s*|\s+)(?:und|aber)\s+(?=(?:wohne|lebe|arbeite|spreche|spiele|lerne|mag|liebe(?!\s+gr)|hasse|komme|stamme|bin|habe|heiße|bevorzuge|besitze)\s)/giu,
        put: 'ich ',
      },
      {
        speaker: /^(?:.{0,40}[\s,])?ich bin(?!\p{L})/iu,
        joint: /(?:,\s*|\s+und\s+)(?=allergisch\s)/giu,
        put: 'ich bin ',
      },
    ],
    instead: [
      /(?<!\p{L})(?<who>ich|wir) (?<verb>\p{L}{1,20}) [^.;:]{0,40}?nicht(?: mehr)? [^.;:]{1,80}?(?<joint>,? sondern (?:jetzt |nun )?)(?=(?:in|im|bei|beim|als|für|aus|auf) )/diu,
    ],
    contrast: {
      no: 'nicht(?: mehr)?|kein(?:e[mnrs]?)?',
      prepositions: 'bei',
      only: 'nur',
      more: 'mehr',
      but: 'sondern',
    },
    endings: [
      {
        pattern:
          /^(?:ich|wir)\s[^,;:]{1,60}?(?<over>(?<!\p{L})nicht mehr)(?!\p{L}|\s+als\s+(?:\d|ein|zwei|drei|vier|fünf))/diu,
        holds: 'nicht mehr',
      },
      {
        pattern:
          /^(?:ich|wir)\s[^,;:]{1,40}?(?<over>(?<!\p{L})kein(?:e[mnrs]?)?)\s[^,;:]{1,60}?(?<more>\smehr)(?!\p{L})/diu,
        holds: 'kein',
      },
    ],
  },
  gates: {
    supposing: 'wenn|falls|angenommen|ob|würde|wäre|könnte|vielleicht',
    reporting: 'sagt|sagte|meint|meinte|glaubt|behauptet|fragt',
    instructing: 'übersetze?|schreibe?',
    condition: 'falls|wenn',
    materialLead: 'bitte|kannst du',
    material: 'übersetze?|korrigiere?',
    rolePlay:
      'rollenspiel|tu so,? als|du (?:bist|spielst) (?:der|die|das|den|ein|eine|einen|mein|meine) [^.!?\\n]{1,60}?(?:[,.;]| und) ?ich (?:bin|spiele)|ich (?:bin|spiele) [^.!?\\n]{1,60}?(?:[,.;]| und) ?du (?:bist|spielst) (?:der|die|das|den|ein|eine|einen|mein|meine)',
    quotedSelf: 'ich|mein',
  },
  values: {
    link: 'weil|aber|sondern|seit|obwohl',
    tail: 'von beruf|jetzt|zurzeit',
    negation: 'kein(?:e[mnrs]?)?|nicht|nie|niemals',
    listJoint: 'und',
    determiners: 'ein eine einen einem einer der die das den dem mein meine meinen',
    nameParticles: 'von der den das zu',
    kinds: {
      person: {
        cut: 'und|und ich',
        refuse: 'nicht|kein',
      },
      proper: {
        cut: 'und',
        refuse: 'nicht|kein',
      },
      place: {
        cut: 'mit|und|für',
        refuse: 'nicht',
      },
      organisation: {
        cut: 'und|als',
        articles: 'eine[rmn]?',
      },
      properOrganisation: {
        cut: 'als|und|ab|im',
      },
      role: {
        cut: 'bei|und|für|von',
        skip: 'ein|eine|als',
      },
      thing: {
        split: 'und',
        splitBefore: 'eine?n?',
        refuse: 'kein',
      },
      topics: {
        split: 'und',
        skip: 'das|den|die',
        refuse: 'das|dies|dich|es|ihn|sie',
      },
      topic: {
        cut: 'gegenüber',
        skip: 'das|den|die',
        refuse: 'das|dies|dich|es|ihn|sie',
      },
      names: {
        split: 'und',
        skip: 'fließend',
      },
      favourite: {
        skip: 'das|der|die',
        refuse: 'nicht',
      },
      date: {
        cut: 'und',
        skip: 'am|den',
      },
      short: {
        refuse: 'nicht',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: 'gitarre',
      piano: 'klavier',
      violin: 'geige',
      motorcycle: 'motorrad',
      bicycle: 'fahrrad',
      car: 'auto',
      boat: 'boot',
      phone: 'handy',
      camera: 'kamera',
      house: 'haus',
      apartment: 'wohnung',
      dog: 'hund|hunde|hündin',
      cat: 'katzen?|kater',
      rabbit: 'kaninchen',
      horse: 'pferd',
      bird: 'papagei',
    },
    favourites: {
      farbe: 'color',
      essen: 'food',
      speise: 'food',
      gericht: 'food',
      film: 'movie',
      buch: 'book',
      lied: 'song',
      tier: 'animal',
      stadt: 'city',
      sportart: 'sport',
      getränk: 'drink',
      jahreszeit: 'season',
      autor: 'author',
      schriftsteller: 'author',
    },
    relations: {
      frau: 'wife',
      mann: 'husband',
      freundin: 'girlfriend',
      freund: 'boyfriend',
      mutter: 'mother',
      vater: 'father',
      schwester: 'sister',
      bruder: 'brother',
      sohn: 'son',
      tochter: 'daughter',
      chef: 'boss',
      chefin: 'boss',
      hund: 'pet:dog',
      katze: 'pet:cat',
    },
    amounts: 'ein|eine|einen|zwei|drei',
  },
  refused: {
    plays: 'mit(?!\\p{L})',
  },
};
