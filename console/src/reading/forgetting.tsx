import { useEffect, useState } from 'preact/hooks';
import type { ForgetOutput } from '../../../src/operations/forget/select.js';
import { post } from '../api.js';
import { tellChange } from '../changes.js';
import { moment, t } from '../strings/text.js';
import { save } from './export-file.js';

/** How long a person can change their mind before it is erased. */
export const graceSeconds = 30;

interface Leaving {
  title: string;
  /** What is asked of the service: which conversations. */
  body: object;
  /** The one conversation, where it is one. */
  id?: string;
}

type Certificate = NonNullable<ForgetOutput['certificate']>;

type State =
  | { kind: 'held'; leaving: Leaving; until: number }
  | { kind: 'erasing'; leaving: Leaving }
  | { kind: 'failed'; error: Error }
  | { kind: 'done'; report: ForgetOutput }
  | undefined;

let state: State;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Of this visit, the newest first. */
let certificates: readonly Certificate[] = [];
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
  return now?.kind === 'held' || now?.kind === 'erasing' ? now.leaving.id : undefined;
}

/** Whether something waits to be erased, or is being erased. */
export function useIsForgetting(): boolean {
  const now = useForgetting();
  return now?.kind === 'held' || now?.kind === 'erasing';
}

/** The button goes away with its action, so the focus moves to the page instead of nowhere. */
function pressed(action: () => void): () => void {
  return () => {
    action();
    document.getElementById('content')?.focus({ preventScroll: true });
  };
}

/** Shows what is being forgotten and how long it can be undone, then what went. */
export function ForgettingToast() {
  const now = useForgetting();
  const [, tick] = useState(0);
  useEffect(() => {
    if (now?.kind !== 'held') return;
    const clock = setInterval(() => tick((before) => before + 1), 1_000);
    return () => clearInterval(clock);
  }, [now]);
  if (now === undefined) return null;
  const close = (
    <button type="button" onClick={pressed(() => set(undefined))}>
      {t('close')}
    </button>
  );
  if (now.kind === 'failed') {
    return (
      <p class="toast" role="alert">
        {t('forgetFailed')} {now.error.message} {close}
      </p>
    );
  }
  if (now.kind === 'done') {
    const { conversations, facts, certificate } = now.report;
    return (
      <p class="toast" role="status">
        {t('forgotten', {
          conversations: t('countConversations', { n: conversations }),
          facts: t('countFacts', { n: facts }),
        })}{' '}
        {certificate === undefined ? null : (
          <button type="button" onClick={() => saveCertificate(certificate)}>
            {t('certificate')}
          </button>
        )}{' '}
        {close}
      </p>
    );
  }
  return (
    <p class="toast" role="status">
      <span>
        {t('forgetting', { title: shortened(now.leaving.title) })}{' '}
        {now.kind === 'held' ? (
          <span aria-hidden="true">{Math.max(0, Math.ceil((now.until - Date.now()) / 1_000))}</span>
        ) : (
          <progress aria-label={t('loading')} />
        )}
      </span>{' '}
      {now.kind === 'held' ? (
        <>
          <button
            type="button"
            onClick={pressed(() => {
              clearTimeout(timer);
              set(undefined);
            })}
          >
            {t('undo')}
          </button>{' '}
          <button type="button" onClick={pressed(erase)}>
            {t('forgetAtOnce')}
          </button>
        </>
      ) : null}
    </p>
  );
}

/** What was forgotten during this visit, to download: ids and counts, when and by whom, no text. */
export function Certificates() {
  useForgetting();
  if (certificates.length === 0) return null;
  return (
    <>
      <h3>{t('certificates')}</h3>
      <ul class="plain-list certificates">
        {certificates.map((certificate) => (
          <li key={certificate.forgotten_at}>
            {moment(certificate.forgotten_at)} · {t('countConversations', { n: certificate.conversations })}{' '}
            <button
              type="button"
              class="quiet"
              aria-label={`${t('certificate')}: ${moment(certificate.forgotten_at)}`}
              onClick={() => saveCertificate(certificate)}
            >
              {t('certificate')}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function saveCertificate(certificate: Certificate): void {
  const day = certificate.forgotten_at.slice(0, 10);
  save(`threadkeep-forgotten-${day}.json`, `${JSON.stringify(certificate, null, 2)}\n`);
}

function shortened(title: string): string {
  return title.length > 60 ? `${title.slice(0, 60)} …` : title;
}

function erase(): void {
  clearTimeout(timer);
  if (state?.kind !== 'held') return;
  const { leaving } = state;
  const erasing: State = { kind: 'erasing', leaving };
  set(erasing);
  // What was begun in the meantime keeps the toast.
  const settle = (next: State): void => set(state === erasing ? next : state);
  const body = { ...leaving.body, dry_run: false, certificate: true };
  post<ForgetOutput>('/memory/forget', body, { keepalive: true }).then(
    (report) => {
      if (report.certificate !== undefined) certificates = [report.certificate, ...certificates];
      settle({ kind: 'done', report });
      tellChange();
    },
    (error: Error) => settle({ kind: 'failed', error }),
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
