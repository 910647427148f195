/** Counts and splits text into tokens; offsets are UTF-16 positions in the text, so that a window is a plain slice. */
export interface Tokenizer {
  /** The tokenizer in use: an encoding name such as `cl100k_base`, or `heuristic`. */
  readonly name: string;
  count(text: string): number;
  /**
   * Windows of at most `size` tokens, each starting `size - overlap` tokens after the previous one. Non-empty text
   * gives at least one.
   */
  windows(text: string, options: { size: number; overlap: number }): { start: number; end: number }[];
}
