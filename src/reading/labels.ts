/**
 * The label sets of the tagger, in the order of its output columns. `models/train/reader/labels.py` has the same lists.
 */
export const relations = [
  'name',
  'relationship',
  'job',
  'employer',
  'location',
  'origin',
  'partner',
  'family',
  'age',
  'birthday',
  'pet',
  'species_breed',
  'allergy',
  'condition',
  'medication',
  'dose',
  'diet',
  'like',
  'dislike',
  'favourite',
  'hobby',
  'sport',
  'instrument',
  'language',
  'education',
  'skill',
  'tool',
  'device',
  'vehicle',
  'home',
  'possession',
  'measurement',
  'schedule',
  'appointment',
  'event',
  'trip',
  'plan',
  'goal',
  'price',
  'subscription',
  'membership',
  'religion',
  'nationality',
  'habit',
  'project',
  'deadline',
  'contact',
  'other',
] as const;

export const states = ['holds', 'ended', 'planned', 'past', 'negated', 'hypothetical'] as const;

export type Relation = (typeof relations)[number];
export type State = (typeof states)[number];

/** The first column of each head in a row of the encoder's outputs. */
export const columns = {
  start: 0,
  end: 1,
  relevance: 2,
  /** Relevance, computed from the lower layers alone. */
  quick: 3,
  tags: 4,
  states: 5 + 2 * relations.length,
  others: 5 + 2 * relations.length + states.length,
  subjects: 6 + 2 * relations.length + states.length,
  polarity: 9 + 2 * relations.length + states.length,
} as const;
