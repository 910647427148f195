/** Counts and splits text into tokens; offsets are UTF-16 positions in the text, so that a window is a plain slice. */
export interface Tokenizer {
  /** What is really used: an encoding name such as `cl100k_base`, or `heuristic`. */
  readonly name: string;
  count(text: string): number;
  /** Windows of at most `size` tokens, each starting `size - overlap` tokens after the last; never empty for non-empty text. */
  windows(text: string, options: { size: number; overlap: number }): { start: number; end: number }[];
}
