import { age, favourite, gone, known, relation, where } from '../../fact-readings.js';
import type { FactLexicon, Groups, RuleLine } from '../../fact-words.js';

const over = { ends: true } as const;

const trades =
  /^\p{L}*(?:lehrer|entwickler|ärzt|arzt|ingenieur|student|pfleger|schwester|berater|manager|leiter|techniker|mechaniker|anwalt|anwält|autor|forscher|informatiker|programmierer|verkäufer|köchin|koch|kaufmann|kauffrau|meister|maler|designer|architekt|journalist|musiker|buchhalter|erzieher|bäcker|wissenschaftler|übersetzer|handwerker|rentner|schüler|künstler|polizist|psycholog\p{L}*|physiker|chemiker|tischler|fahrer)(?:in|innen)?$/iu;

/** Nouns have a capital: a trade without one is another word. */
function trade(_: Groups, object: string): string | undefined {
  return trades.test(object) && /^\p{Lu}/u.test(object) ? 'profile_role' : undefined;
}

function tradeAt(groups: Groups): string | undefined {
  return trade(groups, groups.what ?? '') === undefined ? undefined : 'profile_employer';
}

const identities =
  /^(?:vegetarier(?:in)?|veganer(?:in)?|vegetarisch|vegan|verheiratet|ledig|geschieden|verwitwet|linkshänder(?:in)?|rentner(?:in)?|deutsche?r?|österreicher(?:in)?|schweizer(?:in)?|schwanger|katholisch|evangelisch|muslim(?:in)?|christ(?:in)?|diabetiker(?:in)?|nichtraucher(?:in)?|mutter|vater|alleinerziehend)$/iu;

/** "Ich habe einen Hund gesehen" tells what was done, not what is there. */
function had(groups: Groups, object: string, lexicon: FactLexicon): string | undefined {
  const done = /\s(?:\p{Ll}*ge\p{Ll}+(?:t|en)|(?:be|ver|er|ent|zer)\p{Ll}+(?:t|en)|\p{Ll}+iert)$/u;
  return done.test(object) ? undefined : known(groups, object, lexicon);
}

/** In the order of the families of predicates: what comes first wins where two rules read the same words. */
export const rules: readonly RuleLine[] = [
  ['meine', 'meine (?:e-?)?mail(?:-?adresse)?(?: ist| lautet|:) {}', 'profile_email', 'email'],
  ['ich', 'ich heiße {}', 'profile_name', 'person'],
  ['mein', 'mein name ist {}', 'profile_name', 'person'],
  [
    'ich wir',
    'ich (?:wohne|lebe)(?: jetzt| derzeit| aktuell| seit [^ ]+(?: jahren)?)? in (?!.*nicht[\\s.!]*$){}',
    'profile_location',
    'place',
  ],
  [
    'ich',
    'ich bin (?:vor kurzem |gerade |letztes jahr )?nach (?<object>[^,]+?) (?:um)?gezogen',
    'profile_location',
    'place',
  ],
  ['ich', 'ich (?:komme|stamme)(?: ursprünglich)? aus {}', 'profile_origin', 'place'],
  ['ich', 'ich (?:wohne|lebe) nicht mehr in {}', 'profile_location', 'place', over],
  ['mein', 'mein geburtstag ist (?:am )?{}', 'profile_birthday', 'date'],
  ['ich', 'ich (?:bin|wurde) am (?<object>.+?) geboren', 'profile_birthday', 'date'],
  ['ich', 'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? als {}', 'profile_role', 'role'],
  [
    'ich',
    'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? (?:bei|für|beim)(?: der| dem)? {}',
    'profile_employer',
    'organisation',
  ],
  [
    'ich',
    'ich arbeite(?: derzeit| seit [^ ]+(?: jahren)?)? als [^,.]+? (?:bei|für|beim)(?: der| dem)? {}',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'ich',
    'ich (?:arbeite|beginne|fange)(?: derzeit| seit [^ ]+(?: jahren)?| im \\p{L}+| ab \\p{L}+)? (?:bei|für|beim) [^,.]+? als (?<object>[^,.]+?)(?: an)?[.!]*$',
    'profile_role',
    'role',
  ],
  [
    'ich',
    'ich (?:beginne|fange)(?: im \\p{L}+| ab \\p{L}+| morgen| heute)? bei(?: der| dem)? (?<object>[^,.]+?)(?: an)?[.!]*$',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'ich',
    'ich habe (?:[\\p{L}\\d.]+ ){0,3}?bei(?: der| dem)? (?<object>[^\\s,.]+(?: [^\\s,.]+){0,3}?) (?:angefangen|begonnen)[.!]*$',
    'profile_employer',
    'properOrganisation',
  ],
  [
    'ich',
    'ich habe (?:[\\p{L}\\d.]+ ){0,3}?bei(?: der| dem)? (?<object>[^\\s,.]+(?: [^\\s,.]+){0,3}?) (?:gekündigt|aufgehört)',
    'profile_employer',
    'properOrganisation',
    over,
  ],
  ['ich', 'ich bin (?:ein |eine )?{}', trade, 'role'],
  ['ich', 'ich bin (?:ein |eine )?(?<what>\\p{L}+) bei(?: der| dem)? {}', tradeAt, 'properOrganisation'],
  ['ich', 'ich bin (?<object>\\p{Lu}\\p{L}+) von beruf', 'profile_role', 'role'],
  ['ich', 'ich arbeite nicht mehr (?:bei|für) {}', 'profile_employer', 'organisation', over],
  ['ich', 'ich bin (?<object>[0-9]{1,3}) (?:jahre alt)', age, 'number'],
  ['ich', 'ich bin (?:ein |eine )?{}', where(identities, 'profile_identity'), 'short'],
  ['ich', 'ich bin allergisch (?:gegen|auf) {}', 'allergic_to', 'topics'],
  [
    'meine mein',
    `mein(?:e|en)? (?<who>frau|mann|freundin|freund|mutter|vater|schwester|bruder|sohn|tochter|chef|chefin|hund|katze) heißt {}`,
    relation,
    'person',
  ],
  [
    'ich wir',
    '(?:ich habe|wir haben) (?<object>(?:ein(?:e|en)?|zwei|drei|vier|fünf|\\d+) (?:\\p{L}+ )?(?:kinder?|söhne?|sohn|töchter|tochter|brüder|bruder|schwestern?|geschwister|zwillinge|enkel(?:kinder)?))(?!\\p{L})',
    'family',
    'phrase',
  ],
  [
    'ich wir',
    '(?:ich habe|ich besitze|wir haben) (?<object>(?:ein(?:e|en)?|zwei|drei|meine(?:n)? eigene[n]?) .+?)(?: (?:gekauft|bekommen|adoptiert|geerbt))?[.!]*$',
    had,
    'thing',
  ],
  ['ich wir', '(?:ich habe|ich besitze|wir haben) kein(?:e|en)? (?<object>.+?) mehr', gone, 'thing', over],
  ['ich wir', '(?:ich habe mein|wir haben unser)(?:e|en)? (?<object>.+?) verkauft', gone, 'thing', over],
  ['mein meine', 'meine? lieblings(?<what>\\p{L}+) (?:ist|sind) {}', favourite, 'favourite'],
  ['ich', 'ich (?:mag|liebe)(?: sehr)? (?!kein|.*nicht|.*nicht mehr){}', 'likes', 'topics'],
  ['ich', 'ich (?:hasse|verabscheue) {}', 'dislikes', 'topics'],
  ['ich', 'ich mag kein(?:e|en)? (?!.*\\smehr){}', 'dislikes', 'topics'],
  ['ich', 'ich mag (?<object>.+?) nicht$', 'dislikes', 'topics'],
  ['ich', 'ich spreche (?:fließend |etwas |gut )?{}', 'speaks', 'names'],
  ['ich', 'ich lerne (?:gerade |derzeit )?{}', 'learning', 'topic', { checked: true }],
  ['meine', 'meine muttersprache ist {}', 'native_language', 'names'],
  ['ich', 'ich spiele {}', 'plays', 'topics', { checked: true }],
  ['ich', 'ich bevorzuge {}', 'prefers', 'topic'],
  ['ich', 'ich ziehe (?<object>.+?) vor[.!]*$', 'prefers', 'topic'],
  ['ich', 'ich (?<object>\\p{L}+ (?:immer|meistens|normalerweise|nie|jeden) .+)', 'habit', 'phrase'],
  ['ich wir', '(?:ich habe|wir haben) (?:vor|geplant), {}', 'plans', 'phrase'],
  ['ich', 'ich plane,? {}', 'plans', 'phrase'],
];
