import type { Groups, RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;

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
