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
