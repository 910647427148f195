import type { Cut } from './ellipsis.js';

/**
 * "I no longer live in Paris but in Lyon", "ich wohne nicht in Berlin, sondern in Köln": behind the conjunction speaker and
 * verb are understood, without the negation between them. Where the value itself is negated ("not Berlin but Hamburg"),
 * `contrast.ts` reads both.
 */
const shapes: readonly RegExp[] = [
  /(?<!\p{L})(?<who>i|we) (?:no longer|don't|do not) (?<verb>\p{L}{1,20})(?: [^.;:]{1,80}?)(?<joint>,? but (?:now |rather )?)(?=(?:in|at|for|as|near) )/diu,
  /(?<!\p{L})(?<who>i'm|i am|we're|we are) (?:no longer|not) [^.;:]{1,80}?(?<joint>,? but (?:now |rather )?)(?=(?:in|at|from|based in) )/diu,
  /(?<!\p{L})(?<who>ich|wir) (?<verb>\p{L}{1,20}) [^.;:]{0,40}?nicht(?: mehr)? [^.;:]{1,80}?(?<joint>,? sondern (?:jetzt |nun )?)(?=(?:in|im|bei|beim|als|für|aus|auf) )/diu,
  /(?<!\p{L})(?<who>je) ne (?<verb>\p{L}{1,20}) (?:plus|pas) [^.;:]{1,80}?(?<joint>,? mais (?:maintenant |désormais )?)(?=(?:à|en|au|aux|chez|comme|pour|de|du) )/diu,
  /(?<!\p{L})(?<who>j)e n(?<verb>'\p{L}{1,20}) (?:plus|pas) [^.;:]{1,80}?(?<joint>,? mais (?:maintenant |désormais )?)(?=(?:à|en|au|aux|chez|comme|pour|de|du) )/diu,
  /(?<!\p{L})no (?<verb>(?:me )?\p{L}{1,20}) [^.;:]{1,80}?(?<joint>,? sino (?:ahora )?)(?=(?:en|para|como|de|a) )/diu,
  /(?<!\p{L})(?<who>я|ми) (?:більше |вже |уже )?не (?<verb>\p{L}{1,20}) [^.;:]{1,80}?(?<joint>, а (?:тепер |зараз )?)(?=(?:в|у|на|для|з|із) )/diu,
];

/** A cheap look before. */
const anyJoint = /\s(?:but|sondern|mais|sino|а)\s/iu;

export function insteadIn(text: string): Cut[] {
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
