const no = 'not|no longer|nicht(?: mehr)?|kein(?:e[mnrs]?)?|pas|plus|no|ya no|не|більше не';
const butNot = new RegExp(
  `^(?<said>.+?)(?:,| -| –)?\\s+(?:and |but |et |y )?(?:${no}|et non|а не)\\s+(?:in |at |for |bei |à |en |chez |у |в )?(?<not>.+)$`,
  'iu',
);
const notBut = new RegExp(
  `^(?:${no})\\s+(?!(?:only|just|nur|seulement|s[oó]lo|тільки|лише)\\s)(?<not>.+?)(?:\\smehr)?,?\\s+(?:but|sondern|mais|sino|а)\\s+(?:in |at |rather )?(?<said>.+)$`,
  'iu',
);
const denies = new RegExp(`,\\s*(?:${no}|et non|а не)\\s`, 'iu');

/** "Hamburg, not Berlin" and "not Berlin but Hamburg" say one value and take back another. */
export function contrastIn(raw: string): { said: string; offset: number; not?: string } {
  const match = notBut.exec(raw) ?? (denies.test(raw) ? butNot.exec(raw) : null);
  const said = match?.groups?.said;
  const not = match?.groups?.not?.replace(/[\s.!,;]+$/u, '');
  if (said === undefined || not === undefined) return { said: raw, offset: 0 };
  // The value stands first in one shape and last in the other.
  return { said, offset: raw.startsWith(said) ? 0 : raw.length - said.length, not };
}
