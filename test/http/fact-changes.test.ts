import { describe, expect, it } from 'vitest';
import { aUser, bearer } from '../support/accounts.js';
import { aService, type Body } from '../support/service.js';

const unknownId = `fact_${'0'.repeat(32)}`;

describe('changing facts over HTTP', () => {
  it('takes the fact from the address and needs no body where there is nothing to say', async () => {
    const service = await aService();
    const added = await service.request('/memory/facts', { predicate: 'profile_location', value: 'Lisbon' });
    expect(added).toMatchObject({ status: 200, body: { status: 'ok', fact: { object_normalized: 'Lisbon' } } });
    const { id } = added.body;
    const corrected = await service.request(`/memory/facts/${id}/correct`, { value: 'Porto' });
    expect(corrected).toMatchObject({
      status: 200,
      body: { fact: { object_normalized: 'Porto' }, superseded: { id } },
    });
    for (const verb of ['pin', 'unpin', 'retract', 'undo']) {
      const place = `/memory/facts/${corrected.body.id}/${verb}`;
      const bare = await service.send(place, { method: 'POST' });
      expect({ verb, status: bare.status }).toEqual({ verb, status: 200 });
    }
  });

  it('says what is wrong', async () => {
    const service = await aService();
    const { body } = await service.request('/memory/facts', { predicate: 'profile_location', value: 'Lisbon' });
    const place = `/memory/facts/${body.id}/correct`;
    expect(await service.request(place, {})).toMatchObject({ status: 400, body: { error_code: 'invalid_input' } });
    expect(await service.request(place, [])).toMatchObject({ status: 400, body: { error_code: 'invalid_input' } });
    expect(await service.request(place, { value: 'Porto', fact_id: unknownId })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'fact_id' }] },
    });
    for (const verb of ['correct', 'retract', 'pin', 'unpin', 'undo']) {
      const input = verb === 'correct' ? { value: 'Porto' } : {};
      const answer = await service.request(`/memory/facts/${unknownId}/${verb}`, input);
      expect(answer).toMatchObject({ status: 404, body: { error_code: 'not_found' } });
    }
  });

  it('is limited to the project, and to tokens that may change facts', async () => {
    const service = await aService(bearer);
    const [nora, otto] = [await aUser(service, 'nora'), await aUser(service, 'otto')];
    const reader = await aUser(service, 'nora', ['memory:read']);
    const { body } = await nora.post('/memory/facts', { predicate: 'profile_location', value: 'Lisbon' });
    expect((await otto.post(`/memory/facts/${body.id}/retract`, {})).status).toBe(404);
    expect((await reader.post(`/memory/facts/${body.id}/retract`, {})).status).toBe(403);
    expect((await otto.post('/memory/facts/search', {})).body.results).toEqual([]);
    expect((await nora.post('/memory/facts/search', {})).body.results).toMatchObject([{ status: 'active' }]);
  });

  it('is described with the fact in the address and not in the body', async () => {
    const service = await aService();
    const { body } = await service.send('/openapi.json');
    const paths = body.paths as Record<string, { post: Body }>;
    const { parameters, requestBody } = paths['/memory/facts/{fact_id}/correct']?.post ?? {};
    expect(parameters).toMatchObject([{ name: 'fact_id', in: 'path', required: true }]);
    expect(requestBody).toMatchObject({ required: true });
    const { schema } = (requestBody as { content: Record<string, { schema: Body }> }).content['application/json'] ?? {};
    expect(Object.keys((schema?.properties ?? {}) as Body)).toEqual(['project_id', 'value']);
    expect(paths['/memory/facts/{fact_id}/pin']?.post.requestBody).toMatchObject({ required: false });
  });
});
