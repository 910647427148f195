import { describe, expect, it } from 'vitest';
import { taggedStatements } from '../../../src/facts/tagged.js';
import { soon } from '../../support/patience.js';
import { aFolder, startService } from '../../support/service.js';

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

  it('leave out what is unsure, quoted, known by a rule, or about nobody who is named', () => {
    const text = 'he said "I am allergic to nuts" and I eat eggs';
    const nuts = tagged(text, 'nuts');
    const eggs = tagged(text, 'eggs');
    const [known] = taggedStatements([eggs], message(text), []);
    expect(taggedStatements([nuts], message(text), [])).toEqual([]);
    expect(taggedStatements([{ ...eggs, confidence: 0.2 }], message(text), [])).toEqual([]);
    expect(taggedStatements([{ ...eggs, isAboutOther: true }], message(text), [])).toEqual([]);
    expect(taggedStatements([eggs], message(text), known === undefined ? [] : [known])).toEqual([]);
    const plain = 'my sister is allergic to them too';
    expect(taggedStatements([tagged(plain, 'allergic to')], message(plain), [])).toEqual([]);
    expect(taggedStatements([tagged(plain, 'to')], message(plain), [])).toEqual([]);
    const numbered = 'about the telescope, what first? (521)';
    expect(taggedStatements([tagged(numbered, '521', { relation: 'age' })], message(numbered), [])).toEqual([]);
  });
});

describe('tagging behind an insert', () => {
  it('marks what was read, goes on after a restart, and reads nothing twice', async () => {
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
});
