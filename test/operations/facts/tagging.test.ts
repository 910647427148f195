import { describe, expect, it } from 'vitest';
import { taggedStatements } from '../../../src/facts/tagged.js';
import type { FactSearchOutput } from '../../../src/operations/facts/search.js';
import { soon } from '../../support/patience.js';
import { aFolder, startService, type TestService } from '../../support/service.js';

const on = { models: { reader: false, tagger: true } };

describe('facts that the tagging model finds', () => {
  const message = (text: string) => ({ text, index: 0, role: 'user' as const });
  const tagged = (text: string, value: string, rest: object = {}) => {
    const start = text.indexOf(value);
    return {
      relation: 'allergy',
      state: 'holds',
      value: { start, end: start + value.length },
      isAboutOther: false,
      confidence: 0.95,
      ...rest,
    };
  };

  it('are statements with the words of the message', () => {
    const text = 'allergic to shellfish btw. swap the prawns';
    expect(taggedStatements([tagged(text, 'shellfish')], message(text), [])).toEqual([
      {
        subject: 'user',
        predicate: 'allergic_to',
        object_raw: 'shellfish',
        object_key: 'shellfish',
        role: 'user',
        message_index: 0,
        start: 0,
        end: 26,
        guessed: true,
      },
    ]);
  });

  it('say that something is over, planned or not so at all', () => {
    const text = 'quit Cisco, off to Rome in May';
    const predicates = (state: string) =>
      taggedStatements([tagged(text, 'Cisco', { relation: 'employer', state })], message(text), []).map(
        ({ predicate, ends }) => [predicate, ends],
      );
    expect(predicates('ended')).toEqual([['profile_employer', true]]);
    expect(predicates('planned')).toEqual([['plans', undefined]]);
    expect(predicates('hypothetical')).toEqual([]);
  });

  it('have whole words, also where an apostrophe is inside them, or no space around them', () => {
    const text = "м'яса не їм уже три роки";
    const [meat] = taggedStatements([tagged(text, 'яса', { relation: 'diet', state: 'negated' })], message(text), []);
    expect(meat?.object_raw).toBe("м'яса");
    const flat = 'マンション8階に引っ越した';
    const [home] = taggedStatements([tagged(flat, 'ション8階', { relation: 'home' })], message(flat), []);
    expect(home?.object_raw).toBe('マンション8階');
    const roll = 'ロールケーキが好き';
    const [cake] = taggedStatements([tagged(roll, 'ロール', { relation: 'like' })], message(roll), []);
    expect(cake?.object_raw).toBe('ロールケーキ');
    const shoes = 'my shoe size is 22.5 and nothing fits';
    const [size] = taggedStatements([tagged(shoes, '22', { relation: 'measurement' })], message(shoes), []);
    expect(size?.object_raw).toBe('22.5');
  });

  it('are no single characters of a longer Japanese word', () => {
    const values = (text: string, value: string) =>
      taggedStatements([tagged(text, value, { relation: 'pet' })], message(text), []).map(
        ({ object_raw }) => object_raw,
      );
    expect(values('来月から福岡に転勤になります', '勤')).toEqual([]);
    expect(values('うちで犬を飼っています', '犬')).toEqual(['犬']);
    expect(values('我家养狗了', '狗')).toEqual(['狗']);
  });

  it('have no conjunction at their end', () => {
    const text = 'allergic to eggs and Hannah and I broke up';
    const [eggs] = taggedStatements([tagged(text, 'eggs and')], message(text), []);
    expect(eggs?.object_raw).toBe('eggs');
  });

  it.each([
    ["lets do a mock interview. i'm the hiring manager at Shopify, you're the candidate", 'Shopify'],
    ["you're a sheep. i'm the dog, allergic to grass. go", 'grass'],
    ['du bist der Kellner, ich bin Gast und Veganer, los', 'Veganer'],
    ['jeu de rôle : tu es une tavernière et je suis forgeron', 'forgeron'],
    ['你演面试官，我演应聘者，我叫李雷', '李雷'],
    ['あなたは海賊の船長、私は料理番です', '料理番'],
  ])('leave out what is said in a role: %s', (text, value) => {
    expect(taggedStatements([tagged(text, value)], message(text), [])).toEqual([]);
  });

  it('keep the statement of a person who only mentions both', () => {
    const text = "I'm allergic to nuts, and you are a great help";
    expect(taggedStatements([tagged(text, 'nuts')], message(text), [])).toHaveLength(1);
  });

  it('leave out statements that are unsure, quoted, found by a rule, or about no named person', () => {
    const text = 'he said "I am allergic to nuts" and I eat eggs';
    const nuts = tagged(text, 'nuts');
    const eggs = tagged(text, 'eggs');
    const [known] = taggedStatements([eggs], message(text), []);
    expect(taggedStatements([nuts], message(text), [])).toEqual([]);
    expect(taggedStatements([{ ...eggs, confidence: 0.2 }], message(text), [])).toEqual([]);
    expect(taggedStatements([{ ...eggs, isAboutOther: true }], message(text), [])).toEqual([]);
    expect(taggedStatements([eggs], message(text), known === undefined ? [] : [known])).toEqual([]);
    const single = "is this a scam? 'Dear friend, I'm a widow and I have cancer'";
    expect(taggedStatements([tagged(single, 'cancer')], message(single), [])).toEqual([]);
    const apostrophes = "'til friday I'm at my parents' house, allergic to cats";
    expect(taggedStatements([tagged(apostrophes, 'cats')], message(apostrophes), [])).toHaveLength(1);
    const plain = 'my sister is allergic to them too';
    expect(taggedStatements([tagged(plain, 'allergic to')], message(plain), [])).toEqual([]);
    expect(taggedStatements([tagged(plain, 'to')], message(plain), [])).toEqual([]);
    const numbered = 'about the telescope, what first? (521)';
    expect(taggedStatements([tagged(numbered, '521', { relation: 'age' })], message(numbered), [])).toEqual([]);
  });
});

describe('tagging behind an insert', () => {
  it('marks what was read, continues after a restart, and reads nothing twice', async () => {
    const folder = await aFolder();
    const first = await startService({ models: { reader: false, tagger: false } }, { folder });
    const { id } = await first.insert({
      messages: [{ role: 'user', text: 'allergic to shellfish btw so swap the prawns' }],
    });
    expect((await first.service.records.conversations.holderOfId(id))?.tagged).toBeUndefined();
    await first.runtime.close();
    const second = await startService(on, { folder });
    await expect.poll(async () => (await second.service.records.conversations.holderOfId(id))?.tagged, soon).toBe(1);
    expect(await second.service.records.conversations.untagged(10)).toEqual([]);
    await second.runtime.close();
  });

  it('reads everything again with another model, and states no fact twice', async () => {
    const folder = await aFolder();
    const first = await startService({ models: { reader: false, tagger: false } }, { folder });
    const { id } = await first.insert({
      messages: [{ role: 'user', text: 'on sertraline 50mg since june, can i have grapefruit' }],
    });
    await readBy(first, 'older', id);
    await first.runtime.close();

    const second = await startService(on, { folder });
    await expect.poll(() => valuesIn(second), soon).toContain('sertraline');
    await expect.poll(() => second.service.records.settings.get('tagged_by'), soon).toMatchObject({ isDone: true });
    const found = await valuesIn(second);
    await readBy(second, 'older', id);
    await second.runtime.close();

    const third = await startService(on, { folder });
    await expect.poll(() => third.service.records.settings.get('tagged_by'), soon).toMatchObject({ after: id });
    expect(await valuesIn(third)).toEqual(found);
    await third.runtime.close();
  });

  it('goes on with another model where it was stopped', async () => {
    const folder = await aFolder();
    const first = await startService(on, { folder });
    await expect.poll(() => first.service.records.settings.get('tagged_by'), soon).toMatchObject({ isDone: true });
    const { model } = (await first.service.records.settings.get('tagged_by')) as { model: string };
    const ids = [];
    for (const text of ['on sertraline 50mg since june', 'started crossfit in jan, shoulders are wrecked']) {
      ids.push((await first.insert({ messages: [{ role: 'user', text }] })).id);
    }
    await first.service.tagging?.settled(60_000);
    const [before = '', behind = ''] = ids.sort();
    await first.service.records.settings.set('tagged_by', { model, isDone: false, after: before });
    await first.runtime.close();

    const second = await startService(on, { folder });
    const { settings } = second.service.records;
    await expect.poll(() => settings.get('tagged_by'), soon).toEqual({ model, isDone: true, after: behind });
    await second.runtime.close();
  });

  /** As if a model of an older version had read the conversation. */
  async function readBy({ service }: TestService, model: string, id: string): Promise<void> {
    const { records } = service;
    await records.write([{ kind: 'patch', table: 'conversations', ids: [id], set: { tagged: 1 } }]);
    await records.settings.set('tagged_by', { model, isDone: true });
  }

  async function valuesIn({ request }: TestService): Promise<string[]> {
    const { body } = await request('/memory/facts/search', {});
    return (body as FactSearchOutput).results.map(({ object_raw }) => object_raw).sort();
  }
});
