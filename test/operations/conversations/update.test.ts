import { expect, test } from 'vitest';
import { localPrincipal } from '../../../src/auth/access.js';
import { operations } from '../../../src/operations/table.js';
import { aNote } from '../../support/conversation.js';
import { aService } from '../../support/service.js';

test('a new title or tag leaves the tags that come from what was said', async () => {
  const started = await aService();
  const { id } = await started.insert(aNote('I live in Porto. I speak Polish.', { title: 'About me' }));
  const call = { principal: localPrincipal, defaultSource: 'unknown' };
  const facts = (tags: unknown): string[] => (tags as string[]).filter((tag) => tag.startsWith('fact:')).sort();
  const { memory: before } = await operations.retrieve.execute(started.service, call, { id });
  expect(facts(before.metadata.auto_tags)).toHaveLength(2);
  for (const change of [{ title: 'Me' }, { add_tags: ['home'] }, { remove_tags: ['home'] }]) {
    const { memory } = await operations.conversations_update.execute(started.service, call, { id, ...change });
    expect(facts(memory?.metadata.auto_tags)).toEqual(facts(before.metadata.auto_tags));
    expect(memory?.metadata.tag_sources).toMatchObject(
      Object.fromEntries(facts(before.metadata.auto_tags).map((tag) => [tag, expect.anything()])),
    );
  }
});
