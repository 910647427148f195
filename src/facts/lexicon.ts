const list = (words: string): Set<string> => new Set(words.split(' '));

/** Adjectives that say what somebody is, not how they feel today. */
const lasting = list(
  'vegetarian vegan pescatarian married single divorced widowed engaged retired unemployed self-employed pregnant left-handed right-handed ambidextrous colour-blind color-blind colorblind blind deaf diabetic autistic dyslexic celiac coeliac asthmatic gay lesbian bisexual trans transgender non-binary nonbinary queer straight jewish muslim christian catholic protestant hindu buddhist atheist agnostic bilingual trilingual lactose-intolerant gluten-free introverted extroverted nearsighted short-sighted american british english scottish irish welsh canadian mexican brazilian argentinian argentine chilean colombian peruvian cuban german austrian swiss french italian spanish portuguese dutch belgian danish swedish norwegian finnish icelandic polish czech slovak hungarian romanian bulgarian greek turkish russian ukrainian belarusian lithuanian latvian estonian serbian croatian slovenian bosnian albanian georgian armenian israeli palestinian lebanese syrian egyptian moroccan tunisian algerian nigerian ghanaian kenyan ethiopian indian pakistani bangladeshi nepali chinese taiwanese japanese korean vietnamese thai indonesian malaysian filipino singaporean australian iranian iraqi',
);

export function isLasting(text: string): boolean {
  const word = text.toLowerCase();
  return (
    lasting.has(word) || word === 'lactose intolerant' || word === 'gluten intolerant' || word === 'hard of hearing'
  );
}

const occupations = list(
  'nurse chef cook doctor student lawyer scientist cto ceo cfo coo cmo cio vp analyst architect artist pilot coach clerk intern judge barista surgeon vet freelancer entrepreneur professor paralegal realtor journalist lead head director dev swe consultant apprentice postdoc founder co-founder secretary mechanic vicar priest nun monk midwife au-pair model athlete soldier officer captain detective poet novelist sre devops sysadmin dba tutor trainee undergraduate handyman boss supervisor',
);
const trade =
  /(?:\p{L}{2}(?:er|eer|or|ist|wright|smith|keeper|man|woman)|(?:ic|tr|in|ar|et)ian|consultant|accountant|assistant|attendant|sergeant|superintendent|agent|president|resident)$/iu;
const notTrade = list(
  'lover beginner member teenager user owner father mother brother sister daughter parent widower speaker believer supporter learner eater drinker smoker newcomer loner hiker runner gamer swimmer walker number matter sufferer survivor outsider insider fighter sleeper riser winner loser reader listener customer subscriber prisoner stranger foreigner newbie human minor neighbor hoarder collector optimist pessimist perfectionist feminist communist socialist minimalist pacifist nudist activist vegetarian carnivore christian enthusiast commuter woman man pedestrian sucker shopper dreamer thinker eater picky follower',
);

/** The head of a phrase names a trade: "high school teacher", "head of marketing", "PhD student". */
export function isOccupation(text: string): boolean {
  const head =
    text
      .toLowerCase()
      .split(/\s+(?:of|at|for)\s+/)[0]
      ?.split(/\s+/)
      .at(-1) ?? '';
  if (notTrade.has(head)) return false;
  return occupations.has(head) || trade.test(head);
}

const owned: readonly (readonly [item: string, words: string])[] = [
  ['guitar', 'guitars?|gibson|fender|stratocaster|telecaster|les paul|gitarre|guitare|guitarra|гітар\\p{L}*|吉他'],
  ['piano', 'pianos?|klavier|піаніно|钢琴'],
  ['violin', 'violins?|geige|violon|violín|скрипк\\p{L}*|小提琴'],
  ['motorcycle', 'motorcycles?|motorbikes?|moped|motorrad|moto|мотоцикл\\p{L}*|摩托车'],
  ['bicycle', 'bicycles?|bikes?|e-bikes?|fahrrad|vélo|bicicleta|bici|велосипед\\p{L}*|自行车'],
  [
    'car',
    'cars?|toyota|honda|tesla|bmw|audi|volvo|ford|volkswagen|vw|mazda|subaru|nissan|hyundai|kia|skoda|renault|peugeot|fiat|porsche|mercedes|minivan|auto|voiture|coche|carro|машин[ау]|авто|автомобіль|汽车|车',
  ],
  ['truck', 'trucks?|pickup truck|vans?|campervan'],
  ['boat', 'boats?|sailboat|kayaks?|canoe|yacht|boot|bateau|barco'],
  ['laptop', 'laptops?|macbook|thinkpad|chromebook|portátil|ноутбук|笔记本电脑?'],
  ['computer', "computers?|gaming pc|pc|desktop|raspberry pi|imac|ordinateur|ordenador|комп'ютер|电脑"],
  ['tablet', 'tablets?|ipad'],
  ['phone', 'phones?|iphone|smartphone|pixel \\d|galaxy s\\d+|handy|téléphone|teléfono|телефон|手机'],
  ['camera', 'cameras?|canon|nikon|leica|fujifilm|kamera|appareil photo|cámara|камер[ау]|相机'],
  ['watch', 'wristwatch|apple watch|smartwatch|rolex'],
  ['house', 'house|cottage|cabin|haus|maison|casa|будинок|房子'],
  ['apartment', 'apartment|flat|condo|wohnung|appartement|piso|apartamento|квартир[ау]|公寓'],
  [
    'dog',
    'dogs?|pupp(?:y|ies)|labrador|poodle|golden retriever|dachshund|beagle|corgi|border collie|hund|hunde|hündin|chiens?|chienne|perr[oa]s?|соба[кч]\\p{L}*|пес|пса|цуценя|狗',
  ],
  ['cat', 'cats?|kittens?|katzen?|kater|chats?|chatte|gat[oa]s?|кіт|кота|кішк\\p{L}*|кошеня|猫'],
  ['rabbit', 'rabbits?|bunny|kaninchen|lapin|conejo|кролик\\p{L}*|兔子'],
  ['horse', 'horses?|pony|pferd|cheval|caballo|кінь|马'],
  ['bird', 'parrots?|parakeet|canary|budgie|papagei|perroquet|loro|папуг\\p{L}*|鹦鹉'],
  ['hamster', 'hamsters?|guinea pigs?'],
  ['printer', '3d printer|laser printer'],
  ['telescope', 'telescopes?'],
  ['drone', 'drones?'],
  ['tv', 'tv|television'],
  ['console', 'playstation|ps5|xbox|nintendo switch|steam deck'],
];
const ownedPatterns = owned.map(([item, words]) => ({
  item,
  pattern: new RegExp(`(?<!\\p{L})(?:${words.replace(/[\u4e00-\u9fff]+/g, '$&')})(?!\\p{L})`, 'iu'),
}));
const ownedHan = owned.flatMap(([item, words]) =>
  words
    .split('|')
    .filter((word) => /\p{sc=Han}/u.test(word))
    .map((word) => ({ item, pattern: new RegExp(word, 'u') })),
);

/** Words behind an item that make it something else: a "car accident" is no car. */
const notOwned =
  /^\s+(?:accident|crash|issue|problem|question|error|allergy|appointment|insurance|show|ride|lesson|trip|loan|payment|bug|number|call|interview|fair|wash|wreck|charger|plan|in mind)/iu;

/** In English the last noun is the thing: a "dog bed" is no dog, a "Honda Civic" is a Honda. */
function isPartOfOther(text: string, end: number): boolean {
  const behind = text.slice(end);
  if (notOwned.test(behind)) return true;
  return (
    /^(?:an?|one|two|three|my|some|several)\s/iu.test(text) &&
    /^\s+(?!named|called|worth|together|too|now)\p{Ll}/u.test(behind)
  );
}

/** What kind of possession a phrase names, if it is one we know. */
export function ownedItem(phrase: string): string | undefined {
  // The head of the phrase decides: "a calendar on my phone" is a calendar.
  const text =
    phrase
      .replace(/^an? (?:pair|couple) of\s+/iu, '')
      .split(/\s(?:on|in|for|with|of|from|about|that|to|at|by)\s/iu)[0] ?? '';
  const found = (/\p{sc=Han}/u.test(text) ? ownedHan : ownedPatterns).flatMap(({ item, pattern }) => {
    const match = pattern.exec(text);
    return match === null || isPartOfOther(text, match.index + match[0].length) ? [] : [{ item, at: match.index }];
  });
  // "a house with a piano": the first one named is the thing itself, what comes with it follows.
  return found.sort((one, other) => one.at - other.at)[0]?.item;
}

const favouriteWords: Record<string, string> = {
  colour: 'color',
  farbe: 'color',
  couleur: 'color',
  color: 'color',
  колір: 'color',
  颜色: 'color',
  flavour: 'flavor',
  essen: 'food',
  speise: 'food',
  gericht: 'food',
  plat: 'food',
  nourriture: 'food',
  comida: 'food',
  plato: 'food',
  страва: 'food',
  їжа: 'food',
  食物: 'food',
  菜: 'food',
  film: 'movie',
  movie: 'movie',
  película: 'movie',
  фільм: 'movie',
  电影: 'movie',
  buch: 'book',
  livre: 'book',
  libro: 'book',
  книга: 'book',
  书: 'book',
  lied: 'song',
  chanson: 'song',
  canción: 'song',
  пісня: 'song',
  歌: 'song',
  tier: 'animal',
  animal: 'animal',
  тварина: 'animal',
  动物: 'animal',
  stadt: 'city',
  ville: 'city',
  ciudad: 'city',
  місто: 'city',
  城市: 'city',
  sportart: 'sport',
  deporte: 'sport',
  спорт: 'sport',
  运动: 'sport',
  getränk: 'drink',
  boisson: 'drink',
  bebida: 'drink',
  напій: 'drink',
  饮料: 'drink',
  jahreszeit: 'season',
  saison: 'season',
  estación: 'season',
  季节: 'season',
  autor: 'author',
  schriftsteller: 'author',
  auteur: 'author',
  автор: 'author',
  作家: 'author',
};

/** `favorite_color` for "colour", "Farbe" or "颜色": the same predicate in every language. */
export function favouritePredicate(name: string): string | undefined {
  const words = name
    .toLowerCase()
    .replace(/(?<!\p{L})(?:all[- ]time|new|current|absolute|personal|own|single|most)(?!\p{L})/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > 4) return undefined;
  if (words.some((word) => /^(?:part|thing|one|ones|bit|way)$/.test(word))) return undefined;
  return `favorite_${words.map((word) => favouriteWords[word] ?? word).join('_')}`;
}
