import { useLayoutEffect, useState } from 'preact/hooks';

/** Where the person is: a view and what it shows. All of it is in the address, so that every place has a link. */
export interface Place {
  view: string;
  params: URLSearchParams;
}

/** What the app hands to each view. */
export interface ViewProps {
  place: Place;
}

export function placeOf(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { view: path === '' ? 'search' : path, params: new URLSearchParams(query) };
}

export function linkTo(view: string, params: Record<string, string | undefined> = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** `replace` changes the address without a step in the history: typing should not fill the back button. */
export function goTo(link: string, { replace = false } = {}): void {
  if (link === location.hash) return;
  if (!replace) {
    location.hash = link;
    return;
  }
  history.replaceState(null, '', link);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  useLayoutEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}
