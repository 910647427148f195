/** How a value is read: decides its display form and what counts as the same value. */
export type ValueForm = 'text' | 'name' | 'date' | 'number';

export interface PredicateKind {
  /** The predicate, or the prefix of a family of predicates: `owns_` covers `owns_car` and so on. */
  predicate: string;
  open?: true;
  /** One: a newer value replaces the older. Many: values add up. */
  values: 'one' | 'many';
  form: ValueForm;
  /** A statement about the same value under this predicate ends this one. */
  rival?: string;
  /** A value stated together with a value of this predicate ends with it: a position ends with its employer. */
  within?: string;
  /** No question maps to this predicate directly; such questions are answered from the messages that state it. */
  unrouted?: true;
  meaning: string;
}

/** All predicates. A full name comes before the family whose prefix it matches. */
export const predicateKinds: readonly PredicateKind[] = [
  one('profile_name', 'name', 'what the user is called'),
  one('profile_surname', 'name', 'family name'),
  one('profile_nickname', 'name', 'how the user wants to be called'),
  one('profile_email', 'text', 'email address'),
  one('profile_location', 'text', 'where the user lives'),
  one('profile_origin', 'text', 'where the user is from'),
  { ...one('profile_role', 'text', 'occupation or position'), within: 'profile_employer' },
  one('profile_employer', 'text', 'company or organisation the user works for'),
  one('profile_birthday', 'date', 'birthday'),
  one('profile_birth_year', 'number', 'year of birth'),
  one('profile_age', 'number', 'age when it was said'),
  many('profile_identity', 'text', 'what the user is: vegetarian, married, German, a morning person'),
  many('profile_condition', 'text', 'health condition'),
  many('allergic_to', 'text', 'allergy'),
  many('family', 'text', 'relatives: two kids, a younger sister'),
  ...['wife', 'husband', 'spouse', 'partner', 'girlfriend', 'boyfriend', 'fiance', 'mother', 'father'].map(relation),
  ...['mom', 'mum', 'dad', 'boss', 'manager', 'landlord', 'best_friend', 'doctor', 'therapist'].map(relation),
  { ...many('relation_', 'name', 'name of a relative, friend or colleague: relation_sister'), open: true },
  { ...many('pet_', 'name', 'name of a pet: pet_dog'), open: true },
  { ...one('date_', 'date', 'a day that matters: date_anniversary'), open: true },
  { ...many('owns_', 'text', 'possession: owns_car, owns_guitar; owns_item for anything else'), open: true },
  { ...one('favorite_', 'text', 'favourite of a kind: favorite_color'), open: true },
  { ...many('likes', 'text', 'what the user likes'), rival: 'dislikes' },
  { ...many('dislikes', 'text', 'what the user dislikes'), rival: 'likes' },
  many('prefers', 'text', 'preference'),
  many('habit', 'text', 'what the user always, usually or never does'),
  many('speaks', 'text', 'language the user speaks'),
  one('native_language', 'text', 'mother tongue'),
  many('knows', 'text', 'skill'),
  many('plays', 'text', 'instrument, sport or game'),
  many('learning', 'text', 'what the user is learning'),
  many('studied', 'text', 'subject or place of study'),
  many('plans', 'text', 'plan'),
  many('goal', 'text', 'goal'),
  many('decision', 'text', 'decision of the user, or of a project'),
  one('creator', 'name', 'who made a project'),
  one('command_name', 'text', 'command of a project'),
  one('project_name', 'text', 'name of a project'),
  one('deadline', 'date', 'deadline of a project'),
  one('launch_date', 'date', 'launch date of a project'),
  many('uses', 'text', 'tool or technology of a project'),
  ...[
    one('known_as', 'name', 'what a relative, friend, pet or colleague of the user is called'),
    many('relationship', 'text', 'relation of a person to the user: brother in law, boss'),
    one('breed', 'text', 'species or breed of a pet'),
    many('takes', 'text', 'medication'),
    one('dose', 'text', 'dose of a medication'),
    many('diet', 'text', 'what a person eats, or does not'),
    many('hobby', 'text', 'hobby'),
    many('home', 'text', 'flat, house or garden'),
    many('measurement', 'text', 'weight, height, size or time'),
    many('schedule', 'text', 'what comes again on certain days or at certain hours'),
    many('appointment', 'text', 'appointment'),
    many('event', 'text', 'something that takes or took place'),
    many('trip', 'text', 'trip'),
    many('price', 'text', 'what something costs, or cost'),
    many('subscription', 'text', 'subscription'),
    many('membership', 'text', 'club, gym or group'),
    many('works_on', 'text', 'project a person works on'),
    many('due', 'text', 'when something is due'),
    many('contact', 'text', 'someone a person deals with: dentist, landlord'),
    many('detail', 'text', 'anything else worth keeping'),
  ].map((kind): PredicateKind => ({ ...kind, unrouted: true })),
  many('recurring_topic', 'text', 'topic of at least two conversations (inferred)'),
];

/** `indexing_strategy`, `caching_strategy` …: matched by suffix instead of prefix. */
const strategy = one('_strategy', 'text', 'strategy of a project: indexing_strategy');

/** Undefined for an unknown predicate. */
export function kindOf(predicate: string): PredicateKind | undefined {
  const exact = byName.get(predicate);
  if (exact !== undefined) return exact;
  if (predicate.endsWith('_strategy')) return { ...strategy, predicate };
  return families.find((kind) => predicate.startsWith(kind.predicate) && predicate !== kind.predicate);
}

/** The predicates whose facts are judged together with this one. */
export function judgedWith(predicate: string): string[] {
  const { rival, within } = kindOf(predicate) ?? {};
  const holds = predicateKinds.find((kind) => kind.within === predicate)?.predicate;
  return [predicate, rival, within, holds].filter((each) => each !== undefined).sort();
}

function one(predicate: string, form: ValueForm, meaning: string): PredicateKind {
  return { predicate, values: 'one', form, meaning };
}

function many(predicate: string, form: ValueForm, meaning: string): PredicateKind {
  return { predicate, values: 'many', form, meaning };
}

function relation(who: string): PredicateKind {
  return one(`relation_${who}`, 'name', `name of the user's ${who.replace('_', ' ')}`);
}

const families = predicateKinds.filter((kind) => kind.open);
const byName = new Map(predicateKinds.filter((kind) => !kind.open).map((kind) => [kind.predicate, kind]));
