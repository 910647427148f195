import { useState } from 'preact/hooks';
import type { ForgetOutput } from '../../../../src/operations/forget/select.js';
import { post } from '../../api.js';
import { tellChange } from '../../changes.js';
import { t } from '../../strings/text.js';
import { showDone, showFailed } from '../../undo-toast.js';

/** Erases what an import stored, after showing how much that is. The same file can be imported again. */
export function UndoImport({ id, name }: { id: string; name: string }) {
  const [planned, setPlanned] = useState<ForgetOutput>();
  const [isBusy, setBusy] = useState(false);
  const run = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    try {
      const body = { import_id: id, allow_return: true, dry_run: dryRun };
      const report = await post<ForgetOutput>('/memory/forget', body);
      setPlanned(dryRun ? report : undefined);
      if (!dryRun) {
        const conversations = t('countConversations', { n: report.conversations });
        showDone(t('forgotten', { conversations, facts: t('countFacts', { n: report.facts }) }));
        tellChange();
      }
    } catch (error) {
      showFailed(error as Error);
    }
    setBusy(false);
  };
  if (planned === undefined) {
    return (
      <button
        type="button"
        class="quiet undo-import"
        disabled={isBusy}
        aria-label={`${t('undoImport')}: ${name}`}
        onClick={() => run(true)}
      >
        {t('undoImport')}
      </button>
    );
  }
  const close = (
    <button type="button" class="quiet" disabled={isBusy} onClick={() => setPlanned(undefined)}>
      {t(planned.conversations === 0 ? 'close' : 'cancel')}
    </button>
  );
  if (planned.conversations === 0) {
    return (
      <p role="status">
        {t('undoImportNothing')} {close}
      </p>
    );
  }
  return (
    <div class="notice failure" role="status">
      <p>
        {t('undoImportWould', {
          conversations: t('countConversations', { n: planned.conversations }),
          messages: t('countMessages', { n: planned.messages }),
        })}
      </p>
      <button type="button" class="danger" disabled={isBusy} onClick={() => run(false)}>
        {t('undoImportNow')}
      </button>{' '}
      {close}
    </div>
  );
}
