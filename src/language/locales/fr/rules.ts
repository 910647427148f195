import { age, favourite, gone, known, relation, where } from '../../fact-readings.js';
import type { RuleLine } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /^(?:professeure?|enseignante?|médecin|infirmi(?:er|ère)|ingénieure?|avocate?|étudiante?|développeu(?:r|se)|journaliste|architecte|comptable|boulang(?:er|ère)|cuisini(?:er|ère)|chef|vendeu(?:r|se)|chercheu(?:r|se)|traduct(?:eur|rice)|graphiste|musicien(?:ne)?|artiste|consultante?|informaticien(?:ne)?|pharmacien(?:ne)?|dentiste|électricien(?:ne)?|mécanicien(?:ne)?|pilote|retraitée?)(?: .{1,30})?$/iu;

const identities =
  /^(?:végétarien(?:ne)?|végane?|végan|mariée?|célibataire|divorcée?|veu(?:f|ve)|gauch(?:er|ère)|française?|belge|suisse|canadien(?:ne)?|québécoise?|enceinte|catholique|musulmane?|juive?|diabétique|non-fumeu(?:r|se)|mère(?: célibataire)?|père)$/iu;

/** In the order of the families of predicates: what comes first wins where two rules read the same words. */
export const rules: readonly RuleLine[] = [
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
