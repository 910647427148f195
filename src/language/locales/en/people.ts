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
