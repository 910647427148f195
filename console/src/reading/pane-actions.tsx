import { useEffect, useRef, useState } from 'preact/hooks';
import type { ForgetOutput } from '../../../src/operations/forget/select.js';
import { post } from '../api.js';
import { CopyButton } from '../components/copy-button.js';
import { focusOnce } from '../components/focus-once.js';
import { Failure } from '../components/notice.js';
import { goTo } from '../router.js';
import { t } from '../strings/text.js';
import { fileName, htmlPageOf, jsonOf, markdownOf, save } from './export-file.js';
import { forgetLater, graceSeconds } from './forgetting.js';
import { type ChangeProps, updateConversation } from './tags.js';

type Step = { kind: 'rename'; title: string } | { kind: 'forget'; report: ForgetOutput };

/** What can be done with the open conversation, behind one button. */
export function PaneActions({ memory, project, closeHref, onChange }: ChangeProps & { closeHref: string }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const [step, setStep] = useState<Step>();
  const [failure, setFailure] = useState<Error>();
  useEffect(() => setStep(undefined), [memory.id]);
  useEffect(() => closeOutside(menu.current), []);
  const begin = (action: () => void): void => {
    menu.current?.removeAttribute('open');
    setFailure(undefined);
    action();
  };
  const leave = (): void => {
    setStep(undefined);
    menu.current?.querySelector('summary')?.focus();
  };
  const saveHtml = async (): Promise<void> => save(`${fileName(memory)}.html`, await htmlPageOf([memory]));
  const askToForget = (): void => {
    const body = { ids: [memory.id], dry_run: true, ...project };
    post<ForgetOutput>('/memory/forget', body).then((report) => setStep({ kind: 'forget', report }), setFailure);
  };
  return (
    <>
      <details class="menu" ref={menu}>
        <summary class="quiet">{t('moreActions')}</summary>
        <div class="menu-list">
          <CopyButton label={t('copyMarkdown')} text={() => markdownOf(memory)} />
          <button type="button" onClick={() => begin(() => setStep({ kind: 'rename', title: memory.title ?? '' }))}>
            {t('rename')}
          </button>
          <button type="button" onClick={() => begin(() => save(`${fileName(memory)}.md`, markdownOf(memory)))}>
            {t('saveMarkdown')}
          </button>
          <button type="button" onClick={() => begin(() => void saveHtml())}>
            {t('saveHtml')}
          </button>
          <button type="button" onClick={() => begin(() => save(`${fileName(memory)}.json`, jsonOf([memory])))}>
            {t('saveJson')}
          </button>
          <button type="button" class="bad" onClick={() => begin(askToForget)}>
            {t('forgetThis')}
          </button>
        </div>
      </details>
      {step?.kind === 'rename' ? (
        <form
          class="pane-step"
          onSubmit={(event) => {
            event.preventDefault();
            const title = step.title.trim();
            leave();
            if (title !== '' && title !== memory.title)
              updateConversation(memory, { title, ...project }).then(onChange, setFailure);
          }}
        >
          <input
            ref={focusOnce}
            aria-label={t('newTitle')}
            value={step.title}
            maxLength={1_000}
            onInput={(event) => setStep({ kind: 'rename', title: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              leave();
            }}
          />
          <button type="submit" class="primary">
            {t('rename')}
          </button>
          <button type="button" class="quiet" onClick={leave}>
            {t('cancel')}
          </button>
        </form>
      ) : null}
      {step?.kind === 'forget' ? (
        <div
          class="pane-step notice failure"
          role="alertdialog"
          aria-label={t('forgetThis')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            leave();
          }}
        >
          <p>
            {t('forgetThisWould', {
              messages: t('countMessages', { n: step.report.messages }),
              facts: t('countFacts', { n: step.report.facts }),
            })}
          </p>
          <p class="about">{t('forgetGrace', { n: graceSeconds })}</p>
          <button
            type="button"
            class="danger"
            onClick={() => {
              forgetLater({
                id: memory.id,
                title: memory.title ?? t('untitled'),
                body: { ids: [memory.id], ...project },
              });
              goTo(closeHref);
            }}
          >
            {t('forget')}
          </button>{' '}
          <button type="button" class="quiet" ref={focusOnce} onClick={leave}>
            {t('cancel')}
          </button>
        </div>
      ) : null}
      {failure === undefined ? null : <Failure error={failure} />}
    </>
  );
}

/** Closes a menu when focus or a click moves elsewhere. Returns the cleanup. */
function closeOutside(menu: HTMLDetailsElement | null): () => void {
  const leave = (event: Event): void => {
    if (!menu?.open || menu.contains(event.target as Node)) return;
    menu.open = false;
  };
  addEventListener('pointerdown', leave);
  addEventListener('focusin', leave);
  return () => {
    removeEventListener('pointerdown', leave);
    removeEventListener('focusin', leave);
  };
}
