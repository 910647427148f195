import { t } from '../strings/text.js';

/** What went wrong and a way out; the words come from the service, which never quotes what was typed. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="notice failure" role="alert">
      <strong>{t('failed')}</strong>
      <p>{error.message}</p>
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  );
}

export function Waiting() {
  return (
    <p class="notice waiting" role="status">
      {t('loading')}
    </p>
  );
}
