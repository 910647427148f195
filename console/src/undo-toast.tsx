import { useEffect, useState } from 'preact/hooks';
import { tellChange } from './changes.js';
import { t } from './strings/text.js';

/** The change that was made last, and how to undo it. */
interface Done {
  kind: 'done';
  text: string;
  undo?: () => Promise<unknown>;
}

type State = Done | { kind: 'failed'; error: Error } | undefined;

let state: State;
const listeners = new Set<() => void>();

/** Shows a change that was made. With `undo`, the toast offers to undo it until it closes or the next change replaces it. */
export function showDone(text: string, undo?: () => Promise<unknown>): void {
  set({ kind: 'done', text, ...(undo === undefined ? {} : { undo }) });
}

/** Shows that a change failed. Unlike a success, it stays until the user closes it. */
export function showFailed(error: Error): void {
  set({ kind: 'failed', error });
}

/** Undoes the last change, if it can be undone. */
export function undoLast(): void {
  if (state?.kind !== 'done' || state.undo === undefined) return;
  const { undo } = state;
  // Cleared before the request, so that a second key press does not undo the same change twice.
  set(undefined);
  undo().then(() => {
    set({ kind: 'done', text: t('undone') });
    tellChange();
  }, showFailed);
}

const shownMilliseconds = 15_000;

/** The live region stays in the document even when empty: screen readers only announce changes to existing regions. */
export function UndoToast() {
  const [shown, setShown] = useState(state);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const tell = (): void => setShown(state);
    tell();
    listeners.add(tell);
    return () => {
      listeners.delete(tell);
    };
  }, []);
  useEffect(() => {
    if (shown?.kind !== 'done' || held) return;
    const timer = setTimeout(() => set(undefined), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [shown, held]);
  return (
    <div
      class={shown === undefined ? '' : 'toast changed'}
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {shown === undefined ? null : (
        <>
          <span>{shown.kind === 'failed' ? `${t('failed')}: ${shown.error.message}` : shown.text}</span>{' '}
          {shown.kind === 'done' && shown.undo !== undefined ? (
            <button type="button" onClick={undoLast}>
              {t('undo')} <kbd>u</kbd>
            </button>
          ) : null}{' '}
          <button type="button" class="quiet" aria-label={t('close')} onClick={() => set(undefined)}>
            ✕
          </button>
        </>
      )}
    </div>
  );
}

function set(next: State): void {
  state = next;
  for (const tell of listeners) tell();
}
