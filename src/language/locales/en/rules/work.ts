import type { Groups, RuleLine } from '../../../fact-words.js';
import { isOccupation } from './identity.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;

/** A role only when the words name a trade; anything else with an article is left to identity. */
const trade = (_: Groups, object: string): string | undefined => (isOccupation(object) ? 'profile_role' : undefined);

/** "an accountant at Deloitte", but not "a bit late for Netflix". */
const tradeAt = ({ what = '' }: Groups): string | undefined => (isOccupation(what) ? 'profile_employer' : undefined);

const starting =
  "(?:{I}(?:'ll| will)? {often}start|(?:{am}|{I}'ll be|{I} will be) {often}starting)(?: working| work)? (?:at|for)";

/** "First day at Erste Bank today!" */
function workday(which: 'first' | 'last'): string {
  return `(?:(?:today )?(?:is|was) )?(?:my )?${which} day at (?:the )?(?<object>[^,.!]+?)(?: (?:is|was|will|went|starts|as) .*)?[.!]*$`;
}

/** "I joined Bosch as an engineer", but not "a group of people who work as engineers". */
function roleAt({ org = '' }: Groups, object: string): string | undefined {
  return /^(?:the )?\p{Lu}/u.test(org) && isOccupation(object) ? 'profile_role' : undefined;
}

/** Countries that have an article, as companies may. */
const withArticle =
  /^(?:UK|US|USA|U\.S\.|EU|UAE|United \p{Lu}\p{Ll}+(?: Emirates)?|Netherlands|Philippines|Bahamas|Maldives|Seychelles|Gambia|Congo|Balkans|Baltics|\p{Lu}\p{L}+ Republic)$/u;
function leftBehind({ the }: Groups, object: string): string | undefined {
  return the !== undefined && withArticle.test(object) ? undefined : 'profile_employer';
}

const noEmployer =
  /(?<!\p{L})(?:school|university|college|uni|camp|festival|park|gym|kindergarten|resort|(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midnight|easter|christmas)(?!\p{L})/iu;
function employerOfDay(_: Groups, object: string): string | undefined {
  return noEmployer.test(object) ? undefined : 'profile_employer';
}

export const workRules: readonly RuleLine[] = [
  ['i', '{I} {often}work as {}', 'profile_role', 'role', own],
  ['i im', '{am} {often}working as {}', 'profile_role', 'role', own],
  [
    'i im',
    '(?:{I} {often}work|{am} {often}working) as [^,.]+? (?:at|for)(?: the)? {}',
    'profile_employer',
    'properOrganisation',
    own,
  ],
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
  ['as', 'as an? (?<object>[^,]{2,40}), (?:i|my)(?!\\p{L}).*', trade, 'role', { holds: '\\b(?:i|my)\\b' }],
  ['i', '{I} {often}work (?:for|at|with) (?!.*\\bas an?\\b){}', 'profile_employer', 'organisation', own],
  ['i', '{I} {often}work (?:for|at|with) (?<object>.+?) as .+', 'profile_employer', 'organisation', own],
  ['i', '{I} {often}work (?:for|at|with) .+? as {}', 'profile_role', 'role', own],
  ['i im', '(?:{am}) {often}(?:an?|the) (?<what>[^,.]+?) (?:at(?: the)?|for) {}', tradeAt, 'properOrganisation', own],
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
  ['i im', `${starting} (?!\\d){}`, employerOfDay, 'properOrganisation'],
  [
    'i im',
    `(?:${starting}|{I} {often}(?:joined|started at|began at)|{am} {often}joining) (?<org>[^,.]{2,40}?) as {}`,
    roleAt,
    'role',
  ],
  ['i im', '(?:{am}) {often}joining (?<object>[^,.]+?) as .+', 'profile_employer', 'properOrganisation'],
  [
    'my today is was first',
    `${workday('first')}`,
    employerOfDay,
    'properOrganisation',
    { holds: '\\b(?:first|last) day\\b|\\bmy\\b' },
  ],
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
  ['i', "(?:i|i've) {often}(?:quit|left|resigned from) (?<the>the )?{}", leftBehind, 'properOrganisation', over],
  [
    'i',
    "(?:i|i've) {often}(?:quit|resigned|(?:gave|given) notice|handed in my (?:notice|resignation)) (?:at|from) (?:the )?{}",
    'profile_employer',
    'properOrganisation',
    over,
  ],
  [
    'my today is was last',
    `${workday('last')}`,
    employerOfDay,
    'properOrganisation',
    { ...over, holds: '\\b(?:first|last) day\\b|\\bmy\\b' },
  ],
  ['i', "(?:i|i've) {often}(?:quit|left|lost) (?<object>my job)[.!]*$", 'profile_employer', 'phrase', over],
  [
    'i',
    "(?:i|i've) {often}(?:was|got|been) (?:laid off|fired) (?:from|by) {}",
    'profile_employer',
    'organisation',
    over,
  ],
];

function properCompany(_: Groups, object: string): string | undefined {
  return /^\p{Lu}/u.test(object) ? 'profile_employer' : undefined;
}
