import { isOccupation } from '../lexicon.js';
import { type Groups, rules } from '../rule.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;

/** A role only when the words name a trade; anything else with an article is left to identity. */
const trade = (_: Groups, object: string): string | undefined => (isOccupation(object) ? 'profile_role' : undefined);

/** "an accountant at Deloitte", but not "a bit late for Netflix". */
const tradeAt = ({ what = '' }: Groups): string | undefined => (isOccupation(what) ? 'profile_employer' : undefined);

export const workRules = rules([
  ['i', '{I} {often}work as {}', 'profile_role', 'role', own],
  ['i im', '{am} {often}working as {}', 'profile_role', 'role', own],
  [
    'my',
    '{my} (?:job|occupation|profession|position|current role|role) is (?:a |an |that of )?(?:a |an )?{}',
    trade,
    'role',
    own,
  ],
  ['my', '{my} (?:job title|title|position) is {}', 'profile_role', 'role', own],
  ['i im', '(?:{am}) {often}(?:an?|the|your) {}', trade, 'role'],
  ['i', '{I} {often}(?:became|become) (?:an?|the) {}', trade, 'role'],
  ['i', '(?:{I}|{have}) {often}(?:was |been |got )?(?:just )?promoted to {}', 'profile_role', 'role'],
  ['as', 'as an? (?<object>[^,]{2,40}), (?:i|my)(?!\\p{L}).*', trade, 'role'],
  ['i', '{I} {often}work (?:for|at|with) (?!.*\\bas an?\\b){}', 'profile_employer', 'organisation', own],
  ['i', '{I} {often}work (?:for|at|with) (?<object>.+?) as .+', 'profile_employer', 'organisation', own],
  ['i', '{I} {often}work (?:for|at|with) .+? as {}', 'profile_role', 'role', own],
  ['i im', '(?:{am}) {often}(?:an?|the) (?<what>[^,.]+?) (?:at|for) {}', tradeAt, 'properOrganisation', own],
  [
    'i im',
    '(?:{am}) {often}(?:an?|the) (?:ceo|cto|cfo|coo|founder|co-founder|owner|head|director|vp|president|manager) of {}',
    'profile_employer',
    'organisation',
    own,
  ],
  ['i im', '(?:{am}) {often}(?:employed|working) (?:at|by|for|with) {}', 'profile_employer', 'organisation', own],
  ['i', "(?:i've|i have) {often}(?:been working|worked) (?:at|for) {}", 'profile_employer', 'organisation'],
  [
    'i',
    '{I} {often}(?:started|got|took|accepted|began)(?: a| my| the)?(?: new)? (?:job|position|role|work|internship) (?:at|with|for) {}',
    'profile_employer',
    'organisation',
  ],
  ['i', '{I} {often}(?:started working|started|began) (?:at|for) {}', 'profile_employer', 'properOrganisation'],
  ['i', '{I} {often}joined {}', 'profile_employer', 'properOrganisation'],
  [
    'my our',
    "{my} (?:employer|company)(?: is|'s name is| is called| is named) (?:called )?(?<object>\\p{Lu}.+)",
    properCompany,
    'properOrganisation',
    own,
  ],
  [
    'i',
    '{I} {often}(?:run|own|founded|started) (?<object>(?:an?|my own) [^,.]+ (?:called|named) \\p{Lu}[^,.]*)',
    'profile_employer',
    'phrase',
  ],
  ['i', '(?:{I}|{have}) no longer work (?:at|for|with) {}', 'profile_employer', 'organisation', over],
  ['i', "{I} (?:don't|do not) work (?:at|for|with) (?<object>.+?) any ?more", 'profile_employer', 'organisation', over],
  ['i', '{I} used to work (?:at|for|with) {}', 'profile_employer', 'organisation', over],
  ['i', '{I} used to (?:be|work as) (?:an? )?{}', trade, 'role', over],
  ['i im', '(?:{am}) no longer (?:an? |the )?{}', trade, 'role', over],
  [
    'i',
    "(?:i|i've) {often}(?:quit|left|resigned from|lost) (?:my (?:job|position|role) (?:at|with) )(?:the )?{}",
    'profile_employer',
    'organisation',
    over,
  ],
  ['i', "(?:i|i've) {often}(?:quit|left|resigned from) {}", 'profile_employer', 'properOrganisation', over],
  ['i', "(?:i|i've) {often}(?:quit|left|lost) (?<object>my job)[.!]*$", 'profile_employer', 'phrase', over],
  [
    'i',
    "(?:i|i've) {often}(?:was|got|been) (?:laid off|fired) (?:from|by) {}",
    'profile_employer',
    'organisation',
    over,
  ],
  ['ich', 'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? als {}', 'profile_role', 'role'],
  ['ich', 'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? (?:bei|für|beim) {}', 'profile_employer', 'organisation'],
  ['ich', 'ich bin (?:ein |eine )?{}', germanTrade, 'role'],
  ['ich', 'ich bin (?<object>\\p{Lu}\\p{L}+) von beruf', 'profile_role', 'role'],
  ['ich', 'ich arbeite nicht mehr (?:bei|für) {}', 'profile_employer', 'organisation', over],
  ['je', 'je travaille (?:actuellement )?(?:comme|en tant que) {}', 'profile_role', 'role'],
  ['je', 'je travaille (?:actuellement )?(?:chez|pour|à la|au sein de) {}', 'profile_employer', 'organisation'],
  ['je', 'je suis (?:un |une )?{}', frenchTrade, 'role'],
  ['je', 'je ne travaille plus (?:chez|pour) {}', 'profile_employer', 'organisation', over],
  ['trabajo yo', '(?:yo )?trabajo (?:actualmente )?(?:como|de) {}', 'profile_role', 'role'],
  [
    'trabajo yo',
    '(?:yo )?trabajo (?:actualmente )?(?:en|para) (?<object>\\p{Lu}.+)',
    'profile_employer',
    'properOrganisation',
  ],
  ['soy yo', '(?:yo )?soy (?:un |una )?{}', spanishTrade, 'role'],
  ['ya', 'ya no trabajo (?:en|para) {}', 'profile_employer', 'properOrganisation', over],
  ['я', '(?:я )?працюю (?:у|в|на|для) (?:компанії )?(?<object>\\p{Lu}.+)', 'profile_employer', 'properOrganisation'],
  ['я', 'я працюю (?<object>\\p{Ll}+(?:ем|ом|ою|ею|єю|кою|цею|истом))$', 'profile_role', 'role'],
  ['я', 'я (?:за професією |— |- )?{}', ukrainianTrade, 'role'],
  ['я', 'я (?:більше|вже) не працюю (?:у|в|на) {}', 'profile_employer', 'properOrganisation', over],
  ['我', '我(?:现在)?在(?<object>[^哪什]{2,20}?)(?:工作|上班)', 'profile_employer', 'organisation'],
  ['我', '我(?:现在)?是(?:一)?[名位个]?(?<object>[^的谁什哪]{1,12})', chineseTrade, 'role'],
  ['我', '我的(?:工作|职业)是(?<object>[^的谁什哪]{1,12})', 'profile_role', 'role'],
]);

function properCompany(_: Groups, object: string): string | undefined {
  return /^\p{Lu}/u.test(object) ? 'profile_employer' : undefined;
}

const germanTrades =
  /^\p{Lu}\p{L}*(?:lehrer|entwickler|ärzt|arzt|ingenieur|student|pfleger|schwester|berater|manager|leiter|techniker|mechaniker|anwalt|anwält|autor|forscher|informatiker|programmierer|verkäufer|köchin|koch|kaufmann|kauffrau|meister|maler|designer|architekt|journalist|musiker|buchhalter|erzieher|bäcker|wissenschaftler|übersetzer|handwerker|rentner|schüler|künstler|polizist|psycholog\p{L}*|physiker|chemiker|tischler|fahrer)(?:in|innen)?$/iu;

function germanTrade(_: Groups, object: string): string | undefined {
  return germanTrades.test(object) && /^\p{Lu}/u.test(object) ? 'profile_role' : undefined;
}

const frenchTrades =
  /^(?:professeure?|enseignante?|médecin|infirmi(?:er|ère)|ingénieure?|avocate?|étudiante?|développeu(?:r|se)|journaliste|architecte|comptable|boulang(?:er|ère)|cuisini(?:er|ère)|chef|vendeu(?:r|se)|chercheu(?:r|se)|traduct(?:eur|rice)|graphiste|musicien(?:ne)?|artiste|consultante?|informaticien(?:ne)?|pharmacien(?:ne)?|dentiste|électricien(?:ne)?|mécanicien(?:ne)?|pilote|retraitée?)(?: .{1,30})?$/iu;

function frenchTrade(_: Groups, object: string): string | undefined {
  return frenchTrades.test(object) ? 'profile_role' : undefined;
}

const spanishTrades =
  /^(?:profesora?|maestr[oa]|médic[oa]|enfermer[oa]|ingenier[oa]|abogad[oa]|estudiante|desarrolladora?|programadora?|periodista|arquitect[oa]|contadora?|cociner[oa]|chef|vendedora?|investigadora?|traductora?|diseñadora?|músic[oa]|artista|consultora?|psicólog[oa]|dentista|electricista|mecánic[oa]|piloto|camarer[oa]|escritora?)(?: .{1,30})?$/iu;

function spanishTrade(_: Groups, object: string): string | undefined {
  return spanishTrades.test(object) ? 'profile_role' : undefined;
}

const ukrainianTrades =
  /^(?:програміст\p{L}*|вчител\p{L}*|викладач\p{L}*|лікар\p{L}*|медсестра|інженер\p{L}*|юрист\p{L}*|студент\p{L}*|журналіст\p{L}*|архітектор\p{L}*|бухгалтер\p{L}*|кухар\p{L}*|розробни\p{L}+|дизайнер\p{L}*|перекладач\p{L}*|музикант\p{L}*|художни\p{L}+|водій|психолог\p{L}*|менеджер\p{L}*|аналітик\p{L}*|науков\p{L}+|письменни\p{L}+)$/iu;

function ukrainianTrade(_: Groups, object: string): string | undefined {
  return ukrainianTrades.test(object) ? 'profile_role' : undefined;
}

const chineseTrades =
  /(?:师|生|员|医生|护士|律师|教授|司机|警察|记者|作家|画家|演员|经理|工人|农民|厨师|程序员|工程师|设计师|老师|教师|学生|会计|翻译|研究员)$/u;

function chineseTrade(_: Groups, object: string): string | undefined {
  return chineseTrades.test(object) ? 'profile_role' : undefined;
}
