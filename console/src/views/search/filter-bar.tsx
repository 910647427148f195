import { useEffect, useRef, useState } from 'preact/hooks';
import { Calendar } from '../../components/calendar.js';
import type { Key } from '../../strings/en.js';
import { day, t } from '../../strings/text.js';
import { dialogIsOpen } from '../../use-keys.js';
import { useLabels } from '../../use-labels.js';
import { useSources } from '../../use-sources.js';
import { type FilterName, type Filters, tagsOf } from './filters.js';

interface FilterBarProps {
  filters: Filters;
  projects: readonly { id: string; name: string; is_default: boolean }[];
  onChange: (filters: Filters) => void;
}

/** What limits the results: chips that can be taken away, and a panel to add more. */
export function FilterBar({ filters, projects, onChange }: FilterBarProps) {
  const without = (name: FilterName, tag?: string): void => {
    const { [name]: gone, ...rest } = filters;
    const left = tag === undefined ? [] : tagsOf(gone).filter((each) => each !== tag);
    onChange(left.length === 0 ? rest : { ...rest, [name]: left.join(',') });
  };
  return (
    <div class="filters">
      {chipsOf(filters, projects).map(({ name, tag, label }) => (
        <span class="chip" key={`${name}${tag ?? ''}`}>
          {label}
          <button type="button" aria-label={`${t('remove')}: ${label}`} onClick={() => without(name, tag)}>
            ×
          </button>
        </span>
      ))}
      <FilterPanel filters={filters} projects={projects} onChange={onChange} />
      {Object.keys(filters).length > 1 ? (
        <button type="button" class="quiet" onClick={() => onChange({})}>
          {t('clear')}
        </button>
      ) : null}
    </div>
  );
}

interface Chip {
  name: FilterName;
  tag?: string;
  label: string;
}

function chipsOf(filters: Filters, projects: FilterBarProps['projects']): Chip[] {
  const labels: Record<Exclude<FilterName, 'tags'>, (value: string) => string> = {
    source: (value) => value,
    date_from: (value) => `${t('dateFrom')} ${day(value)}`,
    date_to: (value) => `${t('dateTo')} ${day(value)}`,
    thread_id: (value) => `${t('modeThreads')}: ${value}`,
    memory_status: (value) => t(value as Key),
    project_id: (value) => projects.find(({ id }) => id === value)?.name ?? value,
  };
  return Object.entries(filters).flatMap(([name, value]): Chip[] => {
    if (name === 'tags') return tagsOf(value).map((tag) => ({ name, tag, label: `#${tag}` }));
    const known = name as Exclude<FilterName, 'tags'>;
    return [{ name: known, label: labels[known](value) }];
  });
}

function FilterPanel({ filters, projects, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  const [tag, setTag] = useState('');
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event): void => {
      const outside = event.type === 'pointerdown' && !panel.current?.contains(event.target as Node);
      const escaped = event instanceof KeyboardEvent && event.key === 'Escape' && !dialogIsOpen();
      if (outside || escaped) setOpen(false);
    };
    addEventListener('pointerdown', leave);
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('pointerdown', leave);
      removeEventListener('keydown', leave);
    };
  }, [open]);
  const set = (name: FilterName, value: string): void => {
    const { [name]: _, ...rest } = filters;
    onChange(value === '' ? rest : { ...rest, [name]: value });
  };
  const addTag = (event: Event): void => {
    event.preventDefault();
    const all = [...new Set([...tagsOf(filters.tags), ...tagsOf(tag)])];
    if (all.length > 0) set('tags', all.join(','));
    setTag('');
  };
  return (
    <div class="filter-panel" ref={panel}>
      <button type="button" class="chip add" aria-expanded={open} onClick={() => setOpen(!open)}>
        + {t('addFilter')}
      </button>
      {open ? (
        <div class="panel" role="dialog" aria-label={t('filters')}>
          <SourceChoice value={filters.source} onChange={(value) => set('source', value)} />
          <Choice label={t('status')} value={filters.memory_status} onChange={(value) => set('memory_status', value)}>
            {[
              ['', t('active')],
              ['pending_review', t('pending_review')],
              ['rejected', t('rejected')],
              ['all', t('all')],
            ]}
          </Choice>
          {projects.length > 1 ? (
            <Choice label={t('project')} value={filters.project_id} onChange={(value) => set('project_id', value)}>
              {projects.map(({ id, name, is_default }) => (is_default ? ['', t('ownProject')] : [id, name]))}
            </Choice>
          ) : null}
          <form class="field" onSubmit={addTag}>
            <label>
              {t('tag')}
              <input
                value={tag}
                list="known-tags"
                onInput={(event) => setTag(event.currentTarget.value)}
                autocomplete="off"
              />
            </label>
            <KnownTags />
          </form>
          <fieldset class="bare presets" aria-label={t('dates')}>
            {presets().map(({ label, from, to }) => (
              <button
                key={label}
                type="button"
                class="chip add"
                onClick={() => onChange({ ...filters, date_from: from, date_to: to })}
              >
                {t(label)}
              </button>
            ))}
          </fieldset>
          <div class="calendars">
            <Calendar label={t('dateFrom')} value={filters.date_from} onChoose={(value) => set('date_from', value)} />
            <Calendar label={t('dateTo')} value={filters.date_to} onChoose={(value) => set('date_to', value)} />
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** Completes a tag that is typed. Asked for with the panel: the service walks over every conversation for it. */
function KnownTags() {
  const { labels = [] } = useLabels();
  return (
    <datalist id="known-tags">
      {labels.map(({ kind, name }) => (kind === 'tag' ? <option key={name} value={name} /> : null))}
    </datalist>
  );
}

/** Days are UTC days, as the filters are. */
function presets(): { label: Key; from: string; to: string }[] {
  const today = new Date().toISOString().slice(0, 10);
  const before = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  return [
    { label: 'today', from: today, to: today },
    { label: 'lastWeek', from: before(6), to: today },
    { label: 'lastMonth', from: before(29), to: today },
    { label: 'thisYear', from: `${today.slice(0, 4)}-01-01`, to: today },
  ];
}

function SourceChoice({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  const known = useSources(true);
  const sources = [...new Set([...known, ...(value === undefined ? [] : [value])])].sort();
  return (
    <Choice label={t('source')} value={value} onChange={onChange}>
      {[['', t('anySource')], ...sources.map((source) => [source, source])]}
    </Choice>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  children: string[][];
}

function Choice({ label, value = '', onChange, children }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {children.map(([key = '', text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
