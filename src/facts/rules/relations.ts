import { type Groups, rules } from '../rule.js';

const own = { assistant: true } as const;

const people =
  'wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?|mother|father|mom|mum|dad|parent|sister|brother|son|daughter|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|uncle|aunt|cousin|nephew|niece|boss|manager|landlord|best friend|friend|roommate|flatmate|neighbou?r|colleague|coworker|co-founder|mentor|therapist|doctor|dentist|teacher|stepson|stepdaughter|stepmother|stepfather|godson|goddaughter';
const pets = 'dog|puppy|cat|kitten|hamster|rabbit|parrot|horse|bird|fish|turtle|snake';
const kin =
  'kids?|child|children|sons?|daughters?|brothers?|sisters?|siblings?|twins|triplets|cousins?|nephews?|nieces?|grandchild(?:ren)?|grandsons?|granddaughters?|uncles?|aunts?|stepsons?|stepdaughters?|wife|husband|girlfriend|boyfriend|fianc[ée]e?|toddler|baby';
const count = '(?:an?|one|two|three|four|five|six|seven|eight|\\d{1,2})';

export const relationRules = rules([
  [
    'my our',
    `{my} (?:late |older |younger |elder |big |little |eldest |youngest |oldest )?(?<who>${people})(?:'s name is| is called| is named|, whose name is|'s called|'s named) {}`,
    relation,
    'person',
    own,
  ],
  [
    'my our',
    `{my} (?:late |older |younger |elder |big |little |eldest |youngest |oldest )?(?<who>${people}) is (?:now |actually |still )?{}`,
    relation,
    'proper',
    own,
  ],
  [
    'my our',
    `{my} (?:older |younger |big |little |eldest |youngest )?(?<who>${people}) (?<object>\\p{Lu}.*)`,
    named,
    'proper',
  ],
  ['i im', '(?:{am}) {often}(?:happily )?married to {}', 'relation_spouse', 'proper'],
  ['i', `{have} (?:a|an|one) (?:[\\p{L}]+ )?(?<who>${people}) (?:named|called) {}`, relation, 'proper'],
  [
    'i we',
    `(?:{have}|we have|we've got) (?<object>(?:${count} )?(?:[\\p{L}-]+ ){0,2}(?:${kin})(?: (?:named|called) [^,.]+)?)(?!\\p{L})`,
    family,
    'phrase',
  ],
  [
    'my our',
    `{my} (?:[\\p{L}-]+ )?(?<pet>${pets})(?:'s name is| is called| is named|'s called|'s named) {}`,
    pet,
    'person',
    own,
  ],
  [
    'i we',
    `(?:{have}|we have|i got|we got|i adopted|we adopted) (?:a|an|one) (?:[\\p{L}-]+ ){0,3}(?<pet>${pets}) (?:named|called) {}`,
    pet,
    'proper',
  ],
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
    'ma mon',
    "(?:ma|mon) (?<who>femme|mari|copine|copain|compagne|compagnon|mère|père|sœur|soeur|frère|fils|fille|chef|cheffe|chien|chat) s'appelle {}",
    relation,
    'person',
  ],
  [
    'j',
    "j'ai (?<object>(?:une?|deux|trois|quatre|cinq|\\d+) (?:\\p{L}+ )?(?:enfants?|fils|filles?|frères?|sœurs?|soeurs?|jumeaux|jumelles))(?!\\p{L})",
    'family',
    'phrase',
  ],
  [
    'mi',
    'mi (?<who>esposa|esposo|mujer|marido|novia|novio|madre|padre|hermana|hermano|hijo|hija|jefe|jefa|perro|perra|gato|gata) se llama {}',
    relation,
    'person',
  ],
  [
    'tengo yo',
    '(?:yo )?tengo (?<object>(?:una?|dos|tres|cuatro|cinco|\\d+) (?:\\p{L}+ )?(?:hijos?|hijas?|hermanos?|hermanas?|gemelos|nietos?))(?!\\p{L})',
    'family',
    'phrase',
  ],
  [
    'мою мого моя мій',
    '(?:мою|мого|моя|мій) (?<who>дружину|чоловіка|дівчину|хлопця|маму|матір|тата|батька|сестру|брата|сина|доньку|дочку|собаку|кота|кішку) (?:звати|звуть) {}',
    relation,
    'person',
  ],
  [
    'у',
    'у мене (?:є )?(?<object>(?:двоє|троє|четверо|один|одна|два|дві|три|\\d+) (?:\\p{L}+ )?(?:дітей|дитина|дітей|син\\p{L}*|доньк\\p{L}*|доч\\p{L}*|брат\\p{L}*|сест\\p{L}*))',
    'family',
    'phrase',
  ],
  [
    '我',
    '我(?:的)?(?<who>妻子|老婆|丈夫|老公|女朋友|男朋友|妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|儿子|女儿|老板|狗|猫)(?:的名字)?(?:叫做?|是叫)(?<object>[^什谁哪]{1,12})',
    relation,
    'person',
  ],
  ['我', '我有(?<object>[一两二三四五六\\d]+个(?:孩子|儿子|女儿|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹))', 'family', 'phrase'],
]);

const translated: Record<string, string> = {
  frau: 'wife',
  mann: 'husband',
  freundin: 'girlfriend',
  freund: 'boyfriend',
  mutter: 'mother',
  vater: 'father',
  schwester: 'sister',
  bruder: 'brother',
  sohn: 'son',
  tochter: 'daughter',
  chef: 'boss',
  chefin: 'boss',
  hund: 'pet:dog',
  katze: 'pet:cat',
  femme: 'wife',
  mari: 'husband',
  copine: 'girlfriend',
  copain: 'boyfriend',
  compagne: 'partner',
  compagnon: 'partner',
  mère: 'mother',
  père: 'father',
  sœur: 'sister',
  soeur: 'sister',
  frère: 'brother',
  fils: 'son',
  fille: 'daughter',
  cheffe: 'boss',
  chien: 'pet:dog',
  chat: 'pet:cat',
  esposa: 'wife',
  mujer: 'wife',
  esposo: 'husband',
  marido: 'husband',
  novia: 'girlfriend',
  novio: 'boyfriend',
  madre: 'mother',
  padre: 'father',
  hermana: 'sister',
  hermano: 'brother',
  hijo: 'son',
  hija: 'daughter',
  jefe: 'boss',
  jefa: 'boss',
  perro: 'pet:dog',
  perra: 'pet:dog',
  gato: 'pet:cat',
  gata: 'pet:cat',
  дружину: 'wife',
  чоловіка: 'husband',
  дівчину: 'girlfriend',
  хлопця: 'boyfriend',
  маму: 'mother',
  матір: 'mother',
  тата: 'father',
  батька: 'father',
  сестру: 'sister',
  брата: 'brother',
  сина: 'son',
  доньку: 'daughter',
  дочку: 'daughter',
  собаку: 'pet:dog',
  кота: 'pet:cat',
  кішку: 'pet:cat',
  妻子: 'wife',
  老婆: 'wife',
  丈夫: 'husband',
  老公: 'husband',
  女朋友: 'girlfriend',
  男朋友: 'boyfriend',
  妈妈: 'mother',
  爸爸: 'father',
  姐姐: 'sister',
  妹妹: 'sister',
  哥哥: 'brother',
  弟弟: 'brother',
  儿子: 'son',
  女儿: 'daughter',
  老板: 'boss',
  狗: 'pet:dog',
  猫: 'pet:cat',
  puppy: 'dog',
  kitten: 'cat',
  fiancée: 'fiance',
  fiancé: 'fiance',
  fiancee: 'fiance',
  neighbour: 'neighbor',
  coworker: 'colleague',
};

function relation(groups: Groups): string | undefined {
  const who = groups.who?.toLowerCase();
  if (who === undefined) return undefined;
  const word = translated[who] ?? who.replaceAll(' ', '_');
  return word.startsWith('pet:') ? `pet_${word.slice(4)}` : `relation_${word}`;
}

/** "My sister Eva lives abroad": a name between the relation and its verb. */
function named(groups: Groups, object: string): string | undefined {
  return /^\p{Lu}\p{Ll}+$/u.test(object) ? relation(groups) : undefined;
}

function pet(groups: Groups): string | undefined {
  const which = groups.pet?.toLowerCase();
  return which === undefined ? undefined : `pet_${translated[which] ?? which}`;
}

function family(_: Groups, object: string): string | undefined {
  return /^no\s|(?:issue|problem|question|name|birthday|'s)/iu.test(object) ? undefined : 'family';
}
