export interface Piece {
  text: string;
  /** Too long without a break to be parsed. */
  plain: boolean;
}

/** The most text parsed at once: Markdown parsers can take more than linear time, and the page must never freeze. */
const most = 16_000;

/** A long text in parts that begin after a blank line outside of code, so that each can be read on its own. */
export function piecesOf(text: string): Piece[] {
  if (text.length <= most) return [{ text, plain: false }];
  const pieces: Piece[] = [];
  let piece = '';
  const close = (): void => {
    if (piece !== '') pieces.push({ text: piece, plain: piece.length > most * 4 });
    piece = '';
  };
  let fence: string | undefined;
  let block = '';
  const keep = (): void => {
    if (piece.length + block.length > most) close();
    piece += block;
    block = '';
  };
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    block += line;
    if (fence === undefined && line.trim() === '') keep();
  }
  keep();
  close();
  return pieces;
}
