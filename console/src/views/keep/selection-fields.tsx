import type { ComponentChildren } from 'preact';
import type { Project } from '../../../../src/operations/accounts.js';
import type { Label } from '../../../../src/operations/conversations/list.js';
import { get } from '../../api.js';
import { type Choice, Picker } from '../../components/picker.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { useLabels } from '../../use-labels.js';

/** Which conversations are meant. What is not given does not limit them. */
export interface Selection {
  project_id?: string;
  source?: string;
  tags?: string[];
  thread_id?: string;
  date_from?: string;
  date_to?: string;
  import_id?: string;
}

interface SelectionFieldsProps {
  selection: Selection;
  onChange: (selection: Selection) => void;
  children?: ComponentChildren;
}

/** Chooses conversations by where they are, where they came from and when they were. Nothing has to be typed exactly. */
export function SelectionFields({ selection, onChange, children }: SelectionFieldsProps) {
  const { project_id } = selection;
  const { labels = [] } = useLabels({ memory_status: 'all', ...(project_id === undefined ? {} : { project_id }) });
  const projects = answerIn(
    useCall('projects', (signal) => get<{ results: Project[] }>('/memory/projects', { signal })),
  )?.results;
  const set = (changes: Selection): void => onChange(given({ ...selection, ...changes }));
  return (
    <>
      {projects !== undefined && projects.length > 1 ? (
        <label class="field">
          {t('project')}
          <select
            name="project_id"
            value={project_id ?? ''}
            // Sources, tags, threads and imports are those of one project.
            onChange={(event) => onChange(given({ project_id: event.currentTarget.value }))}
          >
            {projects.map(({ id, name, is_default }) => (
              <option key={id} value={is_default ? '' : id}>
                {is_default ? t('ownProject') : name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <label class="field">
        {t('source')}
        <select
          name="source"
          value={selection.source ?? ''}
          onChange={(event) => set({ source: event.currentTarget.value })}
        >
          <option value="">{t('anySource')}</option>
          {labelsOf(labels, 'source').map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Picker
        label={t('tag')}
        name="tags"
        choices={labelsOf(labels, 'tag').map(({ name, conversations }) => ({
          value: name,
          label: `#${name}`,
          count: conversations,
        }))}
        chosen={selection.tags ?? []}
        onChange={(tags) => set({ tags })}
      />
      <Picker
        label={t('forgetThread')}
        name="thread_id"
        choices={labelsOf(labels, 'thread').map(threadChoice)}
        chosen={selection.thread_id === undefined ? [] : [selection.thread_id]}
        single
        onChange={([thread_id = '']) => set({ thread_id })}
      />
      {(['date_from', 'date_to'] as const).map((name) => (
        <label key={name} class="field">
          {t(name === 'date_from' ? 'dateFrom' : 'dateTo')}
          <input
            type="date"
            name={name}
            value={selection[name] ?? ''}
            onInput={(event) => set({ [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      {children}
    </>
  );
}

function labelsOf(labels: readonly Label[], kind: Label['kind']): Label[] {
  return labels.filter((label) => label.kind === kind);
}

function threadChoice({ name, title, conversations }: Label): Choice {
  return { value: name, label: title === undefined ? name : `${title} (${name})`, count: conversations };
}

/** Without what is empty. */
export function given(selection: Selection): Selection {
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value.length > 0));
}
