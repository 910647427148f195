import { t } from '../strings/text.js';

/** A quiet bar. A saturating scale: what the best results differ in is worth seeing, not how far the worst are away. */
export function Relevance({ value }: { value: number }) {
  const part = Math.round(100 * Math.max(0.04, 1 - Math.exp(-Math.max(0, value) * 1.6)));
  return (
    <span class="relevance" role="img" aria-label={t('relevance', { n: part })} title={t('relevance', { n: part })}>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" rx="3" class="track" />
        <rect width={part} height="6" rx="3" class="fill" />
      </svg>
    </span>
  );
}
