import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../../src/auth/access.js';
import { operations } from '../../src/operations/table.js';
import { aNote } from '../support/conversation.js';
import { refusalOf } from '../support/failure.js';
import { aService, idsOf, memberOf } from '../support/service.js';

const call = { principal: localPrincipal, defaultSource: 'test' };

describe('timeline', () => {
  it('walks a day in pages without gaps, also where times are equal', async () => {
    const { service, insert } = await aService();
    const ids: string[] = [];
    for (let number = 0; number < 7; number++) {
      const timestamp = `2026-03-01T0${Math.floor(number / 3)}:00:00Z`;
      ids.push((await insert(aNote(`Number ${number}.`, { timestamp }))).id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const given = { day: '2026-03-01', limit: 2, ...(cursor === null ? {} : { cursor }) };
      const page: { results: { id: string }[]; cursor: string | null } = await operations.timeline.execute(
        service,
        call,
        given,
      );
      seen.push(...idsOf(page));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(ids));
  });

  it('has a conversation on every day on which something was said in it', async () => {
    const { service, insert } = await aService();
    const said = (text: string, timestamp: string) => ({ role: 'user', text, timestamp });
    const { id: long } = await insert({
      timestamp: '2026-01-05T08:00:00Z',
      messages: [
        said('First.', '2026-01-05T08:00:00Z'),
        said('Again.', '2026-03-01T12:00:00Z'),
        said('Last.', '2026-06-01'),
      ],
    });
    const { id: early } = await insert(aNote('Early.', { timestamp: '2026-03-01T09:00:00Z' }));
    const { id: late } = await insert(aNote('Late.', { timestamp: '2026-03-01T18:00:00Z' }));
    const on = async (day: string, more = {}) => operations.timeline.execute(service, call, { day, ...more });
    expect(idsOf(await on('2026-03-01'))).toEqual([early, long, late]);
    const page = await on('2026-03-01', { limit: 2 });
    expect(idsOf(page)).toEqual([early, long]);
    expect(idsOf(await on('2026-03-01', { limit: 2, cursor: page.cursor }))).toEqual([late]);
    expect(idsOf(await on('2026-01-05'))).toEqual([long]);
    expect(idsOf(await on('2026-06-01'))).toEqual([long]);
    expect(idsOf(await on('2026-04-01'))).toEqual([]);
  });

  it('tells of each conversation what it is about, and nothing of other projects', async () => {
    const { service, insert } = await aService();
    const timestamp = '2026-03-01T10:00:00Z';
    const metadata = { summary: 'About bees.', thread_id: 'hive' };
    const { id } = await insert(aNote('Bees.', { timestamp, title: 'Hive', tags: ['garden'], metadata }));
    await insert(aNote('Wasps.', { timestamp }), memberOf('other'));
    const { results } = await operations.timeline.execute(service, call, { day: '2026-03-01' });
    expect(results).toEqual([
      {
        id,
        source: 'chatgpt',
        title: 'Hive',
        timestamp,
        thread_id: 'hive',
        tags: ['garden'],
        summary: 'About bees.',
        message_count: 1,
      },
    ]);
  });

  it.each([
    ['day', { day: '2026-02-30' }],
    ['day', { day: 'yesterday' }],
    ['cursor', { day: '2026-03-01', cursor: 'x' }],
    ['limit', { day: '2026-03-01', limit: 0 }],
  ])('refuses a bad %s', async (path, given) => {
    const { service } = await aService();
    const failure = await refusalOf(operations.timeline.execute(service, call, given));
    expect(failure.issues).toEqual([expect.objectContaining({ path })]);
  });
});
