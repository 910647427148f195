import { describe, expect, it } from 'vitest';
import type { FactAnswer } from '../../src/answers/fact-answer.js';
import type { ReadHit } from '../../src/answers/quote.js';
import { answeringByReading } from '../../src/answers/read-answer.js';
import { finished } from '../../src/model/steps.js';
import { anAnswerInput, weightsOfSpans } from '../support/answer-input.js';
import { aFact } from '../support/fact.js';

/** A message on a day of March 2025 that answers with the given probability. */
function aRead(text: string, day: number, probability: number): ReadHit {
  return aReadAt(text, `2025-03-${String(day).padStart(2, '0')}T10:00:00Z`, probability);
}

function aReadAt(text: string, at: string, probability: number): ReadHit {
  const place = { chunkId: text, conversationId: text, chunkIndex: 0, messageIndex: 0 };
  return {
    hit: { ...place, role: 'user', text, at, relevance: 1 },
    relevance: 0,
    polarity: 0,
    span: { start: 0, end: text.length, score: Math.log(probability / (1 - probability)) },
  };
}

function answered(question: string, reads: readonly ReadHit[], facts?: FactAnswer, isOfOther = (): boolean => false) {
  const hits = reads.map(({ hit }) => hit);
  const terms = question.match(/\b\d{4}\b/g) ?? [];
  const input = anAnswerInput({ question, at: '2025-04-01T00:00:00Z', terms }, hits);
  const timeFit = (at: string): number => (input.question.times.some(({ from, to }) => from <= at && at <= to) ? 1 : 0);
  return finished(
    answeringByReading({ ...input, timeFit, reads, weights: weightsOfSpans, isOfOther, ...(facts && { facts }) }),
  );
}

describe('how sure an answer is that may be out of date', () => {
  const question = 'Which gate did we fly from?';
  const best = aRead('We flew from gate 14.', 2, 0.95);
  const older = aRead('Gate 3 was closed.', 1, 0.4);

  it('is high when nothing newer is about the same', () => {
    expect(answered(question, [best, older]).confidence).toBe('high');
  });

  it('is low when the likeliest other message is newer', () => {
    expect(answered(question, [best, aRead('They sent us to gate 20.', 3, 0.15)]).confidence).toBe('low');
  });

  it('stays high when a newer message is less likely than an older one, and unlikely by itself', () => {
    expect(answered(question, [best, older, aRead('They sent us to gate 20.', 3, 0.15)]).confidence).toBe('high');
  });

  it('is low when any newer message is likely by itself', () => {
    expect(answered(question, [best, older, aRead('They sent us to gate 20.', 3, 0.35)]).confidence).toBe('low');
  });

  it('does not matter for a question about the past', () => {
    const past = 'Where did we live before?';
    const reads = [aRead('We lived in Bath.', 1, 0.9), aRead('We live in Leeds now.', 2, 0.9)];
    const { confidence, passages } = answered(past, reads);
    expect(passages[0]?.quote.text).toBe('We lived in Bath.');
    expect(confidence).not.toBe('low');
  });
});

describe('how sure an answer is that names a time', () => {
  const cost = aRead('The race cost 80 euros.', 2, 0.95);

  it('is low, without a guess, when the message was sent at another time and names none', () => {
    const { confidence, text } = answered('What did the race cost in 2023?', [cost]);
    expect(confidence).toBe('low');
    expect(text.split('\n')[0]).toBe('No clear answer. The nearest mentions:');
  });

  it('quotes what was said at that time first, then what was said before it', () => {
    const question = 'How much was the rent in February 2025?';
    const inMarch = aRead('rent is 1725 now', 20, 0.7);
    const inFebruary = aReadAt('rent is 1450', '2025-02-10T10:00:00Z', 0.6);
    const inJanuary = aReadAt('rent is 1300', '2025-01-10T10:00:00Z', 0.6);
    const quoted = (...reads: ReadHit[]) => answered(question, reads).passages.map(({ quote }) => quote.text);
    expect(quoted(inMarch, inFebruary)).toEqual(['rent is 1450', 'rent is 1725 now']);
    expect(quoted(inMarch, inJanuary)).toEqual(['rent is 1300', 'rent is 1725 now']);
    expect(quoted(inMarch, inJanuary, inFebruary)[0]).toBe('rent is 1450');
  });

  it('quotes what was said then before what was said soon after, and before what is likelier but said much later', () => {
    const question = 'How much was the rent in 2024?';
    const then = aReadAt('rent is 1450', '2024-01-20T10:00:00Z', 0.3);
    const named = aReadAt('rent in 2024 was 1500', '2025-01-22T10:00:00Z', 0.35);
    const later = aRead('rent is 1725 now', 20, 0.9);
    const quoted = (...reads: ReadHit[]) => answered(question, reads).passages.map(({ quote }) => quote.text);
    expect(quoted(named, then)[0]).toBe(then.hit.text);
    expect(quoted(later, then)[0]).toBe(then.hit.text);
  });

  it('is high when the message names that time', () => {
    const named = aRead('In 2023 the race cost 70 euros.', 2, 0.95);
    expect(answered('What did the race cost in 2023?', [named]).confidence).toBe('high');
  });
});

describe('an answer that is not sure', () => {
  const question = 'Which gate did we fly from?';

  it('begins with its best guess when that is more likely right than not', () => {
    const { confidence, text } = answered(question, [aRead('Gate 14.', 2, 0.7)]);
    expect(confidence).toBe('low');
    expect(text.split('\n')[0]).toBe('Perhaps: Gate 14.');
  });

  it('offers no guess below that, and none that may be about somebody else', () => {
    const unclear = 'No clear answer. The nearest mentions:';
    expect(answered(question, [aRead('Gate 14.', 2, 0.5)]).text.split('\n')[0]).toBe(unclear);
    const other = answered(question, [aRead('Gate 14.', 2, 0.7)], undefined, () => true);
    expect(other.text.split('\n')[0]).toBe(unclear);
  });

  it('offers nothing that its own sentence rejects', () => {
    const read = aRead('went back, but not to gate 14, gate 20', 2, 0.95);
    const span = { start: read.hit.text.indexOf('gate 14'), end: read.hit.text.indexOf(', gate 20'), score: 4 };
    const { confidence, text } = answered('Which gate do we use?', [{ ...read, span }]);
    expect(confidence).toBe('low');
    expect(text.split('\n')[0]).toBe('No clear answer. The nearest mentions:');
  });

  it('offers nothing that its own message says has ended', () => {
    const sold = aRead('corolla', 2, 0.95);
    const hits = [sold.hit];
    const ask = (question: string, ended: string) =>
      finished(
        answeringByReading({
          ...anAnswerInput({ question, at: '2025-04-01T00:00:00Z', terms: [] }, hits),
          reads: [sold],
          weights: weightsOfSpans,
          endedIn: () => [ended],
        }),
      ).confidence;
    expect(ask('What car do I drive?', 'the Corolla')).toBe('low');
    expect(ask('What car do I drive?', 'Mini')).toBe('high');
  });

  it('offers no guess that may be out of date', () => {
    const reads = [aRead('Gate 14.', 2, 0.7), aRead('They sent us to gate 20.', 3, 0.3)];
    expect(answered(question, reads).text.split('\n')[0]).toBe('No clear answer. The nearest mentions:');
  });

  it('quotes messages that are about as likely newest first, unless the question is about an event', () => {
    const reads = [
      aRead('Gate 14.', 2, 0.5),
      aRead('They sent us to gate 20.', 4, 0.3),
      aRead('Gate 3 is shut.', 1, 0.2),
      aRead('The queue was long.', 5, 0.07),
    ];
    const quoted = (asked: string) => answered(asked, reads).passages.map(({ quote }) => quote.text);
    const [shut, first, sent, queue] = [
      'Gate 3 is shut.',
      'Gate 14.',
      'They sent us to gate 20.',
      'The queue was long.',
    ];
    expect(quoted('Which gate do we fly from?')).toEqual([sent, first, shut, queue]);
    expect(quoted('Which gate did we fly from?')).toEqual([first, sent, shut, queue]);
  });

  it('lists what was read with its probability, the likeliest first', () => {
    const { read } = answered(question, [aRead('It was late.', 1, 0.1), aRead('Gate 14.', 2, 0.6)]);
    expect(read?.map(({ hit, probability }) => [hit.text, Math.round(probability * 100)])).toEqual([
      ['Gate 14.', 60],
      ['It was late.', 10],
    ]);
  });
});

describe('a fact beside messages', () => {
  const question = 'Where do we live?';
  const older = aRead('we live in Manchester', 1, 0.9);
  const newer = aRead('finally moved to Leeds last weekend', 3, 0.35);
  const home = aFact({ predicate: 'profile_location', object_normalized: 'Leeds', stated_at: newer.hit.at });
  const known: FactAnswer = {
    basis: 'fact_layer',
    text: 'You live in Leeds.',
    confidence: 'high',
    reason: 'The user said so.',
    facts: [home],
    history: [],
    wantsContext: false,
  };

  it('is sure when the newer message is the one that states it, and quotes that one first', () => {
    const { confidence, score, text, passages } = answered(question, [older, newer], known);
    expect(confidence).toBe('high');
    expect(score).toBeGreaterThanOrEqual(0.88);
    expect(text.split('\n')[0]).toBe('You live in Leeds.');
    expect(passages.map(({ quote }) => quote.text)).toEqual([newer.hit.text, older.hit.text]);
  });

  it('is no answer when a newer message takes its value back', () => {
    const said = aRead('my birthday is the 16th', 1, 0.95);
    const corrected = aRead('sorry, its the 19th not the 16th', 2, 0.35);
    const fact = aFact({ predicate: 'profile_birthday', object_normalized: '16th', stated_at: said.hit.at });
    const asked = answered('When is my birthday?', [said, corrected], { ...known, text: 'The 16th.', facts: [fact] });
    expect(asked.confidence).toBe('low');
    expect(asked.text).not.toContain('The 16th.');
    expect(asked.passages[0]?.quote.text).toBe(corrected.hit.text);
    expect(answered('When is my birthday?', [said, corrected]).confidence).toBe('low');
  });

  it('is no answer when a newer message names it but says something else', () => {
    const said = aRead('day one at Halfords', 1, 0.6);
    const left = aRead('jacked in Halfords, got a start with the tram depot', 5, 0.95);
    const depot = { start: left.hit.text.indexOf('tram'), end: left.hit.text.length, score: 4 };
    const fact = aFact({ predicate: 'profile_employer', object_normalized: 'Halfords', stated_at: said.hit.at });
    const text = 'You work for Halfords.';
    const asked = answered('Where do I work?', [said, { ...left, span: depot }], { ...known, text, facts: [fact] });
    expect(asked.text.split('\n')[0]).toBe('tram depot.');
  });

  it('is no answer when a newer message names a part of it but says something else', () => {
    const got = aRead('got a Pixel 8 for xmas', 1, 0.6);
    const text = 'dropped the pixel in the lake. on an iphone 16 now';
    const dropped = aRead(text, 5, 0.95);
    const span = { start: text.indexOf('iphone'), end: text.indexOf(' now'), score: 2.9 };
    const value = 'a Pixel 8 for xmas';
    const fact = aFact({ predicate: 'owns_phone', object_raw: value, object_normalized: value, stated_at: got.hit.at });
    const facts = { ...known, text: 'You have a Pixel 8.', facts: [fact] };
    const asked = answered('What phone do I use?', [got, { ...dropped, span }], facts);
    expect(asked.confidence).toBe('high');
    expect(asked.text.split('\n')[0]).toBe('iphone 16.');
  });

  it('is confirmed by a newer message that answers with a part of it', () => {
    const said = aRead('still doing weekdays at the library', 1, 0.9);
    const text = 'quit the bakery. still library mon-fri';
    const still = aRead(text, 5, 0.7);
    const span = { start: text.indexOf('library'), end: text.indexOf(' mon'), score: 1.2 };
    const object = { object_raw: 'the library', object_normalized: 'the library' };
    const fact = aFact({ predicate: 'profile_employer', ...object, stated_at: said.hit.at });
    const facts = { ...known, text: 'You work for the library.', facts: [fact] };
    const asked = answered('Where do I work?', [said, { ...still, span }], facts);
    expect(asked.confidence).toBe('high');
    expect(asked.text.split('\n')[0]).toBe('You work for the library.');
  });

  it.each([
    ['450', 'rent goes up to 1450', '1450'],
    ['1450', 'rent is only 450 at the new place', '450'],
    ['450', 'rent goes up to 1,450', '1,450'],
  ])('of %s is not confirmed by a newer message that says: %s', (value, text, newly) => {
    const said = aRead(`rent is ${value}`, 1, 0.6);
    const newer = aRead(text, 5, 0.95);
    const start = text.indexOf(newly);
    const fact = aFact({ predicate: 'rent', object_raw: value, object_normalized: value, stated_at: said.hit.at });
    const facts = { ...known, text: `Your rent is ${value}.`, facts: [fact] };
    const read = { ...newer, span: { start, end: start + newly.length, score: 2.9 } };
    const asked = answered('What is my rent now?', [said, read], facts);
    expect(asked.confidence).toBe('low');
    expect(asked.text.split('\n')[0]).toBe(`Perhaps: ${newly}.`);
  });

  it('is doubted when another newer message may be about the same', () => {
    const other = aRead('the flat in York is lovely', 5, 0.35);
    const { confidence, score } = answered(question, [older, newer, other], known);
    expect(confidence).toBe('low');
    expect(score).toBeLessThan(0.77);
  });

  it('is neither replaced nor confirmed by something newer that only the model takes for an answer', () => {
    const stated = aRead('I moved to Lisbon', 1, 0.6);
    const aside = aRead('About the greenhouse in Kyoto: it makes a strange noise', 9, 0.95);
    const span = { start: aside.hit.text.indexOf('Kyoto'), end: aside.hit.text.indexOf(':'), score: 2.9 };
    const fact = aFact({
      predicate: 'profile_location',
      object_raw: 'Lisbon',
      object_normalized: 'Lisbon',
      stated_at: stated.hit.at,
    });
    const formerly = 'Before: Lisbon (said on 1 March 2025).';
    const facts = { ...known, text: 'You live in Lisbon.', facts: [fact] };
    const asked = answered(question, [stated, { ...aside, span }], { ...facts, formerly });
    expect(asked.confidence).toBe('low');
    expect(asked.text.split('\n')[0]).toBe(`Perhaps: Kyoto. ${formerly}`);
    expect(answered(question, [stated, { ...aside, span }], facts).text.split('\n')[0]).toBe('Perhaps: Kyoto.');
    expect(answered(question, [stated, { ...aside, span }]).confidence).toBe('high');
  });
});
