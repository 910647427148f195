import { favouritePredicate } from '../lexicon.js';
import { type Groups, rules } from '../rule.js';

const own = { assistant: true } as const;
const over = { ends: true } as const;
const thing = '(?<what>(?:[\\p{L}-]+ ){0,3}[\\p{L}-]+)';

export const tasteRules = rules([
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
  ['mein meine', 'meine? lieblings(?<what>\\p{L}+) (?:ist|sind) {}', favourite, 'favourite'],
  ['ich', 'ich (?:mag|liebe)(?: sehr)? (?!kein|.*nicht|.*nicht mehr){}', 'likes', 'topics'],
  ['ich', 'ich (?:hasse|verabscheue) {}', 'dislikes', 'topics'],
  ['ich', 'ich mag kein(?:e|en)? (?!.*\\smehr){}', 'dislikes', 'topics'],
  ['ich', 'ich mag (?<object>.+?) nicht$', 'dislikes', 'topics'],
  ['ma mon', '(?:ma|mon) (?<what>\\p{L}+) préférée? (?:est|sont|reste) {}', favourite, 'favourite'],
  ['j', "j'(?:aime|adore)(?: beaucoup| bien)? {}", 'likes', 'topics'],
  ['je', 'je (?:déteste|hais) {}', 'dislikes', 'topics'],
  ['je', "je n'aime pas(?: du tout)? {}", 'dislikes', 'topics'],
  ['mi', 'mi (?<what>\\p{L}+) (?:favorit[oa]|preferid[oa]) es {}', favourite, 'favourite'],
  ['me', 'me (?:gustan?|encantan?)(?: mucho)? {}', 'likes', 'topics'],
  ['odio yo', '(?:yo )?(?:odio|detesto) {}', 'dislikes', 'topics'],
  ['no', 'no me gustan? {}', 'dislikes', 'topics'],
  [
    'мій моя моє',
    '(?:мій|моя|моє) улюблен(?:ий|а|е) (?<what>\\p{L}+)(?: —| -| –|:| це| — це)? {}',
    favourite,
    'favourite',
  ],
  ['я', 'я (?:дуже |справді )?(?:люблю|обожнюю) {}', 'likes', 'topics'],
  ['мені', 'мені (?:дуже )?подоба(?:ється|ються) {}', 'likes', 'topics'],
  ['я', 'я (?:ненавиджу|терпіти не можу) {}', 'dislikes', 'topics'],
  ['я', 'я не люблю {}', 'dislikes', 'topics'],
  ['мені', 'мені не подоба(?:ється|ються) {}', 'dislikes', 'topics'],
  ['我', '我最(?:喜欢|爱)的(?<what>[^是的]{1,6})是(?<object>[^什哪谁]{1,20})', favourite, 'favourite'],
  ['我', '我(?:很|非常|特别|真的)?(?:喜欢|爱)(?!的)(?<object>[^什哪谁的你]{1,16})', 'likes', 'topics'],
  ['我', '我(?:很|非常|最)?(?:讨厌|不喜欢)(?!的)(?<object>[^什哪谁的你]{1,16})', 'dislikes', 'topics'],
]);

function favourite(groups: Groups): string | undefined {
  return favouritePredicate(groups.what ?? '');
}

/** "Sushi is my favorite food": the value stands first, so it must not be a pronoun or a question. */
function stated(groups: Groups, object: string): string | undefined {
  if (
    /^(?:i|we|my|it|this|that|these|those|he|she|they|what|which|who|one|there|here|how|i think)(?!\p{L})/iu.test(
      object,
    )
  )
    return undefined;
  return favourite(groups);
}
