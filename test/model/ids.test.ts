import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../src/model/conversation.js';
import { canonicalUuid, projectIdPattern } from '../../src/model/ids.js';
import fc from '../support/properties.js';

const id = '3f2b8c1a-9d4e-4f6a-8b7c-0d1e2f3a4b5c';

describe('canonicalUuid', () => {
  // Reference bug 33: one UUID in two spellings was two memories.
  it.each([id, id.toUpperCase(), ` ${id}\n`])('gives %j its lower-case form', (text) => {
    expect(canonicalUuid(text)).toBe(id);
  });

  it.each([`{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), `${id}0`, id.replace('f', 'g'), '', 'null'])(
    'refuses %j',
    (text) => {
      expect(canonicalUuid(text)).toBeUndefined();
    },
  );

  it('accepts a UUID of any version', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(canonicalUuid(uuid.toUpperCase())).toBe(uuid);
      }),
    );
  });
});

describe('scopeOf', () => {
  it('names the project, and the status of what is not active', () => {
    expect(scopeOf('team', 'active')).toBe('project:team');
    expect(scopeOf('team', 'pending_review')).toBe('project:team:pending_review');
    expect(scopeOf('team', 'rejected')).toBe('project:team:rejected');
  });

  it('gives no two projects or statuses the same scope', () => {
    const projectId = fc.stringMatching(projectIdPattern);
    const status = fc.constantFrom('active', 'pending_review', 'rejected');
    fc.assert(
      fc.property(fc.tuple(projectId, status), fc.tuple(projectId, status), (one, other) => {
        expect(scopeOf(...one) === scopeOf(...other)).toBe(one.join(' ') === other.join(' '));
      }),
    );
  });
});
