import { type Demand, parseQuery, QueryError } from '../../../../src/retrieval/query-language.js';
import { day, t } from '../../strings/text.js';

interface Understood {
  label: string;
  wrong?: string;
  /** The query without it. */
  rest: string;
}

/** What is searched for, without the operators; the whole query where it cannot be read. */
export function wordsOf(query: string): string {
  try {
    return parseQuery(query).text;
  } catch {
    return query;
  }
}

/** What the service understood of a query beside its words, each to be taken away again. */
export function QueryChips({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const chips = understood(query);
  if (chips.length === 0) return null;
  return (
    <fieldset class="bare filters understood" aria-label={t('understood')}>
      {chips.map(({ label, wrong, rest }) => (
        <span
          class={wrong === undefined ? 'chip operator' : 'chip operator wrong'}
          key={`${label} ${rest}`}
          title={wrong}
        >
          {wrong === undefined ? label : `${label} · ${wrong}`}
          <button type="button" aria-label={`${t('remove')}: ${label}`} onClick={() => onChange(rest)}>
            ×
          </button>
        </span>
      ))}
    </fieldset>
  );
}

export function understood(query: string): Understood[] {
  const isQuestion = /[?？]\s*$/u.test(query);
  return [...query.slice(0, 2_000).matchAll(/-?(?:\w+:)?"[^"]*"|\S+/g)].flatMap(({ 0: piece, index }): Understood[] => {
    const rest = `${query.slice(0, index)}${query.slice(index + piece.length)}`.replace(/\s+/g, ' ').trim();
    try {
      const { wanted, unwanted, from, to } = parseQuery(piece);
      const demands = [
        ...wanted.map((each) => labelOf(each)),
        ...unwanted.map((each) => `${t('not')} ${labelOf(each)}`),
      ];
      const times = [
        ...(from === undefined ? [] : [`${t('dateFrom')} ${day(from.slice(0, 10))}`]),
        ...(to === undefined ? [] : [`${t('dateTo')} ${day(to.slice(0, 10))}`]),
      ];
      const label = [...demands, ...(times.length === 0 ? [] : [times.join(' ')])].join(', ');
      return label === '' || (isQuestion && piece.startsWith('"')) ? [] : [{ label, rest }];
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return [{ label: piece, wrong: error.message.replace(/, at character \d+$/, ''), rest }];
    }
  });
}

function labelOf({ kind, value }: Demand): string {
  switch (kind) {
    case 'phrase':
      return `“${value}”`;
    case 'tag':
      return `#${value}`;
    case 'role':
      return t(value === 'user' ? 'saidByYou' : 'saidByAssistant');
    case 'has':
      return t(value === 'code' ? 'hasCode' : value === 'link' ? 'hasLink' : 'hasImage');
    case 'source':
      return value;
    case 'thread':
      return `${t('modeThreads')}: ${value}`;
    case 'title':
      return `${t('inTitle')}: ${value}`;
    default:
      return kind satisfies never;
  }
}
