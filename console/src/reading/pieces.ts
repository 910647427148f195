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
  /** Characters of the piece outside of code, which is not parsed further. */
  let written = 0;
  const close = (): void => {
    if (piece !== '') pieces.push({ text: piece, plain: written > most || piece.length > most * 4 });
    piece = '';
    written = 0;
  };
  let fence: string | undefined;
  let block = '';
  let writtenInBlock = 0;
  const keep = (): void => {
    if (piece.length + block.length > most) close();
    piece += block;
    written += writtenInBlock;
    block = '';
    writtenInBlock = 0;
  };
  for (const line of text.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    block += line;
    if (fence === undefined) writtenInBlock += line.length;
    if (fence === undefined && line.trim() === '') keep();
  }
  keep();
  close();
  return pieces;
}
