import { goTo } from '../../router.js';
import { dialogIsOpen } from '../../use-keys.js';

interface Moves {
  box: () => HTMLInputElement | null;
  /** Takes the query away; false when there is none. */
  clear: () => boolean;
}

/**
 * Keyboard first: `/` goes to the box, arrows and `j` `k` walk the results, Escape closes what is open, then clears. While
 * a conversation is open, the arrows read it and `j` `k` open the next result. Returns the undo.
 */
export function moveBetweenResults({ box, clear }: Moves): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (dialogIsOpen() || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === 'Escape') {
      if (closeOrClear(box(), clear)) event.preventDefault();
      return;
    }
    const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === '/' && !typing) focusOn(event, box());
    else if ((event.key === 'j' || event.key === 'k') && !typing) walk(event, event.key === 'j' ? 1 : -1);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') focusOn(event, arrowTarget(event, box(), typing));
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}

function focusOn(event: KeyboardEvent, next: HTMLElement | null | undefined): void {
  if (next === undefined || next === null) return;
  event.preventDefault();
  next.focus();
}

const results = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-result]')];

function walk(event: KeyboardEvent, step: 1 | -1): void {
  const open = document.querySelector('.pane') !== null;
  const all = results();
  const at = all.findIndex((each) => each.closest('.opened') !== null || (!open && each === document.activeElement));
  const next = all[at + step];
  if (next === undefined || (at === -1 && step === -1)) return;
  event.preventDefault();
  if (!open) next.focus();
  // One step back leads to the list, not through everything that was read.
  else goTo(next.getAttribute('href') ?? '', { replace: true });
  next.scrollIntoView({ block: 'nearest' });
}

function arrowTarget(
  event: KeyboardEvent,
  box: HTMLInputElement | null,
  typing: boolean,
): HTMLElement | null | undefined {
  if (typing && event.target !== box) return undefined;
  // What is open scrolls.
  if (event.target instanceof HTMLElement && event.target.closest('.pane, dialog, .panel') !== null) return undefined;
  const all = results();
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'ArrowDown') return all[at + 1];
  return at === 0 ? box : all[at - 1];
}

/** One thing at a time: a menu, the open conversation, the query, the box. Whether anything was left to close. */
function closeOrClear(box: HTMLInputElement | null, clear: () => boolean): boolean {
  const menu = document.querySelector<HTMLDetailsElement>('details.menu[open]');
  if (menu !== null) {
    menu.open = false;
    menu.querySelector('summary')?.focus();
    return true;
  }
  // The panel of filters closes itself.
  if (document.querySelector('.panel') !== null) return false;
  const close = document.querySelector<HTMLElement>('.pane .close');
  if (close !== null) {
    const read = results().find((each) => each.closest('.opened') !== null);
    close.click();
    (read ?? box)?.focus();
    return true;
  }
  if (clear()) {
    box?.focus();
    return true;
  }
  box?.blur();
  return false;
}
