import { describe, expect, it } from 'vitest';
import type { ConfigInput } from '../../../src/config/schema.js';
import { aChatServer, type Reply, says, status } from '../../fakes/chat-server.js';
import { soon } from '../../support/patience.js';
import { aService, type TestService } from '../../support/service.js';

const models = { reader: false, tagger: true };
const text = 'btw ordering again at Brixton Bakes, that Zwetschgendatschi is what gets me out of bed';
const bakes = { subject: 'user', relation: 'like', value: 'Zwetschgendatschi', state: 'holds' };
const facts = (...all: object[]): string => JSON.stringify({ facts: all });

async function factsOf(service: TestService) {
  await service.service.tagging?.settled(60_000);
  const { body } = await service.request('/memory/facts/search', {});
  return body.results as { predicate: string; object_raw: string; confidence: string; confidence_reason: string }[];
}

async function aMemory(...replies: Reply[]) {
  const model = await aChatServer(...replies);
  const service = await aService({ models, facts: { model: model.settings } });
  return { model, service };
}

/** What the tagger finds alone. */
async function taggerAlone(said: string, settings: ConfigInput = {}): Promise<unknown[]> {
  const service = await aService({ models, ...settings });
  await service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text: said }] });
  return (await factsOf(service)).map(({ predicate, object_raw, confidence }) => [predicate, object_raw, confidence]);
}

describe('a second opinion on facts', () => {
  it('adds what only the language model found, as a guess of low confidence', async () => {
    const { model, service } = await aMemory(says(facts(bakes, { ...bakes, value: 'Apfelstrudel' })));
    await service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text }] });
    const named = async (word: string) =>
      (await factsOf(service)).filter(({ object_raw }) => object_raw.includes(word));
    await expect.poll(() => named('Zwetschgendatschi'), soon).toMatchObject([{ confidence: 'low' }]);
    expect(await named('Apfelstrudel')).toEqual([]);
    expect(JSON.stringify(await taggerAlone(text))).not.toContain('Zwetschgendatschi');
    expect(model.requests).toHaveLength(1);
    expect(model.violations).toEqual([]);
  });

  it('asks about the messages of the user alone', async () => {
    const { model, service } = await aMemory(says(facts()));
    const reply = { role: 'assistant', text: 'Brixton Bakes is lovely in spring.' };
    await service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text }, reply] });
    await expect.poll(() => model.requests.length, soon).toBe(1);
    expect(model.requests[0]?.messages[1].content).toContain('Zwetschgendatschi');
    expect(model.requests[0]?.messages[1].content).not.toContain('lovely');
  });

  it('sends nothing of a memory that is held', async () => {
    const model = await aChatServer(says(facts()));
    const memory = { insert_policy: 'review_pending' } as const;
    const service = await aService({ models, memory, facts: { model: model.settings } });
    const said = (words: string, metadata: object) =>
      service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text: words }], metadata });
    await said('my pin is four zeros and a seven', {});
    await said(text, { save_intent: 'explicit_user_request' });
    await expect.poll(() => model.requests.length, soon).toBe(1);
    expect(model.requests[0]?.messages[1].content).toContain('Zwetschgendatschi');
  });

  it.each<[string, Reply]>([
    ['fails', status(500)],
    ['answers something else', says('I like Zwetschgendatschi too!')],
  ])('leaves what the tagger found alone when the model %s', async (_, reply) => {
    const { service } = await aMemory(reply);
    const said = 'I am allergic to shellfish and we just moved to Leeds with our beagle Biscuit';
    await service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text: said }] });
    const failed = () => service.logLines.filter((line) => line.includes('second_opinion_failed'));
    await expect.poll(() => failed().length, soon).toBe(1);
    const found = (await factsOf(service)).map(({ predicate, object_raw, confidence }) => [
      predicate,
      object_raw,
      confidence,
    ]);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(await taggerAlone(said));
    expect(service.logLines.join('\n')).not.toMatch(/shellfish|Leeds|Biscuit/);
  });

  it('leaves facts that both found unchanged', async () => {
    const said = 'I am allergic to shellfish and we just moved to Leeds with our beagle Biscuit';
    const both = facts(
      { subject: 'user', relation: 'location', value: 'Leeds', state: 'holds' },
      { subject: 'user', relation: 'pet', value: 'Biscuit', state: 'holds' },
      { subject: 'user', relation: 'allergy', value: 'shellfish', state: 'holds' },
    );
    const { model, service } = await aMemory(says(both));
    await service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text: said }] });
    // One after the other: when the second is asked about, the first is written.
    await service.insert({ timestamp: '2025-03-05', messages: [{ role: 'user', text: 'thanks, that helped a lot' }] });
    await expect.poll(() => model.requests.length, soon).toBe(2);
    const alone = new Map((await taggerAlone(said)).map((fact) => [JSON.stringify(fact), fact]));
    const confidences = (await factsOf(service)).map(({ predicate, object_raw, confidence }) => [
      predicate,
      object_raw,
      confidence,
    ]);
    // Everything is as the tagger and the rules have it, or is a guess of low confidence.
    for (const fact of confidences) expect(alone.has(JSON.stringify(fact)) || fact[2] === 'low').toBe(true);
  });

  it('needs the tagger', async () => {
    const starting = aService({ facts: { model: { base_url: 'http://127.0.0.1:1/v1', model: 'stand-in' } } });
    await expect(starting).rejects.toThrow('facts.model gives the tagger a second opinion, but models.tagger is off.');
  });

  it('is given up when the service stops', async () => {
    const { model, service } = await aMemory(() => {});
    await service.insert({ timestamp: '2025-03-04', messages: [{ role: 'user', text }] });
    await expect.poll(() => model.requests.length, soon).toBe(1);
    await service.runtime.close();
    await expect.poll(() => model.abandoned, soon).toBe(1);
  });
});
