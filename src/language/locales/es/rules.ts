import { age, favourite, gone, known, relation, where } from '../../fact-readings.js';
import type { RuleLine } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /^(?:profesora?|maestr[oa]|médic[oa]|enfermer[oa]|ingenier[oa]|abogad[oa]|estudiante|desarrolladora?|programadora?|periodista|arquitect[oa]|contadora?|cociner[oa]|chef|vendedora?|investigadora?|traductora?|diseñadora?|músic[oa]|artista|consultora?|psicólog[oa]|dentista|electricista|mecánic[oa]|piloto|camarer[oa]|escritora?)(?: .{1,30})?$/iu;

const identities =
  /^(?:vegetarian[oa]|vegan[oa]|casad[oa]|solter[oa]|divorciad[oa]|viud[oa]|zurd[oa]|español[a]?|mexican[oa]|argentin[oa]|colombian[oa]|chilen[oa]|peruan[oa]|católic[oa]|musulm(?:án|ana)|judí[oa]|diabétic[oa]|celíac[oa]|jubilad[oa]|madre(?: soltera)?|padre)$/iu;

/** In the order of the families of predicates: what comes first wins where two rules read the same words. */
export const rules: readonly RuleLine[] = [
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
