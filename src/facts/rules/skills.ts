import { type Groups, rules } from '../rule.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;

export const skillRules = rules([
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
  ['i', '{I} {often}play (?:the )?{}', played, 'topics', own],
  ['i', '{I} (?:no longer|used to) play (?:the )?{}', played, 'topics', over],
  ['i', "(?:i|i've) {often}(?:stopped|quit|gave up|given up) playing (?:the )?{}", played, 'topics', over],
  ['i', "(?:i|i've) {often}(?:stopped|quit|gave up|given up) (?:learning|studying) {}", learned, 'topic', over],
  ['i im', '(?:{am}) {often}(?:learning|studying|teaching myself|picking up) {}', learned, 'topic'],
  ['i', '{I} {often}(?:started|began) (?:learning|studying) {}', learned, 'topic'],
  ['i', '{I} (?:studied|majored in|studied for) {}', studied, 'phrase'],
  [
    'i',
    "{have} (?:an? )?(?:\\p{L}+'?s? )?(?:degree|bachelor'?s?|master'?s?|phd|doctorate|bsc|msc|mba) in {}",
    'studied',
    'topic',
  ],
  ['i', '{I} {often}(?:graduated from|went to) (?<object>(?:the )?\\p{Lu}.+)', school, 'properOrganisation'],
  ['ich', 'ich spreche (?:fließend |etwas |gut )?{}', 'speaks', 'names'],
  ['ich', 'ich lerne (?:gerade |derzeit )?{}', learned, 'topic'],
  ['meine', 'meine muttersprache ist {}', 'native_language', 'names'],
  ['ich', 'ich spiele {}', played, 'topics'],
  ['je', "je parle (?:couramment |un peu )?(?:le |l')?{}", 'speaks', 'names'],
  ['j', "j'apprends {}", learned, 'topic'],
  ['je', "je joue (?:du |de la |de l'|au |à la |aux ){}", 'plays', 'topics'],
  ['hablo yo', '(?:yo )?hablo (?:con fluidez |un poco de )?{}', 'speaks', 'names'],
  ['estoy', 'estoy aprendiendo {}', learned, 'topic'],
  ['toco yo', '(?:yo )?toco {}', 'plays', 'topics'],
  ['я', 'я (?:вільно |трохи )?(?:розмовляю|говорю|володію) {}', 'speaks', 'names'],
  ['я', 'я (?:зараз )?(?:вивчаю|вчу) {}', learned, 'topic'],
  ['я', 'я граю (?:на|у|в) {}', 'plays', 'topics'],
  ['我', '我(?:会|能)(?:说|讲)(?<object>[^什哪谁]{1,16})', 'speaks', 'names'],
  ['我', '我(?:正在|在)(?:学习?)(?<object>[^什哪谁校]{1,16})', learned, 'topic'],
  ['我', '我(?:会)?弹(?<object>[^什哪谁]{1,8})', 'plays', 'topics'],
]);

function spoken(_: Groups, object: string): string | undefined {
  return /^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?$/u.test(object) ||
    /^(?:english|german|french|spanish|italian|portuguese|russian|ukrainian|chinese|mandarin|cantonese|japanese|korean|arabic|hindi|dutch|polish|turkish|swedish|greek|hebrew)$/iu.test(
      object,
    )
    ? 'speaks'
    : undefined;
}

/** "I know Python": only what is written as a name; "I know people" says nothing. */
function named(_: Groups, object: string): string | undefined {
  return /^\p{Lu}[\p{L}\p{N}+#.]*(?: \p{Lu}[\p{L}\p{N}+#.]*)?$|^(?:sql|html|css|c|c\+\+|c#|r|bash|java|python|javascript|typescript|rust|golang|php|ruby)$/u.test(
    object,
  )
    ? 'knows'
    : undefined;
}

function played(_: Groups, object: string): string | undefined {
  return /^(?:an? |with |around |for |to |my |it|this|that|along|with|role|part|no |well|fair|by |mit(?!\p{L}))/iu.test(
    object,
  )
    ? undefined
    : 'plays';
}

function learned(_: Groups, object: string): string | undefined {
  return /^(?:an? (?:lot|bit|little|ton)|lots|that|this|it|more|from|so much|about you|my|the hard way|every|at )(?!\p{L})/iu.test(
    object,
  )
    ? undefined
    : 'learning';
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
