import { useState } from 'preact/hooks';
import { post } from '../../api.js';
import { tellChange } from '../../changes.js';
import { t } from '../../strings/text.js';
import type { Decision } from './use-decisions.js';

interface BulkBarProps {
  chosen: readonly string[];
  onDone: (decided: readonly string[], failure: Error | undefined) => void;
  onClear: () => void;
}

/** One decision about many. It cannot be taken back, so it is asked for twice. */
export function BulkBar({ chosen, onDone, onClear }: BulkBarProps) {
  const [sure, setSure] = useState<Decision>();
  const [done, setDone] = useState<number>();
  const decide = async (decision: Decision): Promise<void> => {
    const decided: string[] = [];
    let failure: Error | undefined;
    setDone(0);
    for (const id of chosen) {
      try {
        await post(`/memory/pending/${decision}`, { id });
        decided.push(id);
        setDone(decided.length);
      } catch (error) {
        failure = error as Error;
        break;
      }
    }
    setDone(undefined);
    setSure(undefined);
    tellChange();
    onDone(decided, failure);
  };
  if (done !== undefined) {
    return (
      <p class="bulk" role="status">
        <progress max={chosen.length} value={done} aria-label={t('review')} />{' '}
        {t('findAt', { at: done, of: chosen.length })}
      </p>
    );
  }
  return (
    <p class="bulk">
      <strong>{t('chosen', { n: chosen.length })}</strong>
      {sure === undefined ? (
        <>
          <button type="button" onClick={() => setSure('approve')}>
            {t('approve')}
          </button>
          <button type="button" onClick={() => setSure('reject')}>
            {t('reject')}
          </button>
          <button type="button" class="quiet" onClick={onClear}>
            {t('cancel')}
          </button>
        </>
      ) : (
        <>
          <button type="button" class="primary" onClick={() => decide(sure)}>
            {t(sure === 'approve' ? 'approveAll' : 'rejectAll', { n: chosen.length })}
          </button>
          <button type="button" class="quiet" onClick={() => setSure(undefined)}>
            {t('cancel')}
          </button>
        </>
      )}
    </p>
  );
}
