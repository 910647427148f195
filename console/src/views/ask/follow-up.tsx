import { useEffect, useState } from 'preact/hooks';
import { t } from '../../strings/text.js';
import { answerKnown } from './answers.js';
import { useExamples } from './examples.js';
import { shortAnswer } from './lead.js';

const mostEarlier = 8;

/** The questions before this one, oldest first; they are in the address as lines. */
export function earlierIn(params: URLSearchParams): string[] {
  return (params.get('earlier') ?? '').split('\n').filter((line) => line.trim() !== '');
}

/** The address of the next question carries those before it. */
export function withEarlier(earlier: readonly string[], question: string): string | undefined {
  const all = [...earlier.filter((each) => each !== question), question].filter((each) => each !== '');
  return all.length === 0 ? undefined : all.slice(-mostEarlier).join('\n');
}

interface EarlierProps {
  earlier: readonly string[];
  /** What the questions were limited to. */
  filters: object;
  hrefOf: (index: number) => string;
  startOver: string;
}

/** What was asked before, with the short answers; each leads back to its own page, which asks nothing again. */
export function Earlier({ earlier, filters, hrefOf, startOver }: EarlierProps) {
  if (earlier.length === 0) return null;
  return (
    <nav class="earlier" aria-label={t('askedBefore')}>
      <ol>
        {earlier.map((question, index) => {
          const answer = answerKnown({ question, ...filters });
          return (
            <li key={question}>
              <a href={hrefOf(index)}>{question}</a>
              {answer === undefined ? null : <span class="about">{shortAnswer(answer) ?? t('notInMemory')}</span>}
            </li>
          );
        })}
      </ol>
      <a class="about" href={startOver}>
        {t('startOver')}
      </a>
    </nav>
  );
}

interface FollowUpProps {
  /** This question and those before it. */
  asked: readonly string[];
  hrefOf: (question: string) => string;
  onAsk: (question: string) => void;
}

const mostSuggested = 3;

/** A field for the next question under the answer, and questions that this memory can answer. */
export function FollowUp({ asked, hrefOf, onAsk }: FollowUpProps) {
  const [typed, setTyped] = useState('');
  const question = asked.at(-1);
  useEffect(() => setTyped(''), [question]);
  const suggested = useExamples()
    .filter((each) => !asked.includes(each))
    .slice(0, mostSuggested);
  return (
    <section class="follow-up" aria-label={t('followUp')}>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') onAsk(typed.trim());
        }}
      >
        <input
          aria-label={t('followUpLabel')}
          placeholder={t('followUp')}
          value={typed}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit">{t('askButton')}</button>
      </form>
      {suggested.length === 0 ? null : (
        <ul aria-label={t('suggestions')}>
          {suggested.map((each) => (
            <li key={each}>
              <a class="chip add" href={hrefOf(each)}>
                {each}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
