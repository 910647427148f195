import { useRef, useState } from 'preact/hooks';

export interface More<Page> {
  /** The first page and what came after it. */
  pages: readonly Page[];
  /** Whether there is a page that did not come yet. */
  left: boolean;
  failure?: Error;
  load: () => void;
}

interface After<Page> {
  first: Page | undefined;
  pages: readonly Page[];
  failure?: Error;
}

/** The pages after a first one. They belong to that very answer: with the next one they go, and what comes late is dropped. */
export function useMore<Page extends { cursor: string | null }>(
  first: Page | undefined,
  fetchPage: (cursor: string) => Promise<Page>,
): More<Page> {
  const [state, setState] = useState<After<Page>>({ first, pages: [] });
  const askedAfter = useRef<Page>();
  const after = state.first === first ? state : { first, pages: [] };
  const pages = first === undefined ? [] : [first, ...after.pages];
  const last = pages.at(-1);
  const cursor = last?.cursor ?? null;
  const load = (): void => {
    if (cursor === null || askedAfter.current === last) return;
    askedAfter.current = last;
    const settle = (next: After<Page>): void => {
      if (askedAfter.current !== last) return;
      askedAfter.current = undefined;
      setState(next);
    };
    setState({ first, pages: after.pages });
    fetchPage(cursor).then(
      (page) => settle({ first, pages: [...after.pages, page] }),
      (failure: Error) => settle({ first, pages: after.pages, failure }),
    );
  };
  return { pages, left: cursor !== null, load, ...(after.failure === undefined ? {} : { failure: after.failure }) };
}
