import { useState } from 'preact/hooks';
import type { ConversationOutput } from '../../../../src/operations/present.js';
import { post } from '../../api.js';
import { jsonOf, markdownOf, save } from '../../reading/export-file.js';
import { t } from '../../strings/text.js';
import { showFailed } from '../../undo-toast.js';

interface ExportFoundProps {
  /** The conversations that are shown, each once. */
  ids: readonly string[];
  /** What they were looked for with: also says in which project and state. */
  body: Record<string, unknown>;
}

const formats = {
  markdown: { label: 'exportMarkdown', file: 'threadkeep-results.md' },
  json: { label: 'exportJson', file: 'threadkeep-results.json' },
} as const;

/** Saves the conversations of the results that are shown, whole. */
export function ExportFound({ ids, body }: ExportFoundProps) {
  const [done, setDone] = useState<number>();
  const run = async (format: keyof typeof formats): Promise<void> => {
    const conversations: ConversationOutput[] = [];
    setDone(0);
    try {
      for (const id of ids) {
        const { memory_status = 'active', project_id } = body;
        const request = { id, memory_status, ...(project_id === undefined ? {} : { project_id }) };
        conversations.push((await post<{ memory: ConversationOutput }>('/memory/retrieve', request)).memory);
        setDone(conversations.length);
      }
      const content = format === 'json' ? jsonOf(conversations) : conversations.map(markdownOf).join('\n\n');
      save(formats[format].file, content);
    } catch (error) {
      showFailed(error as Error);
    }
    setDone(undefined);
  };
  if (done !== undefined) return <span role="status">{t('findAt', { at: done, of: ids.length })}</span>;
  return (
    <span class="export-found">
      {t('exportFound')}:{' '}
      {Object.entries(formats).map(([format, { label }]) => (
        <button
          key={format}
          type="button"
          class="quiet"
          aria-label={`${t('exportFound')}: ${t(label)}`}
          onClick={() => run(format === 'json' ? 'json' : 'markdown')}
        >
          {t(label)}
        </button>
      ))}
    </span>
  );
}
