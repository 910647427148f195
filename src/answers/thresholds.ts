/**
 * The thresholds for answers. Round numbers, chosen by their meaning and checked on two labelled suites, never tuned to
 * single questions; docs/ask.md shows the results.
 */
export const thresholds = {
  /** Below this, the answer is "not found". Any two texts of one store share about a fifth of a question. */
  found: 0.2,
  /**
   * Minimum closeness of a passage that contains none of the question's words: similarity alone also finds unrelated
   * text.
   */
  wordless: 0.6,
  /** From here on an answer is more likely right than not. */
  medium: 0.4,
  /** Most of the question's words in one turn, or a turn the model finds far closer than the rest. */
  high: 0.65,
  /** A second or third passage joins the answer when it is nearly as relevant as the first. */
  contender: 0.7,
  /** Beside a confident first passage, a second one must be closer. */
  sureContender: 0.85,
  /** A question for a list needs more passages, so the bar is lower. */
  listContender: 0.6,
  /** Minimum coverage of a reply; below it, the reply is shown with the turn it answers. */
  selfContained: 0.3,
  /** With fewer candidates than this, there is no background to compare with. */
  background: 8,
  /** The assumed similarity of two unrelated texts, where the store is too small to measure it. */
  unrelated: 0.15,
  /** Characters on either side of a quote that count as its surroundings. */
  beside: 200,
  /** The maximum number of passages in an answer. */
  passages: 3,
  /** Maximum characters of a quoted sentence; longer ones are cut around the question's words. */
  sentence: 320,
} as const;
