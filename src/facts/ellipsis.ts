import { alternatives, derived } from '../language/languages.js';

/** Where a clause begins that leaves out what it shares with the one before, and what is understood there. */
export interface Cut {
  at: number;
  to: number;
  put: string;
}

/** "I live in Vienna and work at Bosch" leaves out "I", "I am vegetarian and allergic to nuts" leaves out "I am". */
export function ellipsesIn(text: string): Cut[] {
  if (!patterns().anyJoint.test(text)) return [];
  const found = patterns().shapes.flatMap(({ speaker, joint: shape, put, unless }) => {
    if (!speaker.test(text)) return [];
    return [...text.matchAll(shape)]
      .filter(({ index }) => unless?.test(text.slice(0, index)) !== true)
      .map((match) => ({ at: match.index, to: match.index + match[0].length, put }));
  });
  return [...found, ...traitsIn(text)];
}

const patterns = derived((languages) => {
  const traits = languages.flatMap(({ facts }) => facts?.clauses?.traits ?? []);
  const any = (part: 'lead' | 'and' | 'joint'): string => traits.map((each) => each[part]).join('|') || '(?!)';
  return {
    shapes: languages.flatMap(({ facts }) => facts?.clauses?.ellipses ?? []),
    // A cheap look before.
    anyJoint: new RegExp(`,|\\s(?:${alternatives(({ facts }) => facts?.clauses?.ellipsisJoint)})\\s`, 'iu'),
    being: new RegExp(`^(?:.{0,40}[\\s,])?(?<lead>${any('lead')})\\s+(?<traits>[^.;:!?]{3,80})`, 'diu'),
    between: new RegExp(`,\\s*(?:(?:${any('and')})\\s+)?|\\s+(?:${any('joint')})\\s+`, 'giu'),
    traits: traits.map(({ lead, isTrait }) => ({ lead: new RegExp(`^(?:${lead})$`, 'iu'), isTrait })),
  };
});

/** "I'm 34, married and from Graz": each says what one is, as long as each is one. */
function traitsIn(text: string): Cut[] {
  const { being, between, traits: rows } = patterns();
  const match = being.exec(text);
  const from = match?.indices?.groups?.traits?.[0];
  const { lead, traits } = match?.groups ?? {};
  if (from === undefined || lead === undefined || traits === undefined) return [];
  const row = rows.find((each) => each.lead.test(lead));
  const isTrait = row?.isTrait ?? ((part: string): boolean => /^\p{L}+$/u.test(part) && part.length > 2);
  const cuts: Cut[] = [];
  let start = 0;
  for (const joint of traits.matchAll(between)) {
    if (!isTrait(traits.slice(start, joint.index).trim())) return cuts;
    start = joint.index + joint[0].length;
    const next = traits.slice(start).split(between)[0]?.trim() ?? '';
    if (!isTrait(next)) return cuts;
    cuts.push({ at: from + joint.index, to: from + start, put: `${lead} ` });
  }
  return cuts;
}
