import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AskOutput } from '../../../../src/operations/ask/shapes.js';
import { Failure, Waiting } from '../../components/notice.js';
import { ConversationPane } from '../../reading/conversation-pane.js';
import { paramsOf, type Target, targetIn } from '../../reading/target.js';
import { goTo, linkTo, type ViewProps } from '../../router.js';
import { t } from '../../strings/text.js';
import { useCall } from '../../use-call.js';
import { useKeys } from '../../use-keys.js';
import { FilterBar } from '../search/filter-bar.js';
import { bodyOf, filterNames, filtersIn } from '../search/filters.js';
import { Answered } from './answered.js';
import { askOnce, forgetAnswer } from './answers.js';
import { Examples } from './examples.js';
import { Earlier, earlierIn, FollowUp, withEarlier } from './follow-up.js';

/** The question is in the address: an answer can be linked to, and going back asks nothing again. */
export function AskView({ place: { params } }: ViewProps) {
  const question = (params.get('q') ?? '').trim();
  const filters = filtersIn(params);
  const opened = targetIn(params);
  const earlier = earlierIn(params);
  const [typed, setTyped] = useState(question);
  useEffect(() => setTyped(question), [question]);
  const link = (changes: Record<string, string | undefined>): string =>
    linkTo('ask', { ...Object.fromEntries(params), ...changes });
  const hrefOf = (target: Target): string => link(paramsOf(target));
  const body = bodyOf(filters);
  const called = useCall(JSON.stringify([question, body]), async (signal) =>
    question === '' ? undefined : askOnce({ question, ...body }, signal),
  );
  const ask = (): void => {
    const next = typed.trim();
    if (next === '') return;
    if (next !== question) goTo(link({ q: next, earlier: undefined, ...paramsOf(undefined) }));
    else {
      // The same once more: something new may have been saved.
      forgetAnswer({ question, ...body });
      called.reload();
    }
  };
  const followHref = (next: string): string =>
    link({ q: next, earlier: withEarlier(earlier, question), ...paramsOf(undefined) });
  const close = link(paramsOf(undefined));
  useKeys({ Escape: () => opened !== undefined && goTo(close) });
  return (
    <div class={opened === undefined ? 'search asking' : 'search asking with-pane'}>
      <section class="list ask">
        <h1>{t('ask')}</h1>
        <form
          class="question"
          onSubmit={(event) => {
            event.preventDefault();
            ask();
          }}
        >
          <input
            class="query"
            aria-label={t('askLabel')}
            placeholder={t('askPlaceholder')}
            value={typed}
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit" class="primary">
            {t('askButton')}
          </button>
        </form>
        <FilterBar
          filters={filters}
          projects={[]}
          onChange={(next) => {
            const none = Object.fromEntries(filterNames.map((name) => [name, undefined]));
            goTo(link({ ...none, ...next, ...paramsOf(undefined) }));
          }}
        />
        <Earlier
          earlier={earlier}
          filters={body}
          hrefOf={(index) =>
            link({ q: earlier[index], earlier: earlier.slice(0, index).join('\n'), ...paramsOf(undefined) })
          }
          startOver={link({ q: undefined, earlier: undefined, ...paramsOf(undefined) })}
        />
        {question === '' ? (
          <Examples />
        ) : (
          <Outcome
            question={question}
            called={called}
            opened={opened}
            hrefOf={hrefOf}
            next={
              <FollowUp asked={[...earlier, question]} hrefOf={followHref} onAsk={(next) => goTo(followHref(next))} />
            }
          />
        )}
      </section>
      {opened === undefined ? null : (
        <ConversationPane target={opened} words={[]} projectId={filters.project_id} hrefOf={hrefOf} closeHref={close} />
      )}
    </div>
  );
}

interface OutcomeProps {
  question: string;
  called: ReturnType<typeof useCall<AskOutput | undefined>>;
  opened: Target | undefined;
  hrefOf: (target: Target) => string;
  next: ComponentChildren;
}

function Outcome({ question, called, opened, hrefOf, next }: OutcomeProps) {
  if (called.kind === 'failed') return <Failure error={called.error} onRetry={called.reload} />;
  if (called.kind === 'waiting' || called.answer === undefined) return <Waiting />;
  return <Answered question={question} answer={called.answer} opened={opened} hrefOf={hrefOf} next={next} />;
}
