import { useState } from 'preact/hooks';
import type { ConversationOutput } from '../../../../src/operations/present.js';
import { post } from '../../api.js';
import { htmlPageOf, jsonOf, markdownOf, save } from '../../reading/export-file.js';
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
  html: { label: 'exportHtml', file: 'threadkeep-results.html' },
  json: { label: 'exportJson', file: 'threadkeep-results.json' },
} as const;
type Format = keyof typeof formats;

const contentOf: Record<Format, (conversations: readonly ConversationOutput[]) => string | Promise<string>> = {
  markdown: (conversations) => conversations.map(markdownOf).join('\n\n'),
  html: (conversations) => htmlPageOf(conversations),
  json: jsonOf,
};

/** Saves the conversations of the results that are shown, whole. */
export function ExportFound({ ids, body }: ExportFoundProps) {
  const [done, setDone] = useState<number>();
  const run = async (format: Format): Promise<void> => {
    const conversations: ConversationOutput[] = [];
    setDone(0);
    try {
      for (const id of ids) {
        const { memory_status = 'active', project_id } = body;
        const request = { id, memory_status, ...(project_id === undefined ? {} : { project_id }) };
        conversations.push((await post<{ memory: ConversationOutput }>('/memory/retrieve', request)).memory);
        setDone(conversations.length);
      }
      save(formats[format].file, await contentOf[format](conversations));
    } catch (error) {
      showFailed(error as Error);
    }
    setDone(undefined);
  };
  if (done !== undefined) return <span role="status">{t('findAt', { at: done, of: ids.length })}</span>;
  return (
    <span class="export-found">
      {t('exportFound')}:{' '}
      {(['markdown', 'html', 'json'] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="quiet"
          aria-label={`${t('exportFound')}: ${t(formats[format].label)}`}
          onClick={() => run(format)}
        >
          {t(formats[format].label)}
        </button>
      ))}
    </span>
  );
}
