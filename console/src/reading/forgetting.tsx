import { useEffect, useState } from 'preact/hooks';
import { post } from '../api.js';
import { tellChange } from '../changes.js';
import { t } from '../strings/text.js';

/** How long a person can change their mind before it is erased. */
export const graceSeconds = 30;

interface Leaving {
  id: string;
  title: string;
  project: object;
}

type State = { kind: 'held'; leaving: Leaving; until: number } | { kind: 'failed'; error: Error } | undefined;

let state: State;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Erasing cannot be taken back, so it waits. The next one, and leaving the page, erase the one before at once. */
export function forgetLater(leaving: Leaving): void {
  erase();
  set({ kind: 'held', leaving, until: Date.now() + graceSeconds * 1_000 });
  timer = setTimeout(erase, graceSeconds * 1_000);
}

/** The conversation about to be erased: lists hide it. */
export function useLeaving(): string | undefined {
  const now = useForgetting();
  return now?.kind === 'held' ? now.leaving.id : undefined;
}

/** Shows what is being forgotten and how long it can be undone. */
export function ForgettingToast() {
  const now = useForgetting();
  const [, tick] = useState(0);
  useEffect(() => {
    if (now?.kind !== 'held') return;
    const clock = setInterval(() => tick((before) => before + 1), 1_000);
    return () => clearInterval(clock);
  }, [now]);
  if (now === undefined) return null;
  if (now.kind === 'failed') {
    return (
      <p class="toast" role="alert">
        {t('forgetFailed')} {now.error.message}{' '}
        <button type="button" onClick={() => set(undefined)}>
          {t('close')}
        </button>
      </p>
    );
  }
  return (
    <p class="toast" role="status">
      <span>
        {t('forgetting', { title: shortened(now.leaving.title) })}{' '}
        <span aria-hidden="true">{Math.max(0, Math.ceil((now.until - Date.now()) / 1_000))}</span>
      </span>{' '}
      <button
        type="button"
        onClick={() => {
          clearTimeout(timer);
          set(undefined);
        }}
      >
        {t('undo')}
      </button>
    </p>
  );
}

function shortened(title: string): string {
  return title.length > 60 ? `${title.slice(0, 60)} …` : title;
}

function erase(): void {
  clearTimeout(timer);
  if (state?.kind !== 'held') return;
  const { id, project } = state.leaving;
  set(undefined);
  post('/memory/forget', { ids: [id], dry_run: false, ...project }, { keepalive: true }).then(tellChange, (error) =>
    set({ kind: 'failed', error: error as Error }),
  );
}

addEventListener('pagehide', erase);

function set(next: State): void {
  state = next;
  for (const tell of listeners) tell();
}

function useForgetting(): State {
  const [shown, setShown] = useState(state);
  useEffect(() => {
    const tell = (): void => setShown(state);
    tell();
    listeners.add(tell);
    return () => {
      listeners.delete(tell);
    };
  }, []);
  return shown;
}
