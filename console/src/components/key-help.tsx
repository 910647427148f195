import { useEffect, useRef } from 'preact/hooks';
import { t } from '../strings/text.js';

const keys = [
  ['/', 'keySearch'],
  ['Ctrl K · ⌘ K', 'keyPalette'],
  ['↑ ↓', 'keyMove'],
  ['Enter', 'keyOpen'],
  ['j k', 'keyWalk'],
  ['Space, Page Down', 'keyRead'],
  ['Ctrl F · ⌘ F', 'keyFind'],
  ['Tab', 'keyComplete'],
  ['Esc', 'keyBack'],
  ['j k a r u', 'keyReview'],
  ['1 – 9, 0', 'keyViews'],
  ['?', 'keyHelp'],
] as const;

/** All keyboard shortcuts, in a modal dialog that traps focus. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-help" aria-label={t('keys')} onClose={onClose}>
      <h2>{t('keys')}</h2>
      <dl>
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        {t('close')}
      </button>
    </dialog>
  );
}
