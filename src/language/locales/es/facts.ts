import { age, type FactWords, favourite, gone, known, type RuleLine, relation, where } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /^(?:profesora?|maestr[oa]|médic[oa]|enfermer[oa]|ingenier[oa]|abogad[oa]|estudiante|desarrolladora?|programadora?|periodista|arquitect[oa]|contadora?|cociner[oa]|chef|vendedora?|investigadora?|traductora?|diseñadora?|músic[oa]|artista|consultora?|psicólog[oa]|dentista|electricista|mecánic[oa]|piloto|camarer[oa]|escritora?)(?: .{1,30})?$/iu;

const identities =
  /^(?:vegetarian[oa]|vegan[oa]|casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|zurd[oa]|español[a]?|mexican[oa]|argentin[oa]|colombian[oa]|chilen[oa]|peruan[oa]|católic[oa]|musulm(?:án|ana)|judí[oa]|diabétic[oa]|celíac[oa]|jubilad[oa]|madre(?: soltera)?|padre)$/iu;

/** Ordered by families of predicates: the first rule wins where two match the same words. */
const rules: readonly RuleLine[] = [
  ['mi', 'mi (?:correo(?: electrónico)?|e-?mail)(?: es|:) {}', 'profile_email', 'email'],
  ['me yo', '(?:yo )?me llamo {}', 'profile_name', 'person'],
  ['mi', 'mi nombre es {}', 'profile_name', 'person'],
  ['vivo yo resido', '(?:yo )?(?:vivo|resido)(?: actualmente| ahora)? en {}', 'profile_location', 'place'],
  ['me', 'me (?:mudé|he mudado|trasladé) a {}', 'profile_location', 'place'],
  ['soy yo', '(?:yo )?soy de {}', 'profile_origin', 'place'],
  ['ya', 'ya no vivo en {}', 'profile_location', 'place', over],
  ['mi', 'mi cumpleaños es el {}', 'profile_birthday', 'date'],
  ['nací yo', '(?:yo )?nací el {}', 'profile_birthday', 'date'],
  ['trabajo yo', '(?:yo )?trabajo (?:actualmente )?(?:como|de) {}', 'profile_role', 'role'],
  [
    'trabajo yo',
    '(?:yo )?trabajo (?:actualmente )?(?:en|para) (?<object>\\p{Lu}.+)',
    'profile_employer',
    'properOrganisation',
  ],
  ['trabajo yo', '(?:yo )?trabajo como [^,.]+? (?:en|para) {}', 'profile_employer', 'properOrganisation'],
  [
    'empiezo empecé comienzo comencé yo',
    '(?:yo )?(?:empiezo|empecé|comienzo|comencé)(?: a trabajar)? en {}',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'dejé renuncié yo',
    '(?:yo )?(?:dejé mi (?:trabajo|puesto|empleo) en|renuncié (?:a|en)) {}',
    'profile_employer',
    'properOrganisation',
    over,
  ],
  ['soy yo', '(?:yo )?soy (?:un |una )?{}', where(trades, 'profile_role'), 'role'],
  ['ya', 'ya no trabajo (?:en|para) {}', 'profile_employer', 'properOrganisation', over],
  ['tengo yo', '(?:yo )?tengo (?<object>[0-9]{1,3}) años', age, 'number'],
  ['soy yo', '(?:yo )?soy (?:un |una )?{}', where(identities, 'profile_identity'), 'short'],
  ['soy yo', '(?:yo )?soy alérgic[oa] al? {}', 'allergic_to', 'topics'],
  [
    'mi',
    'mi (?<who>esposa|esposo|mujer|marido|novia|novio|madre|padre|hermana|hermano|hijo|hija|jefe|jefa|perro|perra|gato|gata) se llama {}',
    relation,
    'person',
  ],
  [
    'tengo yo',
    '(?:yo )?tengo (?<object>(?:una?|dos|tres|cuatro|cinco|\\d+) (?:\\p{L}+ )?(?:hijos?|hijas?|hermanos?|hermanas?|gemelos|nietos?))(?!\\p{L})',
    'family',
    'phrase',
  ],
  ['tengo yo', '(?:yo )?tengo (?<object>(?:una?|dos|tres) .+)', known, 'thing'],
  ['ya', 'ya no tengo (?:una? |mi )?{}', gone, 'thing', over],
  ['vendí yo', '(?:yo )?vendí mi {}', gone, 'thing', over],
  ['mi', 'mi (?<what>\\p{L}+) (?:favorit[oa]|preferid[oa]) es {}', favourite, 'favourite'],
  ['me', 'me (?:gustan?|encantan?)(?: mucho)? {}', 'likes', 'topics'],
  ['odio yo', '(?:yo )?(?:odio|detesto) {}', 'dislikes', 'topics'],
  ['no', 'no me gustan? {}', 'dislikes', 'topics'],
  ['hablo yo', '(?:yo )?hablo (?:con fluidez |un poco de )?{}', 'speaks', 'names'],
  ['estoy', 'estoy aprendiendo {}', 'learning', 'topic', { checked: true }],
  ['toco yo', '(?:yo )?toco {}', 'plays', 'topics'],
  ['prefiero yo', '(?:yo )?prefiero {}', 'prefers', 'topic', { checked: true }],
  ['planeo', 'planeo {}', 'plans', 'phrase'],
];

export const facts: FactWords = {
  rules,
  clauses: {
    self: 'yo|mi|mis|me|soy|vivo|trabajo|tengo|hablo|toco|odio|prefiero',
    joint: 'y|pero|porque',
    now: 'ahora|hoy en día',
    greeting: 'hola|buenas',
    filler: 'por cierto|bueno|actualmente',
    correction: 'en realidad',
    hedge: 'creo que\\s*,?\\s*',
    asking: 'puedes|qué|dónde|cómo|cuál|cuándo|quién',
    askingJoint: 'y',
    ellipsisJoint: 'y',
    traits: {
      lead: 'soy',
      and: 'y',
      joint: 'y',
    },
    ellipses: [
      { speaker: /^(?:.{0,40}[\s,])?soy(?!\p{L})/iu, joint: /(?:,\s*|\s+y\s+)(?=alérgic[oa]\s)/giu, put: 'soy ' },
    ],
    instead: [
      /(?<!\p{L})no (?<verb>(?:me )?\p{L}{1,20}) [^.;:]{1,80}?(?<joint>,? sino (?:ahora )?)(?=(?:en|para|como|de|a) )/diu,
    ],
    contrast: {
      no: 'no|ya no',
      lead: 'y',
      prepositions: 'en',
      only: 's[oó]lo',
      but: 'sino',
    },
    endings: [{ pattern: /^(?<over>(?:yo )?ya no)\s/diu, holds: 'ya no' }],
  },
  gates: {
    supposing: 'supongamos|imagina|quizás|tal vez',
    reporting: 'dice|dijo|piensa|cree|pregunta',
    instructing: 'traduce|escribe',
    materialLead: 'puedes',
    material: 'traduce',
    rolePlay:
      'juego de rol|finge que|haz(?:me)? como (?:si|que)|hagamos como|(?:eres|haces de) (?:el|la|un|una|mi) [^.!?\\n]{1,60}?(?:[,.;]| y) ?yo (?:soy|hago)|(?:soy|hago de) [^.!?\\n]{1,60}?(?:[,.;]| y) ?t[uú] (?:eres|haces)',
    quotedSelf: 'yo|mi|soy|vivo|me',
  },
  values: {
    link: 'desde|pero|sino|porque',
    tail: 'ahora',
    negation: 'nunca|ning[uú]na?',
    listJoint: 'y',
    determiners: 'el los las una unos unas mi',
    nameParticles: 'del el dos y e',
    kinds: {
      person: {
        cut: 'y',
        refuse: 'no',
      },
      proper: {
        cut: 'y',
        refuse: 'no',
      },
      place: {
        cut: 'con|y|para',
        refuse: 'no',
      },
      organisation: {
        cut: 'y|como',
        articles: 'una?',
      },
      properOrganisation: {
        cut: 'como|y',
      },
      role: {
        cut: 'en|y|para',
        skip: 'una',
      },
      thing: {
        split: 'y',
        splitBefore: 'una?',
      },
      topics: {
        split: 'y',
        skip: 'el|los|las',
        refuse: 'eso|esto|él',
      },
      topic: {
        cut: 'que',
        skip: 'el|los|las',
        refuse: 'eso|esto|él',
      },
      names: {
        split: 'y',
        skip: 'un poco de',
      },
      favourite: {
        skip: 'el|los|las',
        refuse: 'no',
      },
      date: {
        cut: 'y',
        skip: 'el',
      },
      short: {
        refuse: 'no',
      },
    },
  },
  lexicon: {
    owned: {
      guitar: 'guitarra',
      violin: 'violín',
      bicycle: 'bicicleta|bici',
      car: 'coche|carro',
      boat: 'barco',
      laptop: 'portátil',
      computer: 'ordenador',
      phone: 'teléfono',
      camera: 'cámara',
      house: 'casa',
      apartment: 'piso|apartamento',
      dog: 'perr[oa]s?',
      cat: 'gat[oa]s?',
      rabbit: 'conejo',
      horse: 'caballo',
      bird: 'loro',
    },
    favourites: {
      color: 'color',
      comida: 'food',
      plato: 'food',
      película: 'movie',
      libro: 'book',
      canción: 'song',
      animal: 'animal',
      ciudad: 'city',
      deporte: 'sport',
      bebida: 'drink',
      estación: 'season',
      autor: 'author',
    },
    relations: {
      esposa: 'wife',
      mujer: 'wife',
      esposo: 'husband',
      marido: 'husband',
      novia: 'girlfriend',
      novio: 'boyfriend',
      madre: 'mother',
      padre: 'father',
      hermana: 'sister',
      hermano: 'brother',
      hijo: 'son',
      hija: 'daughter',
      jefe: 'boss',
      jefa: 'boss',
      perro: 'pet:dog',
      perra: 'pet:dog',
      gato: 'pet:cat',
      gata: 'pet:cat',
    },
    amounts: 'una|dos|tres',
  },
  refused: {
    prefers: 'no$',
  },
};
