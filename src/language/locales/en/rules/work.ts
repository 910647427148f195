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

export const skillRules: readonly RuleLine[] = [
  [
    'i we',
    '(?:{I}|we) (?:can |also |both )?speak (?!to |with |at |from |about |for |in |up |on )(?:fluent |a (?:little|bit of) )?{}',
    spoken,
    'names',
    own,
  ],
  ['i im', '(?:{am}) {often}(?:fluent|proficient) in {}', spoken, 'names', own],
  ['my', '{my} (?:native|first) language is {}', 'native_language', 'names', own],
  ['my', '{my} mother tongue is {}', 'native_language', 'names', own],
  ['i im', '(?:{am}) an? native (?<object>\\p{Lu}\\p{L}+) speaker', 'native_language', 'names'],
  ['i', '{I} {often}know (?:how to (?:code|program|write) in )?{}', named, 'names', own],
  ['i', '{I} {often}know how to (?<object>\\p{Ll}.+)', 'knows', 'phrase'],
  ['i', '{I} can (?:code|program) in {}', 'knows', 'names'],
  [
    'i im',
    '(?:{am}) {often}(?:very |pretty |really |quite )?(?:good at|skilled (?:in|at)|experienced (?:in|with)|an expert (?:in|on)) {}',
    'knows',
    'topics',
    own,
  ],
  [
    'i',
    '{have} (?:over |about |more than |almost )?[\\p{L}\\d+-]+ years?(?: of)? experience (?:with|in) {}',
    'knows',
    'topics',
  ],
  ['i', '{I} {often}play (?:the )?{}', 'plays', 'topics', { ...own, checked: true }],
  ['i', '{I} (?:no longer|used to) play (?:the )?{}', 'plays', 'topics', { ...over, checked: true }],
  [
    'i',
    "(?:i|i've) {often}(?:stopped|quit|gave up|given up) playing (?:the )?{}",
    'plays',
    'topics',
    { ...over, checked: true },
  ],
  [
    'i',
    "(?:i|i've) {often}(?:stopped|quit|gave up|given up) (?:learning|studying) {}",
    'learning',
    'topic',
    { ...over, checked: true },
  ],
  [
    'i im',
    '(?:{am}) {often}(?:learning|studying|teaching myself|picking up) {}',
    'learning',
    'topic',
    { checked: true },
  ],
  ['i', '{I} {often}(?:started|began) (?:learning|studying) {}', 'learning', 'topic', { checked: true }],
  ['i', '{I} (?:studied|majored in|studied for) {}', studied, 'phrase'],
  [
    'i',
    "{have} (?:an? )?(?:\\p{L}+'?s? )?(?:degree|bachelor'?s?|master'?s?|phd|doctorate|bsc|msc|mba) in {}",
    'studied',
    'topic',
  ],
  ['i', '{I} {often}(?:graduated from|went to) (?<object>(?:the )?\\p{Lu}.+)', school, 'properOrganisation'],
];

function spoken(_: Groups, object: string): string | undefined {
  return /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?$/u.test(object) ||
    /^(?:english|german|french|spanish|italian|portuguese|russian|ukrainian|chinese|mandarin|cantonese|japanese|korean|arabic|hindi|dutch|polish|turkish|swedish|greek|hebrew)$/iu.test(
      object,
    )
    ? 'speaks'
    : undefined;
}

/** "I know Python": only names count; "I know people" states nothing. */
function named(_: Groups, object: string): string | undefined {
  return /^\p{Lu}[\p{L}\p{N}+#.]*(?: \p{Lu}[\p{L}\p{N}+#.]*)?$|^(?:sql|html|css|c|c\+\+|c#|r|bash|java|python|javascript|typescript|rust|golang|php|ruby)$/u.test(
    object,
  )
    ? 'knows'
    : undefined;
}

function studied(_: Groups, object: string): string | undefined {
  return /^(?:the|this|that|it|all|hard|for|a lot|your|my|last|yesterday|how|what)(?!\p{L})/iu.test(object)
    ? undefined
    : 'studied';
}

function school(_: Groups, object: string): string | undefined {
  return /(?:university|college|school|institute|academy|MIT|ETH|UCLA|NYU|LSE|Harvard|Stanford|Oxford|Cambridge|Yale|Princeton|Berkeley|Caltech)/iu.test(
    object,
  )
    ? 'studied'
    : undefined;
}

const about = { project: true, assistant: true } as const;
/** The assistant reports a decision in the same words. */
const reported = { project: true, assistant: 'as is' } as const;
const name = '(?<subject>\\p{Lu}[\\p{L}\\p{N}._-]*(?: \\p{Lu}[\\p{L}\\p{N}._-]*){0,3})';

/** Statements of a team about its work. The subject is the named project, or else the conversation's title. */
export const projectRules: readonly RuleLine[] = [
  [
    'the',
    `the (?:creator|author|maintainer|founder) of (?:the )?${name} (?:is|was) {}`,
    'creator',
    'person',
    { ...about, holds: 'creator|author|maintainer|founder' },
  ],
  [
    'the',
    'the (?:creator|original author) (?:is|was) {}',
    'creator',
    'person',
    { ...about, holds: 'creator|author|maintainer|founder' },
  ],
  [
    '*',
    `${name}(?:'s)? (?:creator|original author) is {}`,
    'creator',
    'person',
    { project: true, holds: 'creator|author' },
  ],
  [
    '*',
    `${name} was (?:created|founded|invented|originally written) by {}`,
    'creator',
    'proper',
    { project: true, holds: '(?:created|founded|invented|written) by' },
  ],
  [
    'the our',
    '(?:the|our) (?:command name|name of the command|cli command) is {}',
    'command_name',
    'word',
    { ...about, holds: 'command' },
  ],
  [
    'the our',
    '(?:the|our) (?<what>[\\p{L}-]+(?: [\\p{L}-]+)?) strategy is {}',
    strategy,
    'short',
    { ...about, holds: 'strategy' },
  ],
  [
    'the our',
    "(?:the|our) (?:project|product|app|repo|repository|codebase)(?:'s name)? is (?:called |named )?(?<object>\\p{Lu}.+)",
    'project_name',
    'proper',
    { ...about, holds: 'project|product|repo|codebase' },
  ],
  [
    'the our',
    "(?:the|our) (?:project|product|app)(?:'s name)? is (?:called|named) {}",
    'project_name',
    'person',
    { ...about, holds: 'project|product|repo|codebase' },
  ],
  ['the our', '(?:the|our) (?:project )?deadline is (?:on )?{}', 'deadline', 'date', { ...about, holds: 'deadline' }],
  [
    'the our',
    '(?:the|our) (?:launch|release|go-live) date is (?:on )?{}',
    'launch_date',
    'date',
    { ...about, holds: 'date is' },
  ],
  [
    'we',
    "(?:we|we've|we have)(?: have)?(?: all| finally| just| also| now)*(?: decided| agreed| resolved)(?: (?:to|that|on) | (?=against ))(?!it|this|that$){}",
    decided,
    'phrase',
    reported,
  ],
  ['we', "(?:we|we've|we have)(?: finally| just| now)* settled on {}", decided, 'phrase', reported],
  ['we', 'we(?: finally| just)* (?<object>(?:chose|picked|selected) .+)', decided, 'phrase', reported],
  [
    'we',
    "(?:we|we've|we have)(?: just| recently| now)* (?:switched|migrated|moved over)(?: from (?<old>[^ ]+(?: [^ ]+)?))? to {}",
    used,
    'short',
    { project: true },
  ],
  [
    'we',
    "(?:we|we're|we are)(?: currently| now| still| mostly| mainly)* (?:use|using|run on|running on|rely on) {}",
    used,
    'phrase',
    { project: true },
  ],
  ['our the', '(?:our|the) (?:tech )?stack is {}', used, 'phrase', { project: true, holds: 'stack is' }],
  [
    'we',
    "(?:we|we've)(?: no longer use| stopped using| dropped| abandoned| don't use) (?<object>.+?)(?: any ?more)?$",
    ended,
    'short',
    { project: true, ends: true },
  ],
];

function strategy(groups: Groups, object: string): string | undefined {
  const what = (groups.what ?? '').toLowerCase().replace(/[^\p{L}]+/gu, '_');
  if (what === '' || /^(?:best|only|new|old|current|main|first|right|better|whole)$/.test(what)) return undefined;
  return /^(?:not|unclear|to |good|bad|wrong)/iu.test(object) ? undefined : `${what}_strategy`;
}

function decided(_: Groups, object: string): string | undefined {
  return /^(?:nothing|it|this|that|something|later|yet|not yet|anything)(?!\p{L})|^(?:to )?(?:disagree|meet|talk|call|wait|go out|eat|stay|watch)(?!\p{L})/iu.test(
    object,
  )
    ? undefined
    : 'decision';
}

function used(_: Groups, object: string): string | undefined {
  return /^(?:the |our |an? )?\p{Lu}|^(?:[a-z]+[0-9.]|npm|pnpm|yarn|git|docker|kubernetes|postgres|sqlite|redis|kafka|react|vue|django|rust|go|python|typescript|terraform|nginx)/u.test(
    object,
  )
    ? 'uses'
    : undefined;
}

function ended(groups: Groups, object: string): string | undefined {
  return used(groups, object);
}
