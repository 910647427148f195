import { useEffect, useState } from 'preact/hooks';
import { tellChange } from './changes.js';
import { t } from './strings/text.js';

/** What was just done, and how to take it back. */
interface Done {
  kind: 'done';
  text: string;
  undo?: () => Promise<unknown>;
}

type State = Done | { kind: 'failed'; error: Error } | undefined;

let state: State;
const listeners = new Set<() => void>();

/** Says that a change was made. With `undo` it can be taken back from there until the next change or until it is closed. */
export function showDone(text: string, undo?: () => Promise<unknown>): void {
  set({ kind: 'done', text, ...(undo === undefined ? {} : { undo }) });
}

/** Says that a change was not made. It stays until it is closed: nobody should miss it. */
export function showFailed(error: Error): void {
  set({ kind: 'failed', error });
}

/** Takes back the last change, where it can be. */
export function undoLast(): void {
  if (state?.kind !== 'done' || state.undo === undefined) return;
  const { undo } = state;
  // At once: a second press must not undo what came before.
  set(undefined);
  undo().then(() => {
    set({ kind: 'done', text: t('undone') });
    tellChange();
  }, showFailed);
}

const shownMilliseconds = 15_000;

/** The region is always there, so that screen readers tell what appears in it. */
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
