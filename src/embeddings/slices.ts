/** Cuts a long text at white space or, where a whole slice has none, between two characters: work in bounded steps. */
export function* slices(text: string): Generator<string, void, void> {
  let begin = 0;
  while (text.length - begin > sliceLength) {
    let end = begin + sliceLength;
    while (end > begin && !whiteSpace.test(text.charAt(end))) end--;
    if (end === begin) end = begin + sliceLength - (isLeadSurrogate(text, begin + sliceLength - 1) ? 1 : 0);
    yield text.slice(begin, end);
    begin = end;
  }
  yield text.slice(begin);
}

function isLeadSurrogate(text: string, position: number): boolean {
  return (text.charCodeAt(position) & 0xfc00) === 0xd800;
}

const sliceLength = 4096;
const whiteSpace = /\s/;
