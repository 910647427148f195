import { useState } from 'preact/hooks';
import type { Label } from '../../../../src/operations/conversations/list.js';
import { Failure, Waiting } from '../../components/notice.js';
import { linkTo } from '../../router.js';
import { number, t } from '../../strings/text.js';
import { useLabels } from '../../use-labels.js';

const mostShown = 60;

/** Everything by tag and by topic. Counted when it is opened: the service walks over every conversation for it. */
export function Browse() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="browse" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('browse')}</summary>
      {isOpen ? <Labels /> : null}
    </details>
  );
}

function Labels() {
  const { labels, error, reload } = useLabels();
  const [typed, setTyped] = useState('');
  if (error !== undefined) return <Failure error={error} onRetry={reload} />;
  if (labels === undefined) return <Waiting />;
  const words = typed.trim().replace(/^#/, '').toLocaleLowerCase();
  const of = (kind: Label['kind']): Label[] =>
    labels.filter((label) => label.kind === kind && label.name.toLocaleLowerCase().includes(words)).slice(0, mostShown);
  const [tags, topics] = [of('tag'), of('topic')];
  return (
    <>
      <input
        type="search"
        aria-label={t('browseFind')}
        placeholder={t('browseFind')}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {tags.length + topics.length === 0 ? <p class="about">{t('noResults')}</p> : null}
      <Chips title={t('tags')} labels={tags} hrefOf={(name) => linkTo('search', { tags: name })} mark="#" />
      <Chips title={t('topics')} labels={topics} hrefOf={(name) => linkTo('search', { q: name })} mark="" />
    </>
  );
}

interface ChipsProps {
  title: string;
  labels: readonly Label[];
  hrefOf: (name: string) => string;
  mark: string;
}

function Chips({ title, labels, hrefOf, mark }: ChipsProps) {
  if (labels.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <p class="chips">
        {labels.map(({ name, conversations }) => (
          <a key={name} class="chip" href={hrefOf(name)}>
            {mark}
            {name} <span class="about">{number(conversations)}</span>
          </a>
        ))}
      </p>
    </>
  );
}
