import type { GateWords } from '../language/fact-words.js';
import { alternatives, derived, wholeWords } from '../language/languages.js';

/** A clause with this before it in its sentence is no statement. */
export function isGated(before: string): boolean {
  const { supposing, reporting, instructing } = patterns();
  return supposing.test(before) || reporting.test(before) || instructing.test(before);
}

/** "I own a car if I win": what follows takes the statement back. "If that matters" does not. */
export function isConditional(behind: string): boolean {
  const { condition, politeCondition } = patterns();
  return condition.test(behind) && !politeCondition.test(behind);
}

/** Where the message stops being the speaker's own words ("Translate this: …"); its length when it never does. */
export function ownWords(message: string): number {
  const match = patterns().material.exec(message);
  return match === null ? message.length : match[0].length;
}

const patterns = derived(() => {
  const any = (part: keyof GateWords): string => alternatives(({ facts }) => facts?.gates?.[part]);
  const whole = (part: keyof GateWords): RegExp =>
    new RegExp(
      wholeWords(({ facts }) => facts?.gates?.[part]),
      'iu',
    );
  return {
    supposing: whole('supposing'),
    reporting: whole('reporting'),
    instructing: new RegExp(`(?<!\\p{L})(?:${any('instructing')})(?!\\p{L})`, 'iu'),
    condition: whole('condition'),
    politeCondition: new RegExp(any('politeCondition'), 'iu'),
    material: new RegExp(
      `^\\s*(?:(?:${any('materialLead')}) )*(?:${any('material')})(?!\\p{L})[^\\n]{0,200}?[:：]`,
      'iu',
    ),
  };
});
