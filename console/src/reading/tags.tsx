import { useState } from 'preact/hooks';
import type { UpdateOutput } from '../../../src/operations/conversations/update.js';
import type { ConversationOutput } from '../../../src/operations/present.js';
import { post } from '../api.js';
import { tellChange } from '../changes.js';
import { focusOnce } from '../components/focus-once.js';
import { Failure } from '../components/notice.js';
import { linkTo } from '../router.js';
import { t } from '../strings/text.js';

export interface ChangeProps {
  memory: ConversationOutput;
  project: object;
  onChange: (memory: ConversationOutput) => void;
}

/** The tags of a conversation: each leads to the others that have it, and goes away by its cross. */
export function Tags({ memory, project, onChange }: ChangeProps) {
  const tags = Array.isArray(memory.metadata.tags) ? memory.metadata.tags.map(String) : [];
  const [adding, setAdding] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  const change = (fields: object): void => {
    setFailure(undefined);
    updateConversation(memory, { ...fields, ...project }).then(onChange, setFailure);
  };
  return (
    <>
      {tags.map((tag) => (
        <span class="chip" key={tag}>
          <a href={linkTo('search', { tags: tag })}>#{tag}</a>
          <button type="button" aria-label={`${t('remove')}: #${tag}`} onClick={() => change({ remove_tags: [tag] })}>
            ×
          </button>
        </span>
      ))}
      {adding === undefined ? (
        <button type="button" class="chip add" onClick={() => setAdding('')}>
          + {t('tag')}
        </button>
      ) : (
        <form
          class="add-tag"
          onSubmit={(event) => {
            event.preventDefault();
            const tag = adding.trim().replace(/^#/, '');
            setAdding(undefined);
            if (tag !== '') change({ add_tags: [tag] });
          }}
        >
          <input
            ref={focusOnce}
            aria-label={t('newTag')}
            placeholder={t('newTag')}
            value={adding}
            maxLength={128}
            autocomplete="off"
            onInput={(event) => setAdding(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              setAdding(undefined);
            }}
            onBlur={() => adding === '' && setAdding(undefined)}
          />
        </form>
      )}
      {failure === undefined ? null : <Failure error={failure} />}
    </>
  );
}

/** Changes the heading of a conversation; a token that may not read gets no answer to show, so the old one stays. */
export async function updateConversation(memory: ConversationOutput, fields: object): Promise<ConversationOutput> {
  const answer = await post<UpdateOutput>('/memory/conversations/update', { id: memory.id, ...fields });
  tellChange();
  return answer.memory ?? memory;
}
