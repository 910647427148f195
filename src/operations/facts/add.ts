import { z } from 'zod';
import { mayRead } from '../../auth/access.js';
import { pinnedSince, valueEntered, withChange } from '../../facts/by-hand.js';
import { kindOf } from '../../facts/predicates.js';
import { readValue } from '../../facts/values.js';
import type { FactName, ImportedFactChange, ImportedFactChanges } from '../../importers/contract.js';
import { applySecretPolicyToText } from '../../ingestion/secret-policy.js';
import { conflictAt, invalidInput, MemoryError } from '../../model/errors.js';
import { type Fact, type FactChange, factId, subjectKeyOf } from '../../model/fact.js';
import { noted } from '../../model/parse.js';
import { storableText } from '../../model/text.js';
import { anyCase, notBlank, projectId, textUpTo } from '../fields.js';
import type { Call, Operation } from '../operation.js';
import type { Service } from '../service.js';
import {
  type ChangeOutput,
  changeFacts,
  changeOutput,
  enteredFact,
  refuseInferred,
  shown,
  valueInput,
} from './change.js';

/*
 * Facts that a user adds, one by one or by importing changes made elsewhere.
 */

const subjectInput = noted(
  textUpTo(1_024)
    .transform((text) => storableText(text).replace(/\s+/g, ' ').trim())
    .refine((text) => text !== '', 'must not be blank'),
  { pattern: notBlank },
);

const predicateInput = noted(
  z
    .string()
    .transform((text) => text.trim().toLowerCase())
    .refine((text) => /^[a-z][a-z0-9_]{0,99}$/.test(text), 'must be a name such as profile_location or owns_car'),
  // The service itself counts `recurring_topic`.
  { pattern: `^\\s*(?!${anyCase('recurring_topic')}\\s*$)[A-Za-z][A-Za-z0-9_]{0,99}\\s*$` },
);

const input = z.strictObject({
  subject: subjectInput.default('user').describe('The person or thing it is about; `user` is the speaker'),
  predicate: predicateInput.describe(
    'A name such as profile_location; a predicate that is not documented accepts any number of values',
  ),
  value: valueInput.describe('The value, as it will be shown'),
  project_id: projectId.optional(),
});

/**
 * A fact entered by the user. It counts as stated now, so for a single-valued predicate it replaces the older value.
 */
export const addFact: Operation<z.infer<typeof input>, ChangeOutput> = {
  name: 'facts_add',
  summary: 'Add a fact by hand',
  input,
  output: changeOutput,
  async run(service, call, { predicate, project_id, ...given }) {
    const value = applySecretPolicyToText(given.value, 'value', service.settings);
    const subject = applySecretPolicyToText(given.subject, 'subject', service.settings);
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
        // A caller without read access must not learn that a value is pinned; it stays current whatever they add.
        const isTold = mayRead(call.principal);
        if (isTold && pin !== undefined && pin.id !== id && kindOf(predicate)?.values === 'one') {
          throw conflictAt('predicate', `has a pinned value; correct or unpin ${pin.id} first`);
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

/** Replays the changes of an export with their times. Changes that were already made have no effect. */
export async function importChanges(service: Service, call: Call, imported: ImportedFactChanges): Promise<void> {
  const { project, changes } = imported;
  const name = checkedName(service, imported.fact);
  await changeFacts(service, call, {
    projectId: project,
    about: name,
    also: (projectId) => [idIn(projectId, name)],
    edit(known, { projectId, ...place }) {
      const idOf = (other: FactName): string => idIn(projectId, other);
      const id = idOf(name);
      const entered = changes.flatMap(({ value }) => checkedValue(service, value) ?? [])[0];
      if (entered !== undefined) refuseInferred(name.predicate, 'predicate');
      const before =
        known.get(id) ??
        (entered === undefined ? undefined : enteredFact({ projectId, ...place }, { ...name, value: entered, id }));
      // Its conversation was not imported.
      if (before === undefined)
        throw new MemoryError('not_found', 'a change made by hand refers to a fact that was not imported');
      const isNew = ({ kind, at }: ImportedFactChange): boolean =>
        before.changes?.some((made) => made.kind === kind && made.at === at) !== true;
      const fresh = changes.filter(isNew);
      if (fresh.length === 0) return undefined;
      const withValue = (change: ImportedFactChange) => ({ ...change, value: checkedValue(service, change.value) });
      const fact = fresh.map(withValue).reduce<Fact>((so, change) => withImported(so, change, idOf), before);
      const inOrder = [...(fact.changes ?? [])].sort((one, other) => (one.at < other.at ? -1 : 1));
      const sources = [...fact.sources].sort((one, other) => (one.stated_at < other.stated_at ? -1 : 1));
      return { changed: [{ ...fact, sources, changes: inOrder }] };
    },
  });
}

function idIn(projectId: string, { subject, predicate, objectKey }: FactName): string {
  return factId({ projectId, subjectKey: subjectKeyOf(subject), predicate, objectKey });
}

/** Validated like user input, because an export file is untrusted. */
function checkedName({ settings }: Service, { subject, predicate, objectKey }: FactName): FactName {
  const [who, what] = [subjectInput.safeParse(subject).data, predicateInput.safeParse(predicate).data];
  if (who === undefined) throw invalidInput('subject', 'of a fact must be a name of at most 1024 characters');
  if (what === undefined) throw invalidInput('predicate', 'of a fact must be a name such as profile_location');
  return { subject: applySecretPolicyToText(who, 'subject', settings), predicate: what, objectKey };
}

function checkedValue({ settings }: Service, value: string | undefined): string | undefined {
  const checked = valueInput.safeParse(value).data;
  return checked === undefined ? undefined : applySecretPolicyToText(checked, 'value', settings);
}

interface Checked extends Omit<ImportedFactChange, 'value'> {
  value: string | undefined;
}

function withImported(fact: Fact, imported: Checked, idOf: (name: FactName) => string): Fact {
  const { kind, at, other, pinned, until } = imported;
  if (kind === 'corrected') {
    const change: FactChange | undefined = other && { kind, at, by: idOf(other) };
    return change === undefined ? fact : withChange(fact, change);
  }
  if (kind === 'retracted') return withChange(fact, { kind, at, ...(until === undefined ? {} : { until }) });
  if (kind === 'detached') {
    const isMeant = (source: Fact['sources'][number]): boolean =>
      (imported.detached ?? []).some(
        ({ message_index, start, stated_at }) =>
          source.message_index === message_index && source.start === start && source.stated_at === stated_at,
      );
    const sources = fact.sources.filter((source) => source.by_hand !== true && isMeant(source));
    return sources.length === 0 ? fact : withChange(fact, { kind, at, sources });
  }
  if (kind !== 'added') return withChange(fact, { kind, at });
  const { value } = imported;
  if (value === undefined) return fact;
  const corrects = other === undefined ? {} : { corrects: idOf(other) };
  return withChange(fact, { kind, at, ...corrects, ...(pinned ? { pinned } : {}) }, value);
}
