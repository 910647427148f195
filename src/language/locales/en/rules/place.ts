import type { RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;

export const placeRules: readonly RuleLine[] = [
  ['i we', '(?:{I}|we) {often}(?:live|reside|stay permanently) in {}', 'profile_location', 'place', own],
  [
    'i im we',
    "(?:{am}|we're|we are) {often}(?:living|based|located|residing) (?:in|out of) {}",
    'profile_location',
    'place',
    own,
  ],
  ['i', "(?:i've|i have) {often}(?:lived|been living|been based) in {}", 'profile_location', 'place'],
  [
    'i we',
    "(?:i|we|i've|we've|i have|we have) {often}(?:moved|relocated)(?: back| house)?(?: here)?(?: from (?<old>[\\p{Lu}][\\p{L} .'-]{1,40}?))? to {}",
    'profile_location',
    'place',
  ],
  ['my our', '{my} (?:home|house|apartment|flat|place) is (?:located )?in {}', 'profile_location', 'place', own],
  ['my', '{my} (?:home ?town|city) is {}', 'profile_origin', 'place', own],
  ['i im', '{am} {often}(?:originally )?from {}', 'profile_origin', 'place', own],
  ['i', '{I} (?:originally )?(?:come|hail|came) from {}', 'profile_origin', 'place'],
  ['i', '{I} (?:grew up|was raised|was born(?: and raised)?) in (?!\\d){}', 'profile_origin', 'place'],
  [
    'i we',
    "(?:i|we)(?: no longer live| don't live| do not live)(?: here)? in {}(?<= anymore| any more)",
    'profile_location',
    'place',
    over,
  ],
  ['i we', '(?:i|we) no longer live in {}', 'profile_location', 'place', over],
  ['i we', '(?:i|we) used to live in {}', 'profile_location', 'place', over],
];
