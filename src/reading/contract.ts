/** A message as the reader sees it: speaker and text. */
export interface Said {
  speaker: string;
  text: string;
}

/** A message to read, with its neighbours where there are any. */
export interface Window {
  message: Said;
  before?: Said;
  after?: Said;
}

/** The reader's output for one window and one question. */
export interface Reading {
  /** How likely the window answers the question, as a logit. */
  relevance: number;
  /** Yes or no, as the logit of yes; meaningful only for yes-or-no questions. */
  polarity: number;
  /** The words of the message that answer best; absent where the message itself contains no answer. */
  span?: { start: number; end: number; score: number };
}

/** A window that was ranked, and read when it was chosen. */
export interface RankedReading {
  /** How likely it answers, as a logit, by the lower half of the model: nearly the same order at half the cost. */
  rank: number;
  reading?: Reading;
}

/** A fact as the tagger reads it in a message; positions are offsets into the text. */
export interface TaggedFact {
  relation: Relation;
  state: State;
  value: { start: number; end: number };
  /** The words that name the subject; absent for the speaker. */
  subject?: { start: number; end: number };
  /** About someone other than the speaker, whether or not the words for them were found. */
  isAboutOther: boolean;
  /** 0 to 1: the confidence of its least certain part. */
  confidence: number;
}

export interface Reader {
  /** Starts what the first request would otherwise wait for. */
  prepare(): void;
  /** One reading for each window. Takes priority over messages to tag. */
  read(question: string, windows: readonly Window[], options?: { signal?: AbortSignal }): Promise<Reading[]>;
  /**
   * Ranks all windows by the lower half of the model and reads those whose indexes `choose` picks from the scores. Cheaper
   * than `read`, because reading continues from the ranking's layers. Other windows have no reading.
   */
  readChosen(
    question: string,
    windows: readonly Window[],
    choose: (scores: readonly number[]) => readonly number[],
    options?: { signal?: AbortSignal },
  ): Promise<RankedReading[]>;
  tag(message: string, before: string): Promise<TaggedFact[]>;
  /** The vector of a question, for comparison with message vectors. Takes priority over messages. */
  questionVector(question: string, options?: { signal?: AbortSignal }): Promise<Int8Array>;
  /** The vectors of messages, each read together with the one before it. */
  messageVectors(messages: readonly Omit<Window, 'after'>[]): Promise<Int8Array[]>;
  close(): Promise<void>;
}

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

type Relation = (typeof relations)[number];
type State = (typeof states)[number];

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
