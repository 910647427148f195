/** The changelog with its "Unreleased" section closed under a version; throws when there is nothing to release. */
export function closeChangelog(text, { version, date }) {
  const [before, rest] = text.split(/^## Unreleased$/m);
  if (rest === undefined || /^\s*(?:## |$)/.test(rest)) throw new Error('CHANGELOG.md has nothing under "Unreleased"');
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section ${version} already`);
  return `${before}## ${version} (${date})${rest}`;
}
