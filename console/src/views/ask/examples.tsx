import type { ConversationList } from '../../../../src/operations/conversations/list.js';
import type { ProfileOutput } from '../../../../src/operations/facts/profile.js';
import { atMost, post } from '../../api.js';
import { linkTo } from '../../router.js';
import type { Key } from '../../strings/en.js';
import { t } from '../../strings/text.js';
import { answerIn, useCall } from '../../use-call.js';

/** Questions that this memory can answer, by what it knows. */
const byPredicate: Record<string, Key> = {
  profile_location: 'exampleLocation',
  profile_employer: 'exampleEmployer',
  allergic_to: 'exampleAllergy',
  pet_dog: 'exampleDog',
  pet_cat: 'exampleCat',
  favorite_color: 'exampleColor',
  plays: 'examplePlays',
  decision: 'exampleDecision',
  plans: 'examplePlans',
};
const most = 4;

/** Questions drawn from the user's own facts and latest conversations. */
export function useExamples(): string[] {
  const called = useCall('examples', async (signal) => {
    const [profile, recent] = await Promise.all([
      post<ProfileOutput>('/memory/profile/get', { limit: atMost(100) }, { signal }),
      post<ConversationList>('/memory/conversations/list', { limit: 6 }, { signal }),
    ]);
    const known = new Set(profile.facts.map(({ predicate }) => predicate));
    const facts = Object.entries(byPredicate).flatMap(([predicate, key]) => (known.has(predicate) ? [t(key)] : []));
    const titles = recent.results.flatMap(({ title }) =>
      title === undefined || title.length > 60 ? [] : [t('exampleTitle', { title })],
    );
    return [...facts, ...titles];
  });
  return answerIn(called) ?? [];
}

/** What to ask first. At least one is about a conversation, where there is one to ask about. */
export function Examples() {
  const all = useExamples();
  const facts = all.slice(0, most - 1);
  const questions = [...facts, ...all.slice(facts.length).reverse()].slice(0, most);
  return (
    <div class="notice examples">
      <p>{t('askHint')}</p>
      {questions.length === 0 ? null : (
        <ul aria-label={t('examples')}>
          {questions.map((question) => (
            <li key={question}>
              <a href={linkTo('ask', { q: question })}>{question}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
