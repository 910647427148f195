import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import type { Found, ImportedConversation } from '../../src/importers/contract.js';
import type { Principal } from '../../src/model/access.js';
import { type ImportOptions, importConversations } from '../../src/operations/import-conversations.js';
import { refusalOf } from '../support/failure.js';
import { aService, memberOf, type TestService } from '../support/service.js';

/** A conversation as an importer yields it: what the user and the assistant say in turn. */
function said(texts: readonly string[], parts: Partial<ImportedConversation> = {}): ImportedConversation {
  const messages = texts.map((text, index) => ({ role: index % 2 === 0 ? ('user' as const) : 'assistant', text }));
  return { source: 'chatgpt', messages, metadata: {}, ...parts } as ImportedConversation;
}

interface Import extends ImportOptions {
  principal?: Principal;
}

function imported(
  { service }: TestService,
  conversations: readonly ImportedConversation[],
  { principal = localPrincipal, ...options }: Import = {},
) {
  async function* found(): AsyncGenerator<Found> {
    for (const [index, conversation] of conversations.entries()) {
      yield { kind: 'conversation', place: `entry ${index + 1}`, conversation };
    }
  }
  return importConversations(service, { principal, defaultSource: 'x' }, found(), options);
}

/** What each stored conversation says, the first stored first. */
async function textsIn(service: TestService): Promise<string[][]> {
  const { body } = await service.request('/memory/conversations/list', { order: 'oldest' });
  const texts: string[][] = [];
  for (const { id } of body.results as { id: string }[]) {
    const { body: found } = await service.request('/memory/retrieve', { id });
    texts.push((found.memory as { messages: { text: string }[] }).messages.map(({ text }) => text));
  }
  return texts;
}

describe('a caller who may not write', () => {
  it('imports nothing, and learns nothing from a dry run', async () => {
    const service = await aService();
    const reader: Principal = { ...memberOf('ann-private'), scopes: ['memory:read'] };
    for (const dryRun of [false, true]) {
      const refusal = await refusalOf(imported(service, [said(['Hello.'])], { principal: reader, dryRun }));
      expect(refusal).toMatchObject({ code: 'insufficient_scope', fields: { required_scope: 'memory:write' } });
    }
    expect((await service.search({ query: 'Hello' }, memberOf('ann-private'))).results).toEqual([]);
    await service.service.audit.flush();
    expect(await service.service.audit.newest({ limit: 1 })).toMatchObject([
      { event: 'access_denied', reason: 'insufficient_scope', count: 2 },
    ]);
  });

  it('imports nothing into a project that is theirs to read only', async () => {
    const service = await aService();
    const principal: Principal = { ...memberOf('ann-private'), memberships: new Map([['team', 'reader']]) };
    const report = await imported(service, [said(['Hello.'], { project: 'team' })], { principal });
    expect(report).toMatchObject({ imported: 0, skipped: 1 });
    expect((await service.search({ query: 'Hello', project_id: 'team' }, principal)).results).toEqual([]);
  });
});

describe('a conversation that was edited since the last import', () => {
  const on = (timestamp: string) => ({ timestamp, metadata: { upstream_thread_id: 'ov' } });

  it('is kept beside the old one, also when it begins as the old one ends', async () => {
    const service = await aService();
    const before = ['Hi', 'Hello!', 'Hi'];
    const edited = ['Hi', 'Hey there!', 'What is the capital of Peru?'];
    expect(await imported(service, [said(before, on('2026-01-01'))])).toMatchObject({ imported: 1 });
    expect(await imported(service, [said(edited, on('2026-01-02'))])).toMatchObject({
      imported: 1,
      appended: 0,
      messages: 3,
    });
    const grown = [...edited, 'Lima.'];
    expect(await imported(service, [said(grown, on('2026-01-02'))])).toMatchObject({ imported: 0, appended: 1 });
    expect(await textsIn(service)).toEqual([before, grown]);
  });
});

describe('a dry run', () => {
  it('counts what a real run then does', async () => {
    const service = await aService();
    const thread = (upstream_thread_id: string) => ({ metadata: { upstream_thread_id } });
    await imported(service, [
      said(['a1', 'a2', 'a3'], thread('a')),
      said(['b1', 'b2'], thread('b')),
      said(['c1', 'c2'], thread('c')),
      said(['d1'], thread('d')),
    ]);
    const { results } = await service.search({ query: 'd1' });
    const ids = results.flatMap((each) => ('text' in each && each.text === 'd1' ? [each.id] : []));
    await service.request('/memory/forget', { ids, dry_run: false });
    const grownEditedKnownForgottenNew = [
      said(['a1', 'a2', 'a3', 'a4'], thread('a')),
      said(['b1', 'other'], thread('b')),
      said(['c1', 'c2'], thread('c')),
      said(['d1'], thread('d')),
      said(['e1', 'e2'], thread('e')),
    ];
    const { dry_run, ...foreseen } = await imported(service, grownEditedKnownForgottenNew, { dryRun: true });
    expect({ dry_run, ...foreseen }).toMatchObject({
      dry_run: true,
      ...{ read: 5, imported: 2, appended: 1, duplicates: 1, skipped: 1, messages: 5 },
    });
    expect(foreseen).toEqual(await imported(service, grownEditedKnownForgottenNew));
  });
});

describe('what waited for review or was rejected', () => {
  it('stays so, also when it was saved on request', async () => {
    const service = await aService();
    const metadata = { save_intent: 'user_confirmed' };
    await imported(service, [
      said(['Waiting.'], { memoryStatus: 'pending_review', metadata }),
      said(['Not wanted.'], { memoryStatus: 'rejected', metadata }),
      said(['Wanted.'], { metadata }),
    ]);
    const counts = await Promise.all(
      ['active', 'pending_review', 'rejected'].map(async (memory_status) => {
        const { body } = await service.request('/memory/conversations/list', { memory_status });
        return body.total;
      }),
    );
    expect(counts).toEqual([1, 1, 1]);
  });
});
