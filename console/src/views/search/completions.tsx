import { contents, operators } from '../../../../src/retrieval/query-language.js';
import { t } from '../../strings/text.js';

const values: Record<string, readonly string[]> = { role: ['user', 'assistant'], has: contents };

/** What the last word of a query may become: an operator, or a value of one. */
export function completionsOf(query: string, sources: readonly string[]): string[] {
  const [, before = '', minus = '', word = ''] = /^(.*?)(-?)(\S*)$/su.exec(query.slice(-300)) ?? [];
  const start = `${query.slice(0, Math.max(0, query.length - 300))}${before}${minus}`;
  const [name, given] = word.toLowerCase().split(':', 2);
  if (name === undefined || name.length < 2) return [];
  if (given === undefined) {
    return operators.filter((each) => each.startsWith(name)).map((each) => `${start}${each}:`);
  }
  const known = name === 'source' ? sources : (values[name] ?? []);
  const fitting = known.filter((each) => each.toLowerCase().startsWith(given) && each.toLowerCase() !== given);
  return fitting.slice(0, 8).map((each) => `${start}${name}:${/\s/.test(each) ? `"${each}"` : each} `);
}

interface CompletionsProps {
  query: string;
  sources: readonly string[];
  onChoose: (query: string) => void;
}

/** Ways to go on, as buttons; Tab takes the first. */
export function Completions({ query, sources, onChoose }: CompletionsProps) {
  const ways = completionsOf(query, sources);
  if (ways.length === 0) return null;
  return (
    <fieldset class="bare completions" aria-label={t('completions')}>
      {ways.map((way, index) => (
        <button type="button" key={way} onClick={() => onChoose(way)}>
          {way.trim().split(/\s+/).pop()} {index === 0 ? <kbd>Tab</kbd> : null}
        </button>
      ))}
    </fieldset>
  );
}
