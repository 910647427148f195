import { useEffect, useRef } from 'preact/hooks';

const name = 'threadkeep:changed';

/** Stored data changed: lists that show it reload. */
export function tellChange(): void {
  dispatchEvent(new CustomEvent(name));
}

export function useChanges(reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    const listen = (): void => latest.current();
    addEventListener(name, listen);
    return () => removeEventListener(name, listen);
  }, []);
}
