import { useEffect, useRef } from 'preact/hooks';
import { goTo, linkTo } from './router.js';

const name = 'threadkeep:dropped';
let waiting: File[] = [];

/** Files can be dropped anywhere and are handed to the import view. Returns the cleanup. */
export function catchDrops(): () => void {
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent): void => {
    if (holdsFiles(event)) event.preventDefault();
  };
  const drop = (event: DragEvent): void => {
    // The import panel handles its own drops.
    if (!holdsFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    waiting = [...waiting, ...(event.dataTransfer?.files ?? [])];
    goTo(linkTo('keep'));
    dispatchEvent(new CustomEvent(name));
  };
  addEventListener('dragover', over);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop);
  };
}

/** Gives what was dropped to the import, now and whenever more comes. */
export function useDropped(take: (files: readonly File[]) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const listen = (): void => {
      const files = waiting;
      waiting = [];
      if (files.length > 0) latest.current(files);
    };
    listen();
    addEventListener(name, listen);
    return () => removeEventListener(name, listen);
  }, []);
}
