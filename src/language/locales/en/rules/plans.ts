import { type FactLexicon, favourite, type Groups, type RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;

export const dayRules: readonly RuleLine[] = [
  [
    'my',
    '{my} (?:birthday|birth date|date of birth|birthdate) (?:is|falls)(?: on)? {}',
    'profile_birthday',
    'date',
    own,
  ],
  ['i', '{I} was born (?:on )?{}', 'profile_birthday', 'date', own],
  ['i', '{I} was born in (?<object>(?:19|20)[0-9]{2})(?![0-9])', 'profile_birth_year', 'number', own],
  [
    'my our',
    "{my} (?<event>[\\p{L}]+(?:'s)?(?: [\\p{L}]+){0,2}) is (?:on |scheduled for |due on )?{}",
    dated,
    'date',
    own,
  ],
];

/** "My wife's birthday is on the 9th of November" is `date_wife_birthday`. */
function dated(groups: Groups): string | undefined {
  const event = (groups.event ?? '').toLowerCase().replaceAll("'s", '').trim().split(/\s+/);
  if (/^(?:birthday|name|question|guess|answer)$/.test(event.join('_'))) return undefined;
  return `date_${event.join('_')}`;
}

const over = { ends: true } as const;
const often =
  'every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|other \\p{L}+)|(?:once|twice|(?:two|three|four|five|six|\\d) times) (?:an?|per) (?:day|week|month|year)|an? (?:day|week|month)|on (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|daily|weekly';

export const habitRules: readonly RuleLine[] = [
  [
    'i',
    '{I} (?:really |strongly |generally |usually |much |definitely |always )*prefer {}',
    'prefers',
    'topic',
    { assistant: true, checked: true },
  ],
  ['i', '{I} no longer prefer {}', 'prefers', 'topic', over],
  [
    'i',
    '{I} (?<object>(?:always|usually|never|normally|typically|rarely|seldom|tend to|generally) .+)',
    usual,
    'phrase',
  ],
  [
    'i',
    `{I} {often}(?<object>\\p{Ll}+ (?:[\\p{L}'-]+ ){0,7}?(?:${often})(?: [\\p{L} ]{1,30})?)[.!]*$`,
    regular,
    'phrase',
  ],
  [
    'i',
    "{I} (?<object>(?:don't|do not) (?:eat|drink|smoke|drive|use|watch|wear|fly|work on|check) .+)",
    usual,
    'phrase',
  ],
];

/** "I always get this error" and "I never said that" describe an occasion, not a habit. */
const occasion =
  /^(?:always|usually|never|normally|typically|rarely|seldom|generally|tend to|don't|do not) (?:really |ever )?(?:don't|do not|get|got|see|saw|seen|find|found|forget|forgot|wonder|wondered|think|thought|said|say|want|wanted|have|had|need|needed|know|knew|known|feel|felt|seem|receive|encounter|been|heard|tried|understand|understood|mean|meant|realized|knew|expected|asked|told|would|could|will|made it|liked|loved|mind|use(?:d)? (?:it|this|that)|like|love|enjoy|prefer|hate|work(?:ed)? at)(?!\p{L})/iu;

function usual(_: Groups, object: string): string | undefined {
  return occasion.test(object) ||
    object.split(/\s+/).length < 3 ||
    /(?<!\p{L})(?:it|this|that|them|those|these)$/iu.test(object) ||
    /(?<!\p{L})(?:error|this|that) (?:error|message|bug|warning|issue)?/iu.test(object)
    ? undefined
    : 'habit';
}

const notRegular =
  /^(?:have|had|am|was|were|get|got|see|saw|want|need|would|will|could|can|can't|might|should|did|do|don't|think|know|feel|wish|hope|found|find|receive|pay|like|love|hate|enjoy|used|decided|plan|live|met|went|bought|made|took|played|ran|drank|worked|ate|always|usually|never|normally|just|also|only|still|spent|lost|forgot|prefer|speak)(?!\p{L})/iu;

function regular(_: Groups, object: string): string | undefined {
  return notRegular.test(object) || /(?<!\p{L})(?:error|this|that|ago)(?!\p{L})|^\p{L}+ed(?!\p{L})/iu.test(object)
    ? undefined
    : 'habit';
}

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

const thing = '(?<what>(?:[\\p{L}-]+ ){0,3}[\\p{L}-]+)';

export const tasteRules: readonly RuleLine[] = [
  [
    'my',
    `{my} (?:all[- ]time |new |absolute |current )*favou?rite ${thing} (?:is|are|was always|will always be|has always been|remains) {}`,
    favourite,
    'favourite',
    own,
  ],
  [
    'my',
    `{my} (?:all[- ]time |new |absolute |current )*favou?rite ${thing} (?:isn't|is not|is no longer) (?<object>[^,]+?)(?: any ?more)?$`,
    favourite,
    'favourite',
    over,
  ],
  [
    'my',
    `{my} (?:all[- ]time |new |absolute |current )*favou?rite ${thing} used to be {}`,
    favourite,
    'favourite',
    over,
  ],
  [
    '*',
    `(?<object>[^,;]{2,60}?) (?:is|are) (?:still |definitely |by far |now )?my (?:all[- ]time |new |absolute |current )*favou?rite (?<what>(?:[\\p{L}-]+ ){0,2}[\\p{L}-]+)[.!]*$`,
    stated,
    'favourite',
    { holds: 'favou?rite' },
  ],
  ['i', '{I} (?:{often}|do )(?:like|love|enjoy|adore) {}', 'likes', 'topics', own],
  ['i im', '(?:{am}) {often}(?:a )?(?:big |huge |great |massive |real )?fan of {}', 'likes', 'topics', own],
  [
    'i im',
    '(?:{am}) {often}(?:really |very |super |big |so )*(?:into|fond of|crazy about|passionate about|keen on) {}',
    'likes',
    'topics',
    own,
  ],
  ['i', '{I} {often}(?:hate|dislike|detest|loathe|despise) {}', 'dislikes', 'topics', own],
  [
    'i',
    "{I} (?:really |absolutely |simply )*(?:don't|do not|never) (?:really |particularly )?(?:like|enjoy) (?!.*any ?more){}",
    'dislikes',
    'topics',
    own,
  ],
  [
    'i',
    "{I} (?:really |absolutely |simply )*(?:can't|cannot|can not) (?:stand|bear|tolerate) {}",
    'dislikes',
    'topics',
    own,
  ],
  [
    'i im',
    '(?:{am}) (?:really )?not (?:a )?(?:big |huge |great )?(?:fan of|into|fond of|keen on) (?!.*any ?more){}',
    'dislikes',
    'topics',
    own,
  ],
  ['i', '{I} used to (?:like|love|enjoy|adore) {}', 'likes', 'topics', over],
  ['i', '{I} no longer (?:like|love|enjoy) {}', 'likes', 'topics', over],
  ['i', "{I} (?:don't|do not) (?:like|love|enjoy) (?<object>.+?) any ?more", 'likes', 'topics', over],
  ['i', '{I} used to (?:hate|dislike) {}', 'dislikes', 'topics', over],
  ['i', '{I} no longer (?:hate|dislike) {}', 'dislikes', 'topics', over],
];

/** "Sushi is my favorite food": the value comes first, so it must not be a pronoun or a question. */
function stated(groups: Groups, object: string, lexicon: FactLexicon): string | undefined {
  if (
    /^(?:i|we|my|it|this|that|these|those|he|she|they|what|which|who|one|there|here|how|i think)(?!\p{L})/iu.test(
      object,
    )
  )
    return undefined;
  return favourite(groups, object, lexicon);
}
