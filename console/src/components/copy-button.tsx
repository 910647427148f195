import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings/text.js';

/** Copies a text and says so for a moment. */
export function CopyButton({ label, text, short = label }: { label: string; text: () => string; short?: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <button
      type="button"
      class="quiet copy"
      aria-label={outcome === undefined ? label : t(outcome)}
      title={label}
      onClick={() => copyText(text()).then((done) => setOutcome(done ? 'copied' : 'notCopied'))}
    >
      {outcome === undefined ? short : t(outcome)}
    </button>
  );
}

/** Pages over plain HTTP from another machine have no clipboard; the older way needs a selection. */
async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    const done = await clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (done) return true;
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  const before = document.activeElement;
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
