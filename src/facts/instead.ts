import { alternatives, derived } from '../language/languages.js';
import type { Cut } from './ellipsis.js';

/**
 * "I no longer live in Paris but in Lyon": behind the conjunction speaker and verb are understood, without the negation
 * between them. Where the value itself is negated ("not Berlin but Hamburg"), `contrast.ts` reads both.
 */
export function insteadIn(text: string): Cut[] {
  const { shapes, anyJoint } = patterns();
  if (!anyJoint.test(text)) return [];
  return shapes.flatMap((shape) => {
    const match = shape.exec(text);
    const place = match?.indices?.groups?.joint;
    if (match === null || place === undefined) return [];
    const { who = '', verb = '' } = match.groups ?? {};
    const understood = verb.startsWith("'") || who === '' || verb === '' ? who + verb : `${who} ${verb}`;
    return [{ at: place[0], to: place[1], put: `${understood} ` }];
  });
}

const patterns = derived((languages) => ({
  shapes: languages.flatMap(({ facts }) => facts?.clauses?.instead ?? []),
  // A cheap look before.
  anyJoint: new RegExp(`\\s(?:${alternatives(({ facts }) => facts?.clauses?.contrast?.but)})\\s`, 'iu'),
}));
