import { dialogIsOpen } from '../../use-keys.js';

/** Keyboard first: `/` goes to the box, arrows walk the results, Escape closes what is open. Returns the undo. */
export function moveBetweenResults(box: () => HTMLInputElement | null): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (dialogIsOpen()) return;
    if (event.key === 'Escape') {
      closeOrLeave(box());
      return;
    }
    const next = targetOf(event, box());
    if (next === undefined || next === null) return;
    event.preventDefault();
    next.focus();
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}

/** What a key moves to; undefined when it is not for us. */
function targetOf(event: KeyboardEvent, box: HTMLInputElement | null): HTMLElement | null | undefined {
  const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === '/' && !typing) return box;
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return undefined;
  if (typing && event.target !== box) return undefined;
  const results = [...document.querySelectorAll<HTMLElement>('[data-result]')];
  const at = results.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'ArrowDown') return results[at + 1];
  return at === 0 ? box : results[at - 1];
}

function closeOrLeave(box: HTMLInputElement | null): void {
  const close = document.querySelector<HTMLElement>('.pane .close');
  if (close === null) box?.blur();
  else close.click();
}
