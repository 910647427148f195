import type { PersonOutput } from '../../../../src/operations/people.js';
import { factName } from '../../strings/fact-name.js';
import { t } from '../../strings/text.js';

/** What they are to the user, in the language of the page. */
export function relationsOf({ relations }: PersonOutput): string[] {
  return relations.map((relation) => factName(`relation_${relation.replaceAll(' ', '_')}`));
}

/** The name, or what they are where no name was ever said. */
export function nameOf(person: PersonOutput): string {
  return person.name ?? (relationsOf(person).join(', ') || t('untitled'));
}

export function otherNamesOf({ other_names }: PersonOutput): string {
  return other_names.join(', ');
}
