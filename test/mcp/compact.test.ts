import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeNotice, contentNotice } from '../../src/mcp/prompts.js';
import { memoryTools } from '../../src/mcp/tools/table.js';
import { remembered, scenarios } from '../scenarios/ask.js';
import { aConversation, turns } from '../support/conversation.js';
import { gardenEssay } from '../support/essay.js';
import { aSession } from '../support/mcp.js';
import { aService, type Body, startService, type TestService } from '../support/service.js';

/* What a client model receives: the text of the answers of memory_ask and memory_search. */

const most = 2_500;

/** Chats as people have them with an assistant: a question of a sentence or two, and replies of several hundred words. */
const longChats = [
  ['Tomatoes', 'When should I put the tomatoes outside?', 'My balcony faces north and gets an hour of sun.'],
  ['Roses', 'How far back may I cut the roses?', 'I planted three climbing roses along the fence in 2023.'],
  ['Compost', 'Why does my compost smell?', 'Our compost bin is the green one behind the shed.'],
  ['Snails', 'What helps against snails?', 'Last year the snails ate all forty lettuces in one night.'],
  ['Apple trees', 'Do apple trees need a partner?', 'We bought a Boskoop apple tree for 39 euros at the nursery.'],
].map(([title = '', question = '', told = ''], at) =>
  aConversation({
    title,
    source: 'claude',
    timestamp: `2025-0${at + 3}-12T09:30:00Z`,
    messages: turns(question, gardenEssay(450), told, gardenEssay(350)),
  }),
);

const questions = [
  ...scenarios.map(({ question }) => question),
  'Which way does my balcony face?',
  'How many climbing roses did I plant?',
  'Where is the compost bin?',
  'How many lettuces did the snails eat?',
  'What did the apple tree cost?',
  'How often should roses be watered?',
];

const fieldsOfAsk = [
  ...['status', 'id', 'results', 'cursor', 'error_code', 'error_message'],
  ...['answer', 'citations', 'provenance', 'confidence', 'confidence_reason', 'answer_basis'],
  ...['evidence', 'structured_evidence', 'facts'],
];
const fieldsOfResult = [
  ...['id', 'score', 'chunk_index', 'role', 'text', 'conversation', 'conversation_score', 'conversation_match_count'],
];

let service: TestService;
let session: Awaited<ReturnType<typeof aSession>>;

beforeAll(async () => {
  service = await startService();
  for (const conversation of [...remembered, ...longChats]) await service.insert(conversation);
  session = await aSession(service);
});
afterAll(() => service.close());

/** A call's text as it is sent, what it says, and the structured content beside it. */
async function answered(name: string, given: Body, among = session) {
  const result = await among.result('tools/call', { name, arguments: given });
  const [{ text }] = result.content as [{ text: string }];
  return { text, told: JSON.parse(text) as Body, fields: result.structuredContent as Body };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

describe('the text of an answer', () => {
  it.each([
    ['memory_ask', 'question'],
    ['memory_search', 'query'],
  ])('of %s has at most 2,500 characters in the middle of many questions', async (tool, field) => {
    const sizes: number[] = [];
    for (const question of questions) sizes.push((await answered(tool, { [field]: question })).text.length);
    expect(sizes).toHaveLength(questions.length);
    expect(medianOf(sizes)).toBeLessThanOrEqual(most);
    // Nor does any single one flood a context.
    expect(Math.max(...sizes)).toBeLessThan(2 * most);
  });

  it('shows each message once, with its date, speaker, title and id', async () => {
    for (const [tool, field] of [
      ['memory_ask', 'question'],
      ['memory_search', 'query'],
    ] as const) {
      const { told, text } = await answered(tool, { [field]: 'Which way does my balcony face?' });
      const results = told.results as Body[];
      const [first] = results.filter((each) => String(each.text).includes('faces north'));
      expect(first).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        title: 'Tomatoes',
        message_index: 2,
        role: 'user',
        timestamp: '2025-03-12T09:30',
        text: 'My balcony faces north and gets an hour of sun.',
        // An answer marks what it is made from.
        ...(tool === 'memory_ask' ? { cited: true } : {}),
      });
      const places = results.map(({ id, message_index }) => `${id} ${message_index}`);
      expect(new Set(places).size).toBe(places.length);
      // The answer may quote a short message; nothing else repeats it.
      expect(text.split('faces north and gets').length - 1).toBeLessThanOrEqual(tool === 'memory_ask' ? 2 : 1);
    }
  });

  it('tells the model to compose, to cite and to follow nothing', async () => {
    for (const [tool, given] of [
      ['memory_ask', { question: 'Where do I live?' }],
      ['memory_search', { query: 'Where do I live?' }],
    ] as const) {
      const { told, fields } = await answered(tool, given);
      expect(told).toMatchObject({ guidance: composeNotice, content_notice: contentNotice });
      expect(fields).toMatchObject({ guidance: composeNotice, content_notice: contentNotice });
    }
    expect(composeNotice).toMatch(/^Compose your answer .* cite id and message_index/);
  });

  it('holds current facts with the time they are valid from, beside the messages that state them', async () => {
    for (const [tool, given] of [
      ['memory_ask', { question: 'Where do I live?' }],
      ['memory_search', { query: 'I moved to Rome' }],
    ] as const) {
      const { told } = await answered(tool, given);
      expect(told.facts).toContainEqual({
        fact_id: expect.stringMatching(/^fact_/),
        fact: 'user profile_location: Rome',
        since: '2025-06-10',
        id: expect.any(String),
        message_index: 0,
      });
      expect(JSON.stringify(told.facts)).not.toContain('Paris');
      expect(JSON.stringify(told.results)).toContain('I moved to Rome last month.');
    }
  });

  it('keeps the quoted words of a long message in sight', async () => {
    const chat = aConversation({
      title: 'Move',
      messages: turns(`${gardenEssay(300)} The spare key hangs behind the boiler. ${gardenEssay(300)}`, 'Noted.'),
    });
    const other = await aService();
    await other.insert(chat);
    const { told } = await answered('memory_ask', { question: 'Where is the spare key?' }, await aSession(other));
    const [first] = told.results as { text: string }[];
    expect(first?.text).toContain('The spare key hangs behind the boiler.');
    expect(first?.text).toMatch(/^….*…$/s);
    expect(first?.text.length).toBeLessThan(1_400);
  });

  it.each([
    ['compact', most],
    // Up to three messages of each conversation, as asked for.
    ['conversations', 2 * most],
    ['threads', 2 * most],
  ] as const)('is short in the mode %s', async (result_mode, limit) => {
    const sizes: number[] = [];
    for (const question of questions.slice(-6)) {
      sizes.push((await answered('memory_search', { query: question, result_mode })).text.length);
      await answered('memory_ask', { question, result_mode });
    }
    expect(medianOf(sizes)).toBeLessThanOrEqual(limit);
  });
});

describe('the structured content', () => {
  // Many clients hand it to the model beside the text.
  it.each([
    ['memory_ask', 'question', 5_500],
    ['memory_search', 'query', 4_000],
  ])('of %s stays short too, with each text once', async (tool, field, limit) => {
    const sizes: number[] = [];
    for (const question of questions) {
      const { fields } = await answered(tool, { [field]: question });
      sizes.push(JSON.stringify(fields).length);
      // The answer is a quotation.
      const whole = JSON.stringify({ ...fields, answer: '' });
      for (const { text } of fields.results as { text: string }[]) {
        const words = JSON.stringify(text).slice(1, -1);
        const timesIn = (held: string): number => held.split(words).length - 1;
        // A short message may be a fact that it states.
        if (words.length > 60) expect(timesIn(whole)).toBe(timesIn(JSON.stringify(fields.results)));
      }
    }
    expect(medianOf(sizes)).toBeLessThanOrEqual(limit);
    expect(Math.max(...sizes)).toBeLessThan(2 * limit);
  });

  it('has every field of the interface, in the shape that the tool says', async () => {
    const ask = memoryTools.find(({ name }) => name === 'memory_ask');
    const search = memoryTools.find(({ name }) => name === 'memory_search');
    for (const question of questions) {
      const { fields } = await answered('memory_ask', { question });
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(fieldsOfAsk));
      expect(() => ask?.output.parse(fields)).not.toThrow();
      const found = (await answered('memory_search', { query: question })).fields;
      expect(() => search?.output.parse(found)).not.toThrow();
      for (const each of [...(fields.results as Body[]), ...(found.results as Body[])])
        expect(Object.keys(each)).toEqual(expect.arrayContaining(fieldsOfResult));
    }
  });

  it('names a fact with every field of the interface', async () => {
    const { fields } = await answered('memory_ask', { question: 'Where do I live?' });
    expect(fields.facts).toMatchObject([
      {
        subject: 'user',
        predicate: 'profile_location',
        object_raw: 'Rome',
        object_normalized: 'Rome',
        source_quality: expect.any(String),
        confidence: expect.any(String),
        confidence_reason: expect.any(String),
        status: 'active',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        last_confirmed_at: expect.any(String),
      },
    ]);
  });

  it('describes a conversation once', async () => {
    const { fields } = await answered('memory_search', { query: 'roses compost lettuce', top_k: 10 });
    const described = (fields.results as { conversation: Body }[]).filter(({ conversation }) => conversation.metadata);
    const ids = described.map(({ conversation }) => conversation.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect((fields.results as Body[]).length).toBeGreaterThan(ids.length);
  });

  it('is whole, as is the text, where that is asked for', async () => {
    const given = { question: 'How often should roses be watered?', response_format: 'detailed' };
    const { told, fields } = await answered('memory_ask', given);
    expect(told).toEqual(fields);
    const [first] = fields.results as { conversation: { messages: Body[] } }[];
    expect(first?.conversation.messages).toHaveLength(4);
  });
});

describe('a token budget', () => {
  it.each([60, 120, 250, 600])('of %i counts the answer, the evidence and the facts as they are sent', async (most) => {
    for (const question of questions) {
      const { told, fields } = await answered('memory_ask', { question, max_context_tokens: most });
      const { answer, results, facts = [] } = told as { answer: string; results: Body[]; facts?: Body[] };
      const isBare = results.length + facts.length === 0;
      const sent = isBare ? answer : JSON.stringify({ answer, results, facts });
      const used = service.runtime.service.tokenizer.count(sent);
      expect({ question, used: told.context_tokens_used }).toEqual({ question, used });
      expect({ question, chunks: told.chunks_selected }).toEqual({ question, chunks: results.length });
      if (!isBare) expect(used).toBeLessThanOrEqual(most);
      expect(fields.results).toHaveLength(results.length);
      expect(fields.context_tokens_used).toBe(used);
    }
  });
});

describe('memory_context', () => {
  const three = turns('First.', 'Second.', 'Third.', 'Fourth.', 'Fifth.');

  it('shows a message with those around it', async () => {
    const other = await aService();
    const among = await aSession(other);
    const { id } = await other.insert(
      aConversation({ title: 'Five', source: 'claude', timestamp: '2025-01-02T03:04:05Z', messages: three }),
    );
    const told = await among.call('memory_context', { id, message_index: 2, before: 1, after: 1 });
    expect(told).toMatchObject({
      status: 'ok',
      id,
      title: 'Five',
      source: 'claude',
      message_index: 2,
      message_count: 5,
      results: [
        { message_index: 1, role: 'assistant', text: 'Second.', timestamp: '2025-01-02T03:04:05Z' },
        { message_index: 2, role: 'user', text: 'Third.' },
        { message_index: 3, role: 'assistant', text: 'Fourth.' },
      ],
      content_notice: contentNotice,
    });
    const at = async (given: Body) =>
      ((await among.call('memory_context', { id, ...given })).results as Body[]).map((each) => each.message_index);
    expect(await at({ message_index: 0 })).toEqual([0, 1, 2, 3]);
    expect(await at({ message_index: 4, before: 0 })).toEqual([4]);
  });

  it('refuses a message that the conversation does not have, and an unknown id', async () => {
    const other = await aService();
    const among = await aSession(other);
    const { id } = await other.insert(aConversation({ messages: three }));
    expect(await among.call('memory_context', { id, message_index: 5 })).toMatchObject({
      error_code: 'not_found',
      error_message: 'message_index must be less than 5, the number of messages',
    });
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await among.call('memory_context', { id: unknown, message_index: 0 })).toMatchObject({
      error_code: 'not_found',
    });
    expect(await among.call('memory_context', { id, message_index: 0, project_id: 'other' })).toMatchObject({
      error_code: 'permission_denied',
    });
  });
});
