import { age, type FactWords, favourite, gone, known, type RuleLine, relation, where } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /^(?:professeure?|enseignante?|médecin|infirmi(?:er|ère)|ingénieure?|avocate?|étudiante?|développeu(?:r|se)|journaliste|architecte|comptable|boulang(?:er|ère)|cuisini(?:er|ère)|chef|vendeu(?:r|se)|chercheu(?:r|se)|traduct(?:eur|rice)|graphiste|musicien(?:ne)?|artiste|consultante?|informaticien(?:ne)?|pharmacien(?:ne)?|dentiste|électricien(?:ne)?|mécanicien(?:ne)?|pilote|retraitée?)(?: .{1,30})?$/iu;

const identities =
  /^(?:végétarien(?:ne)?|végane?|végan|mariée?|célibataire|divorcée?|veu(?:f|ve)|gauch(?:er|ère)|française?|belge|suisse|canadien(?:ne)?|québécoise?|enceinte|catholique|musulmane?|juive?|diabétique|non-fumeu(?:r|se)|mère(?: célibataire)?|père)$/iu;

/** Ordered by families of predicates: the first rule wins where two match the same words. */
const rules: readonly RuleLine[] = [
  ['mon', 'mon (?:adresse )?e-?mail(?: est|:) {}', 'profile_email', 'email'],
  ['je', "je m'appelle {}", 'profile_name', 'person'],
  ['mon', 'mon (?:nom|prénom) est {}', 'profile_name', 'person'],
  [
    'j je',
    "(?:j'habite|je vis|je réside)(?: actuellement| maintenant)? (?:à|en|au|aux|dans le|dans la) {}",
    'profile_location',
    'place',
  ],
  ['j je', "(?:j'ai déménagé|je viens de déménager|j'ai emménagé) (?:à|en|au|aux) {}", 'profile_location', 'place'],
  ['je', 'je (?:viens|suis originaire) d(?:e |u |es )(?!déménager){}', 'profile_origin', 'place'],
  ['je', "je n(?:'habite|e vis) plus (?:à|en|au|aux) {}", 'profile_location', 'place', over],
  ['mon', 'mon anniversaire est le {}', 'profile_birthday', 'date'],
  ['je', 'je suis née? le {}', 'profile_birthday', 'date'],
  ['je', 'je travaille (?:actuellement )?(?:comme|en tant que) {}', 'profile_role', 'role'],
  ['je', 'je travaille (?:actuellement )?(?:chez|pour|à la|au sein de) {}', 'profile_employer', 'organisation'],
  ['je', 'je travaille (?:actuellement )?comme [^,.]+? chez {}', 'profile_employer', 'properOrganisation'],
  [
    'je j',
    "(?:je commence|j'ai commencé)(?: à travailler)?(?: en \\p{L}+)? chez {}",
    'profile_employer',
    'properOrganisation',
  ],
  [
    'j',
    "j'ai (?:démissionné|quitté mon (?:poste|emploi|travail)) (?:de chez |chez |de la |du |de |d'){}",
    'profile_employer',
    'properOrganisation',
    over,
  ],
  ['je', 'je suis (?:un |une )?{}', where(trades, 'profile_role'), 'role'],
  ['je', 'je ne travaille plus (?:chez|pour) {}', 'profile_employer', 'organisation', over],
  ['j', "j'ai (?<object>[0-9]{1,3}) ans", age, 'number'],
  ['je', 'je suis (?:un |une )?{}', where(identities, 'profile_identity'), 'short'],
  ['je', "je suis allergique (?:aux|à la|à l'|au|à) ?{}", 'allergic_to', 'topics'],
  [
    'ma mon',
    "(?:ma|mon) (?<who>femme|mari|copine|copain|compagne|compagnon|mère|père|sœur|soeur|frère|fils|fille|chef|cheffe|chien|chat) s'appelle {}",
    relation,
    'person',
  ],
  [
    'j',
    "j'ai (?<object>(?:une?|deux|trois|quatre|cinq|\\d+) (?:\\p{L}+ )?(?:enfants?|fils|filles?|frères?|sœurs?|soeurs?|jumeaux|jumelles))(?!\\p{L})",
    'family',
    'phrase',
  ],
  ['j nous', "(?:j'ai|je possède|nous avons) (?<object>(?:une?|deux|trois) .+)", known, 'thing'],
  ['je nous', "(?:je n'ai|nous n'avons) plus (?:de |d'){}", gone, 'thing', over],
  ['j nous', "(?:j'ai|nous avons) vendu (?:mon|ma|mes|notre|nos) {}", gone, 'thing', over],
  ['ma mon', '(?:ma|mon) (?<what>\\p{L}+) préférée? (?:est|sont|reste) {}', favourite, 'favourite'],
  ['j', "j'(?:aime|adore)(?: beaucoup| bien)? {}", 'likes', 'topics'],
  ['je', 'je (?:déteste|hais) {}', 'dislikes', 'topics'],
  ['je', "je n'aime pas(?: du tout)? {}", 'dislikes', 'topics'],
  ['je', "je parle (?:couramment |un peu )?(?:le |l')?{}", 'speaks', 'names'],
  ['j', "j'apprends {}", 'learning', 'topic', { checked: true }],
  ['je', "je joue (?:du |de la |de l'|au |à la |aux ){}", 'plays', 'topics'],
  ['je', 'je préfère {}', 'prefers', 'topic', { checked: true }],
  ['je nous', "(?:je prévois|j'ai l'intention|nous prévoyons) d[e'] ?{}", 'plans', 'phrase'],
];

export const facts: FactWords = {
  rules,
  clauses: {
    self: 'je|mon|ma|mes|nous',
    selfPrefix: "j'",
    joint: 'et|mais|car',
    now: "maintenant|désormais|aujourd'hui|à présent",
    greeting: 'bonjour|salut',
    filler: 'au fait|alors|bon|actuellement',
    correction: 'en fait',
    hedge: 'je crois que\\s*,?\\s*',
    asking: 'peux|pouvez|quel|quelle|où|comment|pourquoi|est-ce|qui|que|as-tu|avez',
    askingJoint: 'et',
    ellipsisJoint: 'et|mais',
    traits: {
      lead: 'je suis',
      and: 'et',
      joint: 'et',
    },
    ellipses: [
      {
        speaker: /^(?:.{0,40}[\s,])?j(?:e\s|')/iu,
        joint: /\s+(?:et|mais)\s+(?=(?:travaille|parle|vis|joue|préfère|déteste|viens|suis)\s)/giu,
        put: 'je ',
      },
      {
        speaker: /^(?:.{0,40}[\s,])?j(?:e\s|')/iu,
        joint: /\s+(?:et|mais)\s+(?=(?:habite|aime|adore|apprends|ai)\s)/giu,
        put: "j'",
      },
      {
        speaker: /^(?:.{0,40}[\s,])?je suis(?!\p{L})/iu,
        joint: /(?:,\s*|\s+et\s+)(?=allergique\s)/giu,
        put: 'je suis ',
      },
    ],
    instead: [
      /(?<!\p{L})(?<who>je) ne (?<verb>\p{L}{1,20}) (?:plus|pas) [^.;:]{1,80}?(?<joint>,? mais (?:maintenant |désormais )?)(?=(?:à|en|au|aux|chez|comme|pour|de|du) )/diu,
      /(?<!\p{L})(?<who>j)e n(?<verb>'\p{L}{1,20}) (?:plus|pas) [^.;:]{1,80}?(?<joint>,? mais (?:maintenant |désormais )?)(?=(?:à|en|au|aux|chez|comme|pour|de|du) )/diu,
    ],
    contrast: {
      no: 'pas|plus',
      andNot: 'et non',
      lead: 'et',
      prepositions: 'à|en|chez',
      only: 'seulement',
      but: 'mais',
    },
    endings: [
      {
        pattern: /^(?:je|nous)\s(?<over>ne)\s\p{L}{1,20}(?<more>\splus)(?!\p{L}|\s+que\s)/diu,
        holds: '\\splus(?!\\p{L})',
      },
      { pattern: /^(?<over>je n)'\p{L}{1,20}(?<more>\splus)(?!\p{L}|\s+qu)/diu, put: 'j', holds: '\\splus(?!\\p{L})' },
    ],
  },
  gates: {
    supposing: 'si|imaginons|supposons',
    reporting: 'dit|disait|pense|croit|demande',
    instructing: 'traduis|écris',
    materialLead: 'peux-tu',
    material: 'traduis|corrige',
    rolePlay:
      'jeu de r[ôo]le|fais (?:comme si|semblant)|tu (?:es|joues) (?:le|la|un|une|mon|ma) [^.!?\\n]{1,60}?(?:[,.;]| et) ?(?:moi )?je (?:suis|joue)|je (?:suis|joue) [^.!?\\n]{1,60}?(?:[,.;]| et) ?(?:toi )?tu (?:es|joues) (?:le|la|un|une|mon|ma)',
    quotedSelf: "je|j'|mon|ma",
  },
  values: {
    link: 'depuis|mais|parce|qui',
    tail: 'maintenant',
    negation: 'pas|ne|jamais|aucune?',
    listJoint: 'et',
    determiners: 'un une des le la les l mon ma mes du de',
    nameParticles: 'de du la le',
    kinds: {
      person: {
        cut: 'et',
        refuse: 'pas',
      },
      proper: {
        cut: 'et',
        refuse: 'pas',
      },
      place: {
        cut: 'avec|et|pour',
        refuse: 'pas',
      },
      organisation: {
        cut: 'et|comme',
        articles: 'une?',
      },
      properOrganisation: {
        cut: 'comme|et|en',
      },
      role: {
        cut: 'chez|dans|et|pour|de profession',
        skip: 'un|une',
      },
      thing: {
        split: 'et',
        splitBefore: 'une?',
        refuse: 'pas',
      },
      topics: {
        split: 'et',
        skip: "le|la|les|l'",
        refuse: 'ça|cela|ce',
      },
      topic: {
        cut: 'que|à',
        skip: "le|la|les|l'",
        refuse: 'ça|cela|ce',
      },
      names: {
        split: 'et',
        skip: 'un peu|couramment',
      },
      favourite: {
        skip: "le|la|les|l'",
        refuse: 'pas',
      },
      date: {
        cut: 'et',
        skip: 'le',
      },
      short: {
        refuse: 'pas',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: 'guitare',
      violin: 'violon',
      motorcycle: 'moto',
      bicycle: 'vélo',
      car: 'voiture',
      boat: 'bateau',
      computer: 'ordinateur',
      phone: 'téléphone',
      camera: 'appareil photo',
      house: 'maison',
      apartment: 'appartement',
      dog: 'chiens?|chienne',
      cat: 'chats?|chatte',
      rabbit: 'lapin',
      horse: 'cheval',
      bird: 'perroquet',
    },
    favourites: {
      couleur: 'color',
      plat: 'food',
      nourriture: 'food',
      film: 'movie',
      livre: 'book',
      chanson: 'song',
      animal: 'animal',
      ville: 'city',
      boisson: 'drink',
      saison: 'season',
      auteur: 'author',
    },
    relations: {
      femme: 'wife',
      mari: 'husband',
      copine: 'girlfriend',
      copain: 'boyfriend',
      compagne: 'partner',
      compagnon: 'partner',
      mère: 'mother',
      père: 'father',
      sœur: 'sister',
      soeur: 'sister',
      frère: 'brother',
      fils: 'son',
      fille: 'daughter',
      cheffe: 'boss',
      chien: 'pet:dog',
      chat: 'pet:cat',
      chef: 'boss',
    },
    amounts: 'une?|deux|trois',
  },
  refused: {
    prefers: 'ne ',
  },
};
