import { type Fact, factId, subjectKeyOf } from '../../src/model/fact.js';

/** A fact as stored; a test names the parts its assertion depends on. */
export function aFact(parts: Partial<Fact> & { predicate: string; object_normalized: string }): Fact {
  const { predicate, object_normalized, subject = 'user', stated_at = '2026-01-01T00:00:00.000Z' } = parts;
  const subject_key = subjectKeyOf(subject);
  const object_key = object_normalized.toLowerCase();
  return {
    id: factId({ projectId: 'p', subjectKey: subject_key, predicate, objectKey: object_key }),
    project_id: 'p',
    owner_id: 'local',
    subject,
    subject_key,
    object_raw: object_normalized,
    object_key,
    qualifiers: {},
    source_quality: 'direct_user_statement',
    confidence: 'high',
    confidence_reason: 'The user said so.',
    status: 'active',
    stated_at,
    created_at: stated_at,
    updated_at: stated_at,
    last_confirmed_at: stated_at,
    sources: [],
    source_names: [],
    conversation_ids: [],
    ...parts,
  };
}
