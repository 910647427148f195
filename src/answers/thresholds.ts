/**
 * What makes an answer, in one place. Round numbers chosen by what they mean and looked at on two labelled suites, never
 * fitted question by question; docs/ask.md shows what they give.
 */
export const thresholds = {
  /** Below: not found. A fifth of what was asked for is about what any two texts of one store share. */
  found: 0.2,
  /** How close a passage without any word of the question must be: likeness alone also finds what is merely alike. */
  wordless: 0.6,
  /** From here on an answer is more likely right than not. */
  medium: 0.4,
  /** Most of the question's words in one turn, or a turn the model finds far closer than the rest. */
  high: 0.65,
  /** A second or third passage joins the answer when it is nearly as relevant as the first. */
  contender: 0.7,
  /** Beside a sure one it must be all the closer. */
  sureContender: 0.85,
  /** A list wants more, so less is enough. */
  listContender: 0.6,
  /** Words in a sentence; with less of the question in it, a reply is shown with the turn it replies to. */
  selfContained: 0.3,
  /** With fewer candidates than this there is no background to stand out from. */
  background: 8,
  /** The similarity of two unrelated texts, where the store is too small to tell. */
  unrelated: 0.15,
  /** Characters on either side of a quote that count as its surroundings. */
  beside: 200,
  /** How many passages an answer quotes at most. */
  passages: 3,
  /** Characters of one quoted sentence; longer ones are cut around what was asked for. */
  sentence: 320,
} as const;
