import { sentencesOf } from '../answers/quote.js';

/** Splits a streamed answer into whole sentences with their citations. */
export interface SentenceReader {
  /** The sentences completed by this text. */
  push(text: string): string[];
  /** The remaining sentences at the end of the answer. */
  end(): string[];
}

/** A longer line without an end is not a sentence and is dropped. */
const longestSentence = 4_000;

export function createSentenceReader(): SentenceReader {
  let rest = '';
  /** Thinking models write their reasoning first, between these tags; it is not part of the answer. */
  let thinking: 'perhaps' | 'yes' | 'no' = 'perhaps';

  function withoutThoughts(): void {
    if (thinking === 'perhaps') {
      const begin = rest.trimStart();
      // Blanks before the first word are dropped: kept, they would be looked through again with every piece.
      if (begin === '') rest = '';
      if (begin.startsWith(opens)) thinking = 'yes';
      else if (!opens.startsWith(begin)) thinking = 'no';
    }
    if (thinking !== 'yes') return;
    const end = rest.indexOf(closes);
    if (end < 0) rest = `${opens}${rest.slice(-closes.length)}`;
    else {
      rest = rest.slice(end + closes.length);
      thinking = 'no';
    }
  }

  return {
    push(text) {
      rest += text;
      withoutThoughts();
      if (thinking !== 'no') return [];
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      const complete = lines.flatMap(sentencesIn);
      if (rest.length > longestSentence) rest = '';
      const begun = sentencesOf(rest);
      const last = begun.length > 1 ? begun.at(-1) : undefined;
      if (last === undefined) return complete;
      // A sentence is complete once the next has begun; brackets after the full stop are still its citations.
      const cited = leadingCitations.exec(last.text)?.[0].length ?? 0;
      if (/^(?:\[|$)/.test(last.text.slice(cited))) return complete;
      const next = last.start + cited;
      complete.push(...sentencesIn(rest.slice(0, next)));
      rest = rest.slice(next);
      return complete;
    },
    end() {
      const left = thinking === 'yes' ? [] : sentencesIn(rest);
      rest = '';
      return left;
    },
  };
}

const opens = '<think>';
const closes = '</think>';

const citation = /\[\s*\d{1,4}(?:\s*,\s*\d{1,4})*\s*\]/g;
const leadingCitations = /^(?:\[\s*\d{1,4}(?:\s*,\s*\d{1,4})*\s*\][\s,;]*)+[.。]?\s*/;
const listMark = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/;

/** The ids that a sentence cites, each once. */
export function citedIn(sentence: string): number[] {
  const ids = (sentence.match(citation) ?? []).flatMap((mark) => mark.match(/\d+/g) ?? []).map(Number);
  return [...new Set(ids)];
}

export function withoutCitations(sentence: string): string {
  return sentence
    .replace(citation, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?。])/gu, '$1')
    .trim();
}

/** The sentences of one line. A citation after the full stop belongs to the sentence before it. */
function sentencesIn(line: string): string[] {
  const found: string[] = [];
  for (const { text } of sentencesOf(line.replace(listMark, ''))) {
    const leading = leadingCitations.exec(text)?.[0] ?? '';
    const before = found.at(-1);
    const own = before === undefined ? text : text.slice(leading.length);
    if (before !== undefined && leading !== '') found[found.length - 1] = `${before} ${leading.trim()}`;
    if (own !== '') found.push(own);
  }
  return found;
}
