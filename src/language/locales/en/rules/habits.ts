import type { Groups, RuleLine } from '../../../fact-words.js';

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

/** "I always get this error" and "I never said that" tell of an occasion, not of a habit. */
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
