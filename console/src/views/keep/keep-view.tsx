import { t } from '../../strings/text.js';
import { ExportPanel } from './export-panel.js';
import { ForgetPanel } from './forget-panel.js';
import { ImportHistory } from './import-history.js';
import { ImportPanel } from './import-panel.js';

/** What comes in, what goes out, and what goes away for good. */
export function KeepView() {
  return (
    <section class="page keep">
      <h1>{t('keep')}</h1>
      <ImportPanel />
      <ImportHistory />
      <ExportPanel />
      <ForgetPanel />
    </section>
  );
}
