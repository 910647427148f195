import { z } from 'zod';
import { mayRead } from '../../auth/access.js';
import { pinnedSince, valueEntered, withChange } from '../../facts/by-hand.js';
import { kindOf } from '../../facts/predicates.js';
import { readValue } from '../../facts/values.js';
import { guardText } from '../../ingestion/secret-policy.js';
import { invalidInput } from '../../model/errors.js';
import { factId, subjectKeyOf } from '../../model/fact.js';
import { noted } from '../../model/schema-note.js';
import { storableText } from '../../model/text.js';
import { anyCase, notBlank, projectId, textUpTo } from '../fields.js';
import type { Operation } from '../operation.js';
import {
  type ChangeOutput,
  changeFacts,
  changeOutput,
  enteredFact,
  refuseInferred,
  shown,
  valueInput,
} from './change.js';

export const subjectInput = noted(
  textUpTo(1_024)
    .transform((text) => storableText(text).replace(/\s+/g, ' ').trim())
    .refine((text) => text !== '', 'must not be blank'),
  { pattern: notBlank },
);

export const predicateInput = noted(
  z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine((text) => /^[a-z][a-z0-9_]{0,99}$/.test(text), 'must be a name such as profile_location or owns_car'),
  // `recurring_topic` is counted by the service.
  { pattern: `^\\s*(?!${anyCase('recurring_topic')}\\s*$)[A-Za-z][A-Za-z0-9_]{0,99}\\s*$` },
);

const input = z.strictObject({
  subject: subjectInput.default('user').describe('Whom or what it is about; `user` is the speaker'),
  predicate: predicateInput.describe(
    'Such as profile_location; one that the manual does not list takes any number of values',
  ),
  value: valueInput.describe('In the words it is to be shown in'),
  project_id: projectId.optional(),
});

/** A fact that the user enters: it counts as said now, so of one value it takes the place of the older. */
export const addFact: Operation<z.infer<typeof input>, ChangeOutput> = {
  name: 'facts_add',
  summary: 'Add a fact by hand',
  input,
  output: changeOutput,
  async run(service, call, { predicate, project_id, ...given }) {
    const value = guardText(given.value, 'value', service.settings);
    const subject = guardText(given.subject, 'subject', service.settings);
    refuseInferred(predicate, 'predicate');
    const { key: objectKey } = readValue(predicate, value);
    const idIn = (projectId: string): string =>
      factId({ projectId, subjectKey: subjectKeyOf(subject), predicate, objectKey });
    let id = '';
    const now = await changeFacts(service, call, {
      event: 'fact_added',
      projectId: project_id,
      about: { subject, predicate },
      also: (projectId) => [idIn(projectId)],
      edit(known, place) {
        id = idIn(place.projectId);
        const fact = known.get(id) ?? enteredFact(place, { subject, predicate, value, id });
        const pin = [...known.values()].find((each) => each.predicate === predicate && pinnedSince(each) !== undefined);
        // Whoever may not read is not told that something is pinned: it stays current whatever they add.
        const isTold = mayRead(call.principal);
        if (isTold && pin !== undefined && pin.id !== id && kindOf(predicate)?.values === 'one') {
          throw invalidInput('predicate', `has a pinned value; correct or unpin ${pin.id} first`);
        }
        const last = fact.changes?.at(-1);
        const isSo = last?.kind === 'added' && valueEntered(fact, last) === value && fact.status === 'active';
        return isSo ? undefined : { changed: [withChange(fact, { kind: 'added', at: place.timeFor(fact) }, value)] };
      },
    });
    const fact = now.get(id);
    return { status: 'ok', id, ...(fact === undefined ? {} : shown(call.principal, fact)) };
  },
};
