import { useState } from 'preact/hooks';
import type { Project } from '../../../../src/operations/accounts.js';
import { get } from '../../api.js';
import { Failure, Waiting } from '../../components/notice.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';
import { Members } from './members.js';
import { Tokens } from './tokens.js';

/** The projects of a person, who is in them, and the person's own tokens. */
export function ProjectsView({ place: { params } }: ViewProps) {
  const called = useCall('projects', (signal) => get<{ results: Project[] }>('/memory/projects', { signal }));
  const projects = answerIn(called)?.results;
  const [failure, setFailure] = useState<Error>();
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (projects === undefined) return <Waiting />;
  const opened = params.get('project') ?? undefined;
  return (
    <section class="page projects">
      <h1>{t('projects')}</h1>
      {failure === undefined ? null : <Failure error={failure} />}
      <ul class="plain-list">
        {projects.map(({ id, name, description, role, is_default }) => (
          <li key={id} class="card">
            <h2>
              {name} <span class="state">{t(is_default ? 'ownProject' : `role_${role}`)}</span>
            </h2>
            {description === undefined ? null : <p class="plain">{description}</p>}
            <p class="about">
              <code>{id}</code>
            </p>
            <p class="actions">
              <a href={linkTo('search', { project_id: is_default ? undefined : id })}>{t('searchHere')}</a>
              {is_default ? null : (
                <button
                  type="button"
                  aria-expanded={opened === id}
                  onClick={() => goTo(linkTo('projects', { project: opened === id ? undefined : id }))}
                >
                  {t('members')}
                </button>
              )}
            </p>
            {opened === id ? <Members projectId={id} onFailure={setFailure} /> : null}
          </li>
        ))}
      </ul>
      <Tokens onFailure={setFailure} />
    </section>
  );
}
