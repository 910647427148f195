import type { Groups } from './rule.js';

/** Trades by their words, for languages where a role stands without an article. */
const germanTrades =
  /^\p{L}*(?:lehrer|entwickler|ärzt|arzt|ingenieur|student|pfleger|schwester|berater|manager|leiter|techniker|mechaniker|anwalt|anwält|autor|forscher|informatiker|programmierer|verkäufer|köchin|koch|kaufmann|kauffrau|meister|maler|designer|architekt|journalist|musiker|buchhalter|erzieher|bäcker|wissenschaftler|übersetzer|handwerker|rentner|schüler|künstler|polizist|psycholog\p{L}*|physiker|chemiker|tischler|fahrer)(?:in|innen)?$/iu;

export function germanTrade(_: Groups, object: string): string | undefined {
  return germanTrades.test(object) && /^\p{Lu}/u.test(object) ? 'profile_role' : undefined;
}

export function germanTradeAt(groups: Groups): string | undefined {
  return germanTrade(groups, groups.what ?? '') === undefined ? undefined : 'profile_employer';
}

const frenchTrades =
  /^(?:professeure?|enseignante?|médecin|infirmi(?:er|ère)|ingénieure?|avocate?|étudiante?|développeu(?:r|se)|journaliste|architecte|comptable|boulang(?:er|ère)|cuisini(?:er|ère)|chef|vendeu(?:r|se)|chercheu(?:r|se)|traduct(?:eur|rice)|graphiste|musicien(?:ne)?|artiste|consultante?|informaticien(?:ne)?|pharmacien(?:ne)?|dentiste|électricien(?:ne)?|mécanicien(?:ne)?|pilote|retraitée?)(?: .{1,30})?$/iu;

export function frenchTrade(_: Groups, object: string): string | undefined {
  return frenchTrades.test(object) ? 'profile_role' : undefined;
}

const spanishTrades =
  /^(?:profesora?|maestr[oa]|médic[oa]|enfermer[oa]|ingenier[oa]|abogad[oa]|estudiante|desarrolladora?|programadora?|periodista|arquitect[oa]|contadora?|cociner[oa]|chef|vendedora?|investigadora?|traductora?|diseñadora?|músic[oa]|artista|consultora?|psicólog[oa]|dentista|electricista|mecánic[oa]|piloto|camarer[oa]|escritora?)(?: .{1,30})?$/iu;

export function spanishTrade(_: Groups, object: string): string | undefined {
  return spanishTrades.test(object) ? 'profile_role' : undefined;
}

const ukrainianTrades =
  /^(?:програміст\p{L}*|вчител\p{L}*|викладач\p{L}*|лікар\p{L}*|медсестра|інженер\p{L}*|юрист\p{L}*|студент\p{L}*|журналіст\p{L}*|архітектор\p{L}*|бухгалтер\p{L}*|кухар\p{L}*|розробни\p{L}+|дизайнер\p{L}*|перекладач\p{L}*|музикант\p{L}*|художни\p{L}+|водій|психолог\p{L}*|менеджер\p{L}*|аналітик\p{L}*|науков\p{L}+|письменни\p{L}+)$/iu;

export function ukrainianTrade(_: Groups, object: string): string | undefined {
  return ukrainianTrades.test(object) ? 'profile_role' : undefined;
}

const chineseTrades =
  /(?:师|生|员|医生|护士|律师|教授|司机|警察|记者|作家|画家|演员|经理|工人|农民|厨师|程序员|工程师|设计师|老师|教师|学生|会计|翻译|研究员)$/u;

export function chineseTrade(_: Groups, object: string): string | undefined {
  return chineseTrades.test(object) ? 'profile_role' : undefined;
}
