/** Programs that most people come from keep a colour of their own; others get one by their name, always the same. */
const known: Record<string, number> = {
  chatgpt: 0,
  claude: 1,
  gemini: 2,
  cursor: 3,
  'claude-code': 4,
  'open-webui': 5,
  notes: 6,
  codex: 7,
};
const hues = 10;

export function hueOf(source: string): number {
  const own = known[source.toLowerCase()];
  if (own !== undefined) return own;
  let hash = 0;
  for (const letter of source.slice(0, 100)) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % hues;
}

/** Two letters, since many names begin with the same one: of the first two words, or of the only one. */
export function markOf(source: string): string {
  const [first = '', second] = source.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [one = '·', next = ''] = first;
  const other = second === undefined ? next : ([...second][0]?.toLocaleUpperCase() ?? '');
  return `${one.toLocaleUpperCase()}${other}`;
}
