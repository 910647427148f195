import { useEffect, useState } from 'preact/hooks';
import { linkTo } from '../../router.js';
import { t } from '../../strings/text.js';
import { showDone } from '../../undo-toast.js';
import { type Filters, filterNames } from './filters.js';

/** What a search is made of, as the address holds it. */
export type SavedSearch = Record<string, string>;

const storageKey = 'threadkeep.searches';
const most = 50;
const changed = 'threadkeep:searches';

/** The searches kept in this browser, the newest first. What is damaged, or not ours, is left out. */
export function savedSearches(): SavedSearch[] {
  let kept: unknown;
  try {
    kept = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
  } catch {
    // Another program wrote under this key; the next save replaces its value.
    return [];
  }
  return Array.isArray(kept) ? kept.flatMap((each) => searchIn(each)).slice(0, most) : [];
}

const names: readonly string[] = ['q', 'mode', 'sort', ...filterNames];

function searchIn(value: unknown): SavedSearch[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => names.includes(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '',
  );
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

export function searchLink(search: SavedSearch): string {
  return linkTo('search', search);
}

/** The words and the filters, as a person would say them. */
export function searchName({ q, tags, mode: _, sort: __, ...filters }: SavedSearch): string {
  const tagged = (tags ?? '').split(',').flatMap((tag) => (tag.trim() === '' ? [] : `#${tag.trim()}`));
  return [...(q === undefined ? [] : [q]), ...tagged, ...Object.values(filters)].join(' · ');
}

function keep(searches: readonly SavedSearch[]): void {
  localStorage.setItem(storageKey, JSON.stringify(searches.slice(0, most)));
  dispatchEvent(new CustomEvent(changed));
}

function isSame(one: SavedSearch, other: SavedSearch): boolean {
  return searchLink(one) === searchLink(other);
}

function useSaved(): SavedSearch[] {
  const [searches, setSearches] = useState(savedSearches);
  useEffect(() => {
    const listen = (): void => setSearches(savedSearches());
    addEventListener(changed, listen);
    return () => removeEventListener(changed, listen);
  }, []);
  return searches;
}

interface SaveSearchProps {
  query: string;
  filters: Filters;
  mode: string | undefined;
  sort: string | undefined;
}

/** Keeps the search that is shown, or lets it go again. */
export function SaveSearch({ query, filters, mode, sort }: SaveSearchProps) {
  const searches = useSaved();
  const [search] = searchIn({ q: query.trim(), mode, sort, ...filters });
  if (search === undefined || (query.trim() === '' && Object.keys(filters).length === 0)) return null;
  const isKept = searches.some((each) => isSame(each, search));
  const toggle = (): void => {
    const others = searches.filter((each) => !isSame(each, search));
    keep(isKept ? others : [search, ...others]);
    showDone(t(isKept ? 'searchRemoved' : 'searchSaved'), async () => keep(searches));
  };
  return (
    <button type="button" class="chip add save-search" aria-pressed={isKept} onClick={toggle}>
      {isKept ? '★' : '☆'} {t('saveSearch')}
    </button>
  );
}

/** The searches that were kept, to go to or to let go. */
export function SavedSearches() {
  const searches = useSaved();
  if (searches.length === 0) return null;
  return (
    <section class="saved" aria-label={t('savedSearches')}>
      <h2 class="count">{t('savedSearches')}</h2>
      {searches.map((search) => (
        <span class="chip" key={searchLink(search)}>
          <a href={searchLink(search)}>{searchName(search)}</a>
          <button
            type="button"
            aria-label={`${t('remove')}: ${searchName(search)}`}
            onClick={() => {
              keep(searches.filter((each) => each !== search));
              showDone(t('searchRemoved'), async () => keep(searches));
            }}
          >
            ×
          </button>
        </span>
      ))}
    </section>
  );
}
