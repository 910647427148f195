import { CopyButton } from '../../components/copy-button.js';
import { t } from '../../strings/text.js';

export function Copyable({ label, text }: { label: string; text: string }) {
  return (
    <div class="copyable">
      {/* Longer than the card, it scrolls, also with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton label={label} short={t('copy')} text={() => text} />
    </div>
  );
}
