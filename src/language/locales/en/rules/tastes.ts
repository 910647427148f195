import { type FactLexicon, favourite, type Groups, type RuleLine } from '../../../fact-words.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;
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
