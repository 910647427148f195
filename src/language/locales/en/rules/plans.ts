import type { Groups, RuleLine } from '../../../fact-words.js';

const verbs =
  'move|visit|travel|marry|retire|study|open|buy a (?:house|car|home|flat|dog|boat)|learn|quit|start (?:a|my)|run a|get married|adopt|have a baby|apply|enrol|enroll|graduate|fly|go to|spend|launch|write a book';

export const planRules: readonly RuleLine[] = [
  ['i we', '(?:i|we) {often}(?:plan|intend|aim) to {}', intended, 'phrase'],
  ['i im we', "(?:{am}|we're|we are) {often}(?:planning|intending) to {}", intended, 'phrase'],
  ['i im we', "(?:{am}|we're|we are) {often}planning (?:an? |our |my )(?!to ){}", intended, 'phrase'],
  [
    'i im we',
    `(?:{am}|we're|we are) {often}(?:going to|gonna) (?<object>(?:${verbs})(?!\\p{L}).*)`,
    intended,
    'phrase',
  ],
  [
    'i im we',
    "(?:{am}|we're|we are) {often}(?<object>(?:saving(?: up)? for|training for|preparing for|working towards?) (?!this|that|it|about|over|the past|\\d).+)",
    'plans',
    'phrase',
  ],
  ['my our', '{my} plan is to {}', intended, 'phrase'],
  [
    'my our',
    '{my} (?:main |big |long-term |personal )?(?:goal|dream|ambition|resolution)(?: for [^ ]+(?: year)?)? is to {}',
    'goal',
    'phrase',
  ],
  ['i', "(?:i|i've|i have) {often}decided (?:to|on|against|that) (?!not sure){}", intendedDecision, 'phrase'],
];

function intended(_: Groups, object: string): string | undefined {
  return /^(?:few$|it|that|this|use (?:it|this|that)|try|do (?:so|that|it|this)|be )/iu.test(object)
    ? undefined
    : 'plans';
}

function intendedDecision(_: Groups, object: string): string | undefined {
  return /^(?:it|that|this|do (?:so|that|it)|the )?$/iu.test(object) ? undefined : 'decision';
}
