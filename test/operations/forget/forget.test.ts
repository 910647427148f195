import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../../src/app/verify-forgotten.js';
import { localPrincipal } from '../../../src/auth/access.js';
import type { Found } from '../../../src/importers/contract.js';
import { importConversations } from '../../../src/operations/import-conversations.js';
import { aConversation, aNote, invented, turns } from '../../support/conversation.js';
import { aFolder, aService, idsOf, memberOf, startService } from '../../support/service.js';

const canary = 'zyxwquokka-canary-7731';
const secret = aConversation({
  title: `About ${canary}-title`,
  timestamp: '2026-02-03T10:00:00Z',
  messages: turns(`My name is Vladimira Quokkasson and the code is ${canary}.`, `Noted: ${canary} is the code.`),
  metadata: { tags: [`${canary}-tag`], upstream_thread_id: `${canary}-thread` },
});

const notes = (texts: readonly string[]) => texts.map((text) => ({ role: 'user', text }));

describe('forget', () => {
  it('counts first and changes nothing without confirmation', async () => {
    const service = await aService();
    const { id } = await service.insert(secret);
    const { body } = await service.request('/memory/forget', { ids: [id] });
    expect(body).toMatchObject({ status: 'ok', dry_run: true, conversations: 1, messages: 2, chunks: 2, facts: 1 });
    expect((await service.request('/memory/retrieve', { id })).status).toBe(200);
  });

  it('forgets exactly what a dry run showed, or nothing', async () => {
    const service = await aService();
    await service.insert(aNote('One.', { metadata: { tags: ['gone'] } }));
    const body = { tags: ['gone'] };
    const { selection } = (await service.request('/memory/forget', body)).body;
    const late = await service.insert(aNote('Two.', { metadata: { tags: ['gone'] } }));
    const refused = await service.request('/memory/forget', { ...body, selection, dry_run: false });
    expect(refused).toMatchObject({ status: 404, body: { error_code: 'not_found' } });
    expect((await service.request('/memory/forget', body)).body).toMatchObject({ conversations: 2 });
    await service.request('/memory/forget', { ids: [late.id], dry_run: false });
    const done = await service.request('/memory/forget', { ...body, selection, dry_run: false });
    expect(done.body).toMatchObject({ dry_run: false, conversations: 1 });
  });

  it('certifies what went by ids and counts, without a word of it', async () => {
    const service = await aService();
    const { id } = await service.insert(secret);
    const { body } = await service.request('/memory/forget', { ids: [id], dry_run: false, certificate: true });
    expect(body.certificate).toEqual({
      forgotten_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      user_id: localPrincipal.userId,
      project_id: expect.any(String),
      conversations: 1,
      messages: 2,
      chunks: 2,
      facts: 1,
      ids: [id],
    });
    const planned = await service.request('/memory/forget', { ids: [id], certificate: true });
    expect(planned.body).not.toHaveProperty('certificate');
  });

  it('names as many examples as it is asked for', async () => {
    const service = await aService();
    for (let index = 0; index < 12; index++) await service.insert(aNote(`Note ${index}.`, { source: 'many' }));
    const namedIn = async (examples?: number) =>
      (await service.request('/memory/forget', { source: 'many', ...(examples === undefined ? {} : { examples }) }))
        .body.examples as unknown[];
    expect([(await namedIn()).length, (await namedIn(12)).length, (await namedIn(0)).length]).toEqual([10, 12, 0]);
  });

  it('leaves no byte of it in the data folder, and the neighbours as they were', async () => {
    const folder = await aFolder();
    const service = await startService({ providers: { vector_db: 'lancedb' } }, { folder });
    for (let index = 0; index < 40; index++) await service.insert(aNote(invented(index), { title: `Note ${index}` }));
    const { id } = await service.insert(secret);
    await service.service.vectors.settled();
    const queries = Array.from({ length: 10 }, (_, index) => invented(index * 4));
    const before = await Promise.all(queries.map((query) => service.search({ query, top_k: 5 })));
    expect((await scanFiles(service.config.paths.dataDir, [canary])).found).not.toEqual([]);

    const { body } = await service.request('/memory/forget', { ids: [id], dry_run: false });
    expect(body).toMatchObject({ dry_run: false, conversations: 1, facts: 1 });
    const scan = await scanFiles(service.config.paths.dataDir, [canary, 'quokkasson', 'Quokkasson', 'vladimira']);
    expect(scan.found).toEqual([]);
    expect((await service.request('/memory/retrieve', { id, memory_status: 'all' })).status).toBe(404);
    expect((await service.request('/memory/facts/search', { query: 'quokkasson' })).body).toMatchObject({
      results: [],
    });
    const after = await Promise.all(queries.map((query) => service.search({ query, top_k: 5 })));
    expect(after.map(idsOf)).toEqual(before.map(idsOf));
    await service.close();
    expect((await scanFiles(folder, [canary])).found).toEqual([]);
  });

  it('does not let it come back, nor a longer form of it, nor an import of it; until that is allowed', async () => {
    const service = await aService();
    const { id } = await service.insert(secret);
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    const again = await service.request('/memory/insert', secret);
    expect(again).toMatchObject({
      status: 409,
      body: { error_code: 'duplicate_conflict', reason: 'forgotten', forgotten_id: id },
    });
    expect(again.body.error_message).toContain(`threadkeep forget --id ${id} --allow-return`);
    const { metadata: _, ...threadless } = secret;
    const grown = { ...threadless, messages: [...secret.messages, ...turns('And one more.')] };
    expect((await service.request('/memory/insert', grown)).status).toBe(409);
    async function* found(): AsyncGenerator<Found> {
      yield {
        kind: 'conversation',
        place: 'export',
        conversation: { source: 'chatgpt', messages: secret.messages as never, metadata: {} },
      };
    }
    const call = { principal: localPrincipal, defaultSource: 'cli' };
    expect(await importConversations(service.service, call, found())).toMatchObject({
      imported: 0,
      skipped: 1,
      reasons: { 'it was forgotten; `threadkeep forget --id <id> --allow-return` lets it back': 1 },
      examples: [{ place: `export, forgotten as ${id}` }],
    });
    // Another project and another conversation with the same opening are not concerned.
    await service.insert(secret, memberOf('elsewhere'));
    await service.insert(
      aConversation({
        messages: [secret.messages[0] ?? { role: 'user', text: '' }, { role: 'assistant', text: 'Other.' }],
      }),
    );

    const lifted = await service.request('/memory/forget', { ids: [id], allow_return: true, dry_run: false });
    expect(lifted.body).toMatchObject({ conversations: 0, lifted: 1 });
    expect((await service.request('/memory/insert', secret)).status).toBe(200);
  });

  it('does not mistake another conversation for one that was forgotten because both begin with a greeting', async () => {
    const service = await aService();
    const greeting = turns('hi', 'Hello! How can I help you today?');
    const more = turns('When are taxes for 2026 due?', 'On July 31.');
    const { id } = await service.insert(aConversation({ messages: greeting }));
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    const status = async (parts: Parameters<typeof aConversation>[0]) =>
      (await service.request('/memory/insert', aConversation(parts))).status;
    expect(await status({ messages: greeting, source: 'claude' })).toBe(409);
    expect(await status({ messages: [...greeting, ...more] })).toBe(200);
  });

  it('lets the thread decide where both have one, and elsewhere asks for the same source', async () => {
    const service = await aService();
    const opening = turns('Which bulbs do I plant in October?', 'Tulips and crocuses.', 'How deep?');
    const grown = [...opening, { role: 'assistant', text: 'Three times their height.' }];
    const metadata = { upstream_thread_id: 'garden' };
    const { id } = await service.insert(aConversation({ messages: opening, metadata }));
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    const status = async (parts: Parameters<typeof aConversation>[0]) =>
      (await service.request('/memory/insert', aConversation({ messages: grown, ...parts }))).status;
    expect(await status({ metadata })).toBe(409);
    expect(await status({ messages: turns('Entirely different.'), metadata })).toBe(409);
    expect(await status({})).toBe(409);
    expect(await status({ messages: opening, metadata: { upstream_thread_id: 'another' } })).toBe(409);
    expect(await status({ source: 'claude' })).toBe(200);
    const elsewhere = [...grown, ...turns('And lilies?')];
    expect(await status({ messages: elsewhere, metadata: { upstream_thread_id: 'another' } })).toBe(200);
  });

  it('removes what the filter matches, and only the caller’s own', async () => {
    const service = await aService();
    const old = await service.insert(aNote('old', { timestamp: '2024-05-01', source: 'claude' }));
    const kept = await service.insert(aNote('new', { timestamp: '2025-01-01', source: 'claude' }));
    const other = await service.insert(aNote('other', { timestamp: '2024-05-01' }));
    const theirs = await service.insert(
      aNote('theirs', { timestamp: '2024-05-01', source: 'claude' }),
      memberOf('theirs'),
    );
    const request = { source: 'claude', before: '2025-01-01', dry_run: false };
    const { body } = await service.request('/memory/forget', request);
    expect(body).toMatchObject({ conversations: 1, examples: [{ id: old.id }] });
    for (const { id } of [kept, other]) expect((await service.request('/memory/retrieve', { id })).status).toBe(200);
    const page = await service.service.records.conversations.holderOfId(theirs.id);
    expect(page?.id).toBe(theirs.id);
  });

  it('keeps a fact that another conversation states too', async () => {
    const service = await aService();
    const first = await service.insert(aNote('I live in Lisbon.', { timestamp: '2026-01-01' }));
    await service.insert(aNote('As you know, I live in Lisbon.', { timestamp: '2026-02-01' }));
    const { body } = await service.request('/memory/forget', { ids: [first.id], dry_run: false });
    expect(body).toMatchObject({ conversations: 1, facts: 0 });
    const { body: facts } = await service.request('/memory/facts/search', { predicate: 'profile_location' });
    expect(facts.results).toMatchObject([{ object_normalized: 'Lisbon' }]);
  });

  it('leaves no name of a person behind that facts were kept under', async () => {
    const service = await aService({}, { inFolder: true });
    const said = turns(
      'Quittenmusia: I live in Hamburg.',
      'Bertram: Nice.',
      'Quittenmusia: I love sailing.',
      'Bertram: Oh.',
    );
    const { id } = await service.insert(aConversation({ messages: said }));
    const { body: facts } = await service.request('/memory/facts/search', {});
    expect(facts.results).toContainEqual(expect.objectContaining({ subject: 'Quittenmusia' }));
    await service.request('/memory/forget', { ids: [id], dry_run: false });
    const files = await scanFiles(service.config.paths.dataDir, ['quittenmusia', 'Quittenmusia']);
    expect(files.found).toEqual([]);
  });

  it('takes a fact away from among more values of its kind than are judged together', async () => {
    const service = await aService({}, { inFolder: true });
    const { id } = await service.insert(aNote('I love Zaubermarzipan.', { timestamp: '2020-01-01' }));
    const newer = Array.from({ length: 520 }, (_, index) => `I love ${invented(index, 1)}${index}.`);
    for (let from = 0; from < newer.length; from += 130) {
      await service.insert(aConversation({ timestamp: '2024-01-01', messages: notes(newer.slice(from, from + 130)) }));
    }
    const { body } = await service.request('/memory/forget', { ids: [id], dry_run: false });
    expect(body).toMatchObject({ conversations: 1, facts: 1 });
    const { body: facts } = await service.request('/memory/facts/search', { query: 'Zaubermarzipan' });
    expect(facts.results).toEqual([]);
    expect((await scanFiles(service.config.paths.dataDir, ['Zaubermarzipan'])).found).toEqual([]);
  });

  it('wants to be told what', async () => {
    const service = await aService();
    const answer = await service.request('/memory/forget', { dry_run: false });
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'ids' }] } });
  });
});
