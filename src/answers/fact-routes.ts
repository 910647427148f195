/** Which predicates answer which questions. How each is asked for is part of the languages, by its id. */
export interface FactRoute {
  id: string;
  /** Predicates, or beginnings of families (`owns_`) that the group `x` of a question completes. */
  predicates: readonly string[];
  /** Only facts whose value holds the words behind the question: "do I like olives", "am I vegetarian". */
  named?: true;
  /** Only facts whose value is such a one: a town alone is no address. */
  value?: RegExp;
}

/** The first route that fits wins, so the narrow ones stand before the wide ones. */
export const factRoutes: readonly FactRoute[] = [
  { id: 'surname', predicates: ['profile_surname'] },
  { id: 'nickname', predicates: ['profile_nickname'] },
  { id: 'name', predicates: ['profile_name'] },
  { id: 'email', predicates: ['profile_email'] },
  { id: 'address', predicates: ['profile_location'], value: /\p{N}/u },
  { id: 'location', predicates: ['profile_location'] },
  { id: 'origin', predicates: ['profile_origin'] },
  { id: 'employer', predicates: ['profile_employer'] },
  { id: 'role', predicates: ['profile_role'] },
  { id: 'birthday', predicates: ['profile_birthday', 'profile_birth_year'] },
  { id: 'age', predicates: ['profile_age', 'profile_birth_year'] },
  { id: 'allergies', predicates: ['allergic_to'] },
  { id: 'isAllergic', predicates: ['allergic_to'], named: true },
  { id: 'condition', predicates: ['profile_condition'] },
  { id: 'date', predicates: ['date_'] },
  { id: 'relation', predicates: ['relation_', 'pet_'] },
  { id: 'pets', predicates: ['pet_'] },
  { id: 'family', predicates: ['family'] },
  { id: 'favourite', predicates: ['favorite_'] },
  { id: 'owned', predicates: ['owns_'] },
  { id: 'possessions', predicates: ['owns_'] },
  { id: 'dislikes', predicates: ['dislikes'] },
  { id: 'isLiked', predicates: ['likes', 'dislikes'], named: true },
  { id: 'likes', predicates: ['likes'] },
  { id: 'preferences', predicates: ['prefers'] },
  { id: 'isPreferred', predicates: ['prefers'], named: true },
  { id: 'nativeLanguage', predicates: ['native_language'] },
  { id: 'languages', predicates: ['speaks', 'native_language'] },
  { id: 'isSpoken', predicates: ['speaks', 'native_language'], named: true },
  { id: 'plays', predicates: ['plays'] },
  { id: 'isPlayed', predicates: ['plays'], named: true },
  { id: 'learning', predicates: ['learning'] },
  { id: 'studied', predicates: ['studied'] },
  { id: 'skills', predicates: ['knows'] },
  { id: 'plans', predicates: ['plans'] },
  { id: 'goals', predicates: ['goal'] },
  { id: 'habits', predicates: ['habit'] },
  { id: 'topics', predicates: ['recurring_topic'] },
  { id: 'isSo', predicates: ['profile_identity'], named: true },
  { id: 'profile', predicates: ['profile_', 'family', 'speaks', 'likes'] },
  { id: 'creator', predicates: ['creator'] },
  { id: 'command', predicates: ['command_name'] },
  { id: 'projectName', predicates: ['project_name'] },
  { id: 'deadline', predicates: ['deadline'] },
  { id: 'launch', predicates: ['launch_date'] },
  { id: 'strategy', predicates: ['_strategy'] },
  { id: 'tools', predicates: ['uses'] },
  { id: 'decisions', predicates: ['decision'] },
];
