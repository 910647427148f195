import { describe, expect, it } from 'vitest';
import { localProjectId } from '../../src/model/ids.js';
import { threadKey } from '../../src/records/claims.js';
import { turns } from '../support/conversation.js';
import { aFolder, aService } from '../support/service.js';

const trusted = { storage: { allow_trusted_appends: true } };

function capture(thread: string, ...texts: string[]) {
  return { source: 'claude', messages: turns(...texts), metadata: { upstream_thread_id: thread } };
}

describe('the first turns of a thread', () => {
  it('make one memory when two processes get them at the same moment', async () => {
    const folder = await aFolder();
    const one = await aService(trusted, { folder });
    const other = await aService(trusted, { folder });
    for (let thread = 0; thread < 20; thread++) {
      const sent = [
        one.insert(capture(`t${thread}`, `alpha ${thread}`, 'beta')),
        other.insert(capture(`t${thread}`, `alpha ${thread}`, 'beta', 'gamma')),
      ];
      const [first, second] = await Promise.all(sent);
      expect(second?.id).toBe(first?.id);
    }
    const { body } = await one.request('/memory/conversations/list', { limit: 100 });
    expect(body.total).toBe(20);
  });

  it('may begin again after they were forgotten or rejected', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert(capture('t', 'alpha', 'beta'));
    await service.service.records.write([{ kind: 'remove', table: 'conversations', ids: [id] }]);
    const again = await service.insert(capture('t', 'delta', 'epsilon'));
    expect(again).toMatchObject({ status: 'ok', deduplicated: false, appended_messages: 0 });
    expect(await service.insert(capture('t', 'delta', 'epsilon', 'zeta'))).toMatchObject({
      id: again.id,
      appended_messages: 1,
    });
  });

  it('leave no trace of their thread when they are forgotten', async () => {
    const service = await aService(trusted);
    const { id } = await service.insert(capture('t', 'alpha', 'beta'));
    const thread = { projectId: localProjectId, source: 'claude', upstreamThreadId: 't', status: 'active' } as const;
    const holder = () => service.service.records.threads.holder(threadKey(thread));
    expect(await holder()).toBe(id);
    const forgotten = await service.request('/memory/forget', { ids: [id], dry_run: false });
    expect(forgotten.status).toBe(200);
    expect(await holder()).toBeUndefined();
  });
});
