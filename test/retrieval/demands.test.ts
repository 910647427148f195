import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/model/conversation.js';
import { finished } from '../../src/model/steps.js';
import { judgingDemands } from '../../src/retrieval/demands.js';

const role: Role = 'user';

function isIn(text: string, kind: 'code' | 'link' | 'image'): boolean {
  const subject = { text, role, sources: [], threadIds: [], titles: [], tags: [] };
  return finished(judgingDemands(subject, { wanted: [{ kind: 'has', value: kind }], unwanted: [] }));
}

describe('what a message has', () => {
  const filler = 'lorem ipsum dolor '.repeat(900);

  it.each([
    ['code', '`x = 1`'],
    ['code', `\`${'x'.repeat(499)}\``],
    ['link', 'https://example.org'],
    ['image', `![${'a'.repeat(500)}](b.tiff)`],
    ['image', 'roof.png'],
  ] as const)('is found wherever a portion of a long text ends: %s', (kind, part) => {
    for (let shift = 0; shift < 400; shift += 7)
      expect(isIn(`${'z'.repeat(shift)} ${filler}${part} ${filler}`, kind)).toBe(true);
    expect(isIn(filler.repeat(5), kind)).toBe(false);
  });

  it('is no word that only begins like it', () => {
    for (let shift = 0; shift < 2_000; shift += 13)
      expect(isIn(`${'z'.repeat(shift)} ${filler}roof.pngs ${filler}`, 'image')).toBe(false);
  });
});
