import { t } from '../strings/text.js';
import type { More } from '../use-more.js';
import { Failure } from './notice.js';

/** The end of a partial list: a button for the next page, or the error that stopped it. */
export function ShowMore({ more: { left, failure, load } }: { more: More<unknown> }) {
  if (failure !== undefined) return <Failure error={failure} onRetry={load} />;
  if (!left) return null;
  return (
    <button type="button" class="more" onClick={load}>
      {t('more')}
    </button>
  );
}
