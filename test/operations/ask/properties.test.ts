import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayDay } from '../../../src/answers/dates.js';
import { sentencesOf } from '../../../src/answers/quote.js';
import { languages } from '../../../src/language/languages.js';
import type { AskOutput } from '../../../src/operations/ask/shapes.js';
import { createHeuristicTokenizer } from '../../../src/tokenizer/heuristic.js';
import { aConversation, invented, type SentConversation } from '../../support/conversation.js';
import { atLength } from '../../support/length.js';
import fc from '../../support/properties.js';
import { memberOf, startService, type TestService } from '../../support/service.js';

const people = ['Nora', 'Mark', 'Anna'];
const cities = ['Rome', 'Oslo', 'Kyiv'];
const things = ['lemon cake', 'old boat', 'green lamp'];

const from = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const long = `so ${invented(7, 90)} and on`;

const sentence = fc.oneof(
  from(...cities.map((city) => `I live in ${city}.`)),
  from(...cities.map((city) => `My favorite city is ${city}!`)),
  fc.tuple(from(...people), from(...things)).map(([who, what]) => `${who} found the ${what} yesterday.`),
  fc.tuple(from(...people), from(...things)).map(([who, what]) => `Did ${who} sell the ${what}?`),
  from(
    'Yes, exactly.',
    'No.',
    'We met on 3 May 2024.',
    'The code is 4711 …',
    '[laughs]',
    'Привіт, я живу у Києві.',
    '我住在柏林。',
  ),
  fc.nat(500).map((seed) => `${invented(seed)}.`),
  from(`${long}.`, '`const x = 1;`\n\n- a\n- b'),
);

const turn = fc.array(sentence, { minLength: 1, maxLength: 3 }).map((sentences) => sentences.join(' '));

const conversation: fc.Arbitrary<SentConversation> = fc
  .tuple(fc.array(turn, { minLength: 1, maxLength: 4 }), fc.boolean(), fc.integer({ min: 0, max: 300 }))
  .map(([texts, named, day]) =>
    aConversation({
      timestamp: new Date(Date.UTC(2025, 0, 1 + day)).toISOString(),
      messages: texts.map((text, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        text: named ? `${people[at % 2]}: ${text}` : text,
      })),
    }),
  );

const question = fc.oneof(
  from(
    'Where do I live?',
    'Where did I live before?',
    'What is my favorite city?',
    'When did we meet?',
    'Wo wohne ich?',
  ),
  fc.tuple(from(...people), from(...things)).map(([who, what]) => `When did ${who} find the ${what}?`),
  fc.tuple(from(...people), from(...things)).map(([who, what]) => `Did ${who} sell the ${what}?`),
  from('What is the code?', '我住在哪里？', 'Який код?', invented(3, 4)),
);

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

let projects = 0;

/** A project of its own with these conversations in it, and what is stored by id. */
async function aProject(conversations: readonly SentConversation[]) {
  projects += 1;
  const principal = memberOf(`project-${projects}`);
  const stored = new Map<string, SentConversation>();
  for (const each of conversations) {
    const { id } = await service.insert(each, principal);
    if (!stored.has(id)) stored.set(id, each);
  }
  return { principal, stored };
}

const flat = (text: string): string => text.replace(/\s+/g, ' ');

/** What stands around the quotes: dates, speakers, ellipses. */
function withoutFrame(answer: string): string {
  return answer
    .replace(/(?:Said on |About |The week of |The weekend of |Between |and )?\d{1,2} \p{L}+ \d{4}\.? ?/gu, ' ')
    .replace(/(?<!\p{L})(?:User|Assistant|Nora|Mark|Anna):/gu, ' ');
}

/** Words of the sentences that facts are put into, in every language. */
const templates = languages().flatMap(({ answers }) => {
  const { sentences = {}, nouns = '', ...others } = answers?.facts ?? {};
  return [...Object.values(sentences), nouns, ...Object.values(others)];
});
const months = Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}-01`);
const days = languages().flatMap(({ code }) => months.map((day) => displayDay(day, code)));
const factWords = new Set(
  [
    ...templates.map((each) => each.replace(/\{\w*\}/g, ' ')),
    ...days,
    'your favorite city location profile nora mark anna',
  ].flatMap(wordsIn),
);

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

function checkQuotes(answer: AskOutput, stored: ReadonlyMap<string, SentConversation>): void {
  const said: string[] = [];
  for (const citation of answer.citations) {
    const messages = stored.get(citation.id)?.messages ?? [];
    if (citation.type === 'fact') {
      expect(messages.some(({ text }) => text.includes(citation.quote))).toBe(true);
      expect(answer.answer).toContain(citation.text);
      said.push(citation.text);
      continue;
    }
    for (const quote of citation.text.split(' … ')) {
      expect(messages[citation.chunk_index]?.text).toContain(quote);
      // One turn may be quoted whole in one line and in part in the next.
      said.push(...[quote, ...sentencesOf(quote).map((each) => each.text)].map(flat));
    }
  }
  // The longest first: one quote may be part of another.
  const longestFirst = said.sort((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, part) => left.replaceAll(part, ' '), flat(answer.answer));
  const words = wordsIn(withoutFrame(rest));
  const known = answer.facts.length > 0 || answer.answer_basis === 'fact_layer' ? factWords : new Set<string>();
  const signs = new Set([...known].join(''));
  // No space tells where a word of ours ends in Chinese.
  const isKnown = (word: string): boolean =>
    known.has(word) || (/^\p{sc=Han}+$/u.test(word) && [...word].every((sign) => signs.has(sign)));
  expect(words.filter((word) => !isKnown(word))).toEqual([]);
}

/** Cut to fit, the turn that is replied to loses the question in it. */
const repliedTo = aConversation({
  messages: [
    { role: 'user', text: `Did Nora sell the lemon cake? ${long}. Anna found the lemon cake yesterday.` },
    { role: 'assistant', text: 'Yes, exactly.' },
  ],
});

describe('over any store', () => {
  it('an answer says only what it cites, is deterministic, and reveals nothing of another project', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(conversation, { minLength: 1, maxLength: 4 }),
        fc.array(question, { minLength: 2, maxLength: 3 }),
        async (conversations, questions) => {
          const theirs = await aProject([aConversation({ messages: [{ role: 'user', text: 'I live in Zanzibar.' }] })]);
          const { principal, stored } = await aProject(conversations);
          for (const asked of questions) {
            const answer = await service.ask({ question: asked }, principal);
            expect(await service.ask({ question: asked }, principal)).toEqual(answer);
            if (answer.answer_basis === 'not_found') expect(answer.citations).toEqual([]);
            else {
              expect(answer.citations.length).toBeGreaterThan(0);
              checkQuotes(answer, stored);
            }
            expect(JSON.stringify(answer)).not.toContain('Zanzibar');
            for (const { id } of answer.provenance.conversations) expect(theirs.stored.has(id)).toBe(false);
          }
        },
      ),
      { numRuns: atLength(8, 30) },
    );
  });

  it('a budget is respected, and the answer is still contained in what was kept', async () => {
    const { count } = createHeuristicTokenizer();
    await fc.assert(
      fc.asyncProperty(
        fc.array(conversation, { minLength: 1, maxLength: 3 }),
        question,
        fc.integer({ min: 1, max: 80 }),
        async (conversations, asked, most) => {
          const { principal } = await aProject(conversations);
          const answer = await service.ask({ question: asked, max_context_tokens: most, top_k: 8 }, principal);
          const { context_tokens_used: used = Number.NaN, evidence, results, citations } = answer;
          expect(used).toBeLessThanOrEqual(most);
          const chunks = evidence.flatMap((each) => (each.type === 'chunk' ? [each.text] : []));
          expect(chunks.reduce((sum, text) => sum + count(text), 0)).toBeLessThanOrEqual(used);
          const shown = results.map((item) => ('text' in item ? item.text : ''));
          expect(shown.reduce((sum, text) => sum + count(text), 0)).toBeLessThanOrEqual(used);
          for (const citation of citations) {
            if (citation.type === 'fact') continue;
            for (const quote of citation.text.split(' … ')) expect(chunks.join('\n')).toContain(quote);
          }
        },
      ),
      { numRuns: atLength(8, 30), examples: [[[repliedTo], 'Did Anna sell the lemon cake?', 29]] },
    );
  });
});
