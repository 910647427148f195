import { useLayoutEffect, useRef } from 'preact/hooks';

/** A dialog is in front of everything, and the keys are its own. */
export function dialogIsOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** Single-key shortcuts, active while no input has focus, no dialog is open and no modifier is held. */
export function useKeys(actions: Record<string, () => void>): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Before the page is painted: a key pressed at the first sight of it counts.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (typing || event.metaKey || event.ctrlKey || event.altKey || dialogIsOpen()) return;
      const action = latest.current[event.key];
      if (action === undefined) return;
      // Firefox would open its own search with `/`, and take the focus.
      event.preventDefault();
      action();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
