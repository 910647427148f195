import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../strings/text.js';

/** Browsers copy only on pages they trust, which one over plain HTTP from another machine is not: there it is shown. */
export function CopyLink() {
  const [outcome, setOutcome] = useState<'copied' | 'shown'>();
  const copy = (): void => {
    // The types know only pages that are trusted.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) setOutcome('shown');
    else
      clipboard.writeText(location.href).then(
        () => setOutcome('copied'),
        () => setOutcome('shown'),
      );
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        {t(outcome === 'copied' ? 'copied' : 'copyLink')}
      </button>
      {outcome === 'shown' ? <Address /> : null}
    </>
  );
}

function Address() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return <input ref={field} class="address" aria-label={t('linkByHand')} readOnly value={location.href} />;
}
