import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Marked } from 'marked';
import { piecesOf as piecesOfMessage } from '../../console/src/reading/pieces.js';
import { type AnswerInput, answerQuestion } from '../../src/answers/answer.js';
import { withoutEchoes } from '../../src/answers/budget.js';
import { factQueryOf } from '../../src/answers/fact-match.js';
import { questionParts, readingQuestion } from '../../src/answers/question.js';
import { answeringByReading } from '../../src/answers/read-answer.js';
import { conversationText } from '../../src/cli/commands/conversations.js';
import { passageOf } from '../../src/cli/search-text.js';
import { plainStyle, printable } from '../../src/cli/terminal.js';
import { hashEmbedding } from '../../src/embeddings/local.js';
import { createStaticModel, parseTable } from '../../src/embeddings/static/embed.js';
import { clausesOf, sentencesOf as statedSentences } from '../../src/facts/clauses.js';
import { isCrafted, ownWords, pastedFrom, withoutForeign } from '../../src/facts/gates.js';
import { readObjects } from '../../src/facts/objects.js';
import { peopleOf } from '../../src/facts/people.js';
import { taggedStatements } from '../../src/facts/tagged.js';
import { factTerms, keyOf } from '../../src/facts/values.js';
import { parsingJson } from '../../src/http/body.js';
import { withoutMarks } from '../../src/importers/formats/chatgpt.js';
import { importers } from '../../src/importers/table.js';
import { partsOf } from '../../src/indexing/deep/encoding.js';
import { chunkMessages } from '../../src/ingestion/chunk.js';
import { coerce } from '../../src/ingestion/coerce.js';
import { messageHash } from '../../src/ingestion/hash.js';
import { normalise, normaliseMetadata } from '../../src/ingestion/normalise.js';
import { enriching, findTags } from '../../src/ingestion/prepare.js';
import { applyingSecretPolicy, applySecretPolicyToHeading } from '../../src/ingestion/secret-policy.js';
import { conversationSummary, findTopics } from '../../src/ingestion/summarise.js';
import { mentions } from '../../src/language/names.js';
import { phraseOf } from '../../src/language/phrase.js';
import { asksForReply, contentTerms, otherNames, personAsked, piecesOf } from '../../src/language/query-terms.js';
import { headingTerms, indexedTerms, portionsOf, termCounter } from '../../src/language/terms.js';
import { eventsOf } from '../../src/language-model/chat.js';
import {
  answerPrompt,
  citedIn,
  createSentenceReader,
  isGrounded,
  withoutCitations,
} from '../../src/language-model/compose.js';
import { secondOpinion } from '../../src/language-model/fact-opinion.js';
import { cutAround } from '../../src/mcp/compact/results.js';
import { concise } from '../../src/mcp/tool.js';
import { subjectKeyOf } from '../../src/model/fact.js';
import type { Hit } from '../../src/model/hit.js';
import { jsonPieces } from '../../src/model/json.js';
import { finished } from '../../src/model/steps.js';
import { markdownName, markdownOf } from '../../src/operations/export.js';
import { termsOf } from '../../src/operations/search/gather.js';
import { createSplitter } from '../../src/reading/read-windows.js';
import { judgingExactness, similarityOf } from '../../src/retrieval/candidate.js';
import { judgingDemands } from '../../src/retrieval/demands.js';
import { features, type Weights } from '../../src/retrieval/features.js';
import { findingExcerpt, highlightsOf } from '../../src/retrieval/highlight.js';
import { matchingIn } from '../../src/retrieval/match.js';
import { parseQuery, QueryError } from '../../src/retrieval/query-language.js';
import { ranking } from '../../src/retrieval/rank.js';
import { askingShare, isQuestion } from '../../src/retrieval/turns.js';
import { textOf } from '../../src/sdk/adapters/exchange.js';
import { recallNote } from '../../src/sdk/adapters/tool-texts.js';
import { createExactTokenizer, loadVocabulary } from '../../src/tokenizer/exact.js';
import { createHeuristicTokenizer } from '../../src/tokenizer/heuristic.js';
import { now, readers, refused } from '../fuzz/readers.js';
import { exportAs } from '../importers/exports.js';
import { moreExports } from '../importers/more-exports.js';
import { anAnswerInput, weightsOfSpans } from '../support/answer-input.js';
import { aCandidate, aQuery } from '../support/candidate.js';
import { aFact } from '../support/fact.js';
import { limits } from '../support/limits.js';
import { type Reading, sizes } from './growth.js';

const heuristic = createHeuristicTokenizer();
const exact = createExactTokenizer('cl100k_base', await loadVocabulary('cl100k_base'));
const models = new URL('../../models/', import.meta.url);
const model = createStaticModel(
  await parseTable(readFileSync(new URL('model.bin', models)), readFileSync(new URL('vocab.txt', models))),
);
const split = createSplitter(readFileSync(new URL('vocab.txt', models), 'utf8').split('\n'));
const turns = (text: string) => [{ role: 'user' as const, text: `x${text}` }];
const aConversation = (text: string) => ({
  id: 'a',
  source: 'test',
  title: text.slice(0, 1_024),
  timestamp: now,
  messages: turns(text),
  metadata: { project_id: 'p', memory_status: 'active' as const, tags: [text.slice(0, 200)] },
});
const normalised = (text: string) =>
  normalise(coerce({ title: text.slice(0, 1_000), messages: turns(text) }, limits), {
    limits,
    defaultSource: 'test',
    now,
    newId: () => '00000000-0000-4000-8000-000000000001',
  });

/** Queries and questions are no longer than this; longer ones are refused before anything reads them. */
const longestQuery = 32_768;
const ofQuestions = new WeakSet<Reading>();
const asked = (read: Reading): Reading => {
  const cut: Reading = (text) => read(text.slice(0, longestQuery));
  ofQuestions.add(cut);
  return cut;
};

/** Each step of an insert alone, so that a failure names it. */
const insertSteps: Record<string, Reading> = {
  'insert: a body': (text) => finished(parsingJson(JSON.stringify({ messages: turns(text) }))),
  'insert: a body that is no JSON': (text) => {
    try {
      return finished(parsingJson(`[${text}]`));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  },
  'insert: coerce and normalise': normalised,
  'insert: metadata': (text) =>
    normaliseMetadata({ tags: [text], summary: text.slice(0, 2_000), note: text }, { limits, now, source: 'x' }),
  'insert: secrets': (text) => finished(applyingSecretPolicy(normalised(text), { policy: 'redact', limits })),
  'insert: heading secrets': (text) =>
    applySecretPolicyToHeading({ title: text, add_tags: [text] }, { policy: 'redact', limits }),
  'insert: hash': (text) => messageHash({ role: 'user', text }),
  'insert: sentences': statedSentences,
  'insert: clauses': (text) => clausesOf({ text, start: 0, end: text.length, asks: text.includes('?') }),
  'insert: topics': (text) => finished(findTopics([text])),
  'insert: tags': (text) => finished(findTags({ source: 'x', messages: turns(text), topics: [], manualTags: [text] })),
  'insert: summary': (text) => conversationSummary({ source: 'x', messages: turns(text), topics: [] }),
  'insert: enrich': (text) => finished(enriching({ source: 'x', messages: turns(text), metadata: {} })),
  'insert: chunks': (text) =>
    chunkMessages(turns(text), { strategy: 'token', maxTokens: 256, overlapTokens: 32, tokenizer: heuristic }),
  'insert: heading': (text) => headingTerms({ title: text, metadata: { tags: [text] } }),
};

const factSteps: Record<string, Reading> = {
  // No clause is longer.
  'facts: objects': (text) => readObjects('thing', text.slice(0, 200), false),
  'facts: key': keyOf,
  'facts: subject': subjectKeyOf,
  'facts: terms': (text) => factTerms({ subject: text, predicate: 'p', object_raw: text, object_normalized: text }),
  'facts: foreign text': withoutForeign,
  'facts: pasted text': (text) => [pastedFrom(text), ownWords(text), isCrafted(text)],
  'facts: of the tagger': (text) =>
    taggedStatements(
      [
        { relation: 'lives_in', state: 'holds', value: { start: 0, end: 9 }, isAboutOther: false, confidence: 0.9 },
        { relation: 'name', state: 'holds', value: { start: 3, end: text.length }, isAboutOther: false, confidence: 1 },
      ],
      { text, index: 0, role: 'user' },
      [],
    ),
  'facts: people': (text) =>
    peopleOf('p', [
      aFact({ predicate: 'relation_sister', object_normalized: text }),
      aFact({ predicate: 'profile_location', object_normalized: text, subject: text }),
    ]),
};

/** A stand-in for a server: what it answers is text of others as well. */
const answeringWith = (text: string) => ({
  stream: async () => 'stop' as const,
  complete: async () => text,
  describe: () => ({ model: 'm', host: 'h' }),
  close: async () => {},
});

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function eventsIn(text: string, size: number): Promise<number> {
  let count = 0;
  for await (const event of eventsOf(ReadableStream.from(inPieces(text, size)), 8_000_000)) count += event.length;
  return count;
}

const aGround = (text: string) => ({ text, days: ['2026-01-01'] });

const languageModelSteps: Record<string, Reading> = {
  'language model: events': (text) => eventsIn(`data: ${text}`, 64),
  'language model: many events': (text) => eventsIn(`data: ${text}\n\n`.replaceAll(/.{32}/gs, 'data: $&\n\n'), 64),
  'language model: sentences': (text) => {
    const reader = createSentenceReader();
    return [...reader.push(`A ${text}`), ...reader.end()];
  },
  'language model: sentences in pieces': (text) => {
    const reader = createSentenceReader();
    for (let from = 0; from < text.length; from += 16) reader.push(text.slice(from, from + 16));
    return reader.end();
  },
  'language model: citations': (text) => [citedIn(text), withoutCitations(text)],
  // A sentence is no longer than this; what it cites may be.
  'language model: grounding': (text) =>
    isGrounded(text.slice(0, 4_000), { question: text.slice(0, 4_000), cited: [aGround(text)] }),
  'language model: prompt': (text) =>
    answerPrompt(text, [{ id: 1, kind: 'message', said_by: 'user', date: '2026-01-01', text }]),
  'language model: facts': (text) => given(secondOpinion(answeringWith(text), text, [])),
  'language model: facts in a fence': (text) => given(secondOpinion(answeringWith(`\`\`\`json {} ${text}`), text, [])),
};

/** An answer of another shape is refused, which is an outcome too. */
function given(outcome: Promise<unknown>): Promise<unknown> {
  return outcome.catch(() => undefined);
}

function parsedQuery(text: string): unknown {
  try {
    return parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

const aLongWord = { words: 'a'.repeat(4_096), typed: 'a'.repeat(4_096), isLong: true };
const aPhrase = phraseOf('the dog of nora');
if (aPhrase === undefined) throw new Error('a phrase is expected');

const subjectOf = (text: string) => ({
  text,
  role: 'user' as const,
  sources: [],
  threadIds: [],
  titles: [text.slice(0, 1_024)],
  tags: [],
});

const searchSteps: Record<string, Reading> = {
  'search: operators': asked(parsedQuery),
  'search: an operator before it': asked((text) => parsedQuery(`dog tag:"${text}`)),
  'search: a phrase of it': asked((text) => phraseOf(text)),
  'search: demands': (text) =>
    finished(
      judgingDemands(subjectOf(text), {
        wanted: [
          { kind: 'has', value: 'code' },
          { kind: 'has', value: 'link' },
          { kind: 'has', value: 'image' },
        ],
        unwanted: [
          { kind: 'phrase', value: 'dog of nora' },
          { kind: 'phrase', value: 'dog' },
          { kind: 'title', value: 'dog' },
        ],
      }),
    ),
  'search: exactness': (text) => finished(judgingExactness(text, aPhrase)),
  'search: exactness of a part': (text) => {
    const phrase = phraseOf(text.slice(0, Math.min(longestQuery, text.length / 2)));
    return phrase === undefined ? 0 : finished(judgingExactness(text, phrase));
  },
  'search: exactness of a long word': (text) => finished(judgingExactness(text, aLongWord)),
  'search: turns': (text) => [isQuestion(text), askingShare(text)],
  'search: terms': asked(termsOf),
  'search: content terms': asked(contentTerms),
  'search: pieces': asked(piecesOf),
  'search: person': asked((text) => [personAsked(text), asksForReply(text)]),
  'search: other names': asked((text) => otherNames(text, ['a'])),
  'search: a term in a text': (text) => termCounter(['dog', '~hund', '漢字', 'é'])(text),
  'search: a name in a text': (text) => mentions(text, 'Nora'),
  'search: rank': (text) =>
    finished(
      ranking([aCandidate('a', { text }), aCandidate('b', { text, speaker: 'Nora' })], aQuery({ pieces: ['dog'] }), {
        trust: 1,
        keywordWeight: 0.25,
        metadataWeight: 0.15,
        weights: Object.fromEntries(Object.keys(features).map((name) => [name, 1])) as Weights,
        deepWeight: 0.6,
        similarity: similarityOf.cosine,
      }),
    ),
  'search: highlight': (text) => {
    const excerpt = { start: 0, end: text.length };
    return passageOf({ text, highlights: highlightsOf(text, ['dog', 'x']), excerpt }, (word) => `*${word}*`);
  },
};

function hitOf(text: string): Hit {
  const place = { chunkId: 'c', conversationId: 'v', chunkIndex: 0, messageIndex: 0 };
  return { ...place, role: 'user', text, at: now, relevance: 1, similarity: 0.9 };
}

function dogOfNora(text: string): AnswerInput {
  const asking = { question: 'Where is the dog of Nora?', at: now, terms: ['dog', 'nora', 'x'] };
  const input = anAnswerInput(asking, [hitOf(text), hitOf(`The dog. ${text}`)]);
  return { ...input, similarities: [0.9, 0.1], before: () => hitOf(text) };
}

const askSteps: Record<string, Reading> = {
  'ask: facts asked for': asked((text) => factQueryOf(finished(readingQuestion(text, now)))),
  'ask: answer': (text) => answerQuestion(dogOfNora(text)),
  'ask: answer by reading': (text) => {
    const input = dogOfNora(text);
    const reads = input.hits.map((hit) => ({ hit, before: hit, relevance: 1, polarity: 0 }));
    return finished(answeringByReading({ ...input, reads, weights: weightsOfSpans }));
  },
  'ask: echoes': (text) => withoutEchoes([hitOf(text)], { terms: ['dog'], before: () => hitOf(text) }),
};

const shownSteps: Record<string, Reading> = {
  'export: Markdown': (text) => markdownOf(aConversation(text)),
  'export: a file name': (text) => markdownName({ ...aConversation(text), title: text }),
  'show: on the command line': (text) => conversationText(aConversation(text), plainStyle),
  'show: printable': printable,
  'show: JSON in pieces': (text) => [...jsonPieces({ messages: turns(text), title: text })],
  'show: concise': (text) => concise({ text, results: [aConversation(text)] }),
  'tokenizer: count': (text) => heuristic.count(text),
  'tokenizer: windows': (text) => heuristic.windows(text, { size: 256, overlap: 32 }),
  'tokenizer: exact': (text) => exact.windows(text, { size: 256, overlap: 32 }),
  'show: cut around': (text) => cutAround({ text, focus: { start: 10, end: 20 } }, 200),
  'reader: pieces': (text) => split(text),
  'embedding: parts': (text) => partsOf(text),
  'embedding: static': (text) => model.embed(text),
  'embedding: hash': (text) => hashEmbedding(text, 256),
};

const questionSteps: Record<string, Reading> = {
  'ask: parts': asked(questionParts),
  'ask: parts behind a question': asked((text) => questionParts(`Where do I live, and ${text.slice(0, 470)}?`)),
  'search: match': (text) => {
    const words = ['dog', '漢字', 'é', 'nora'];
    const matchOf = matchingIn({
      words,
      pieces: words,
      language: 'de',
      searched: 1_000,
      trust: 1,
      similarity: () => 0.1,
    });
    return finished(matchOf({ ...aCandidate('a', { text }), relevance: 1, shares: {} }, text.slice(0, 1_024)));
  },
  'search: a match of its words': asked((text) =>
    finished(
      matchingIn({
        words: contentTerms(text),
        pieces: piecesOf(text),
        language: 'de',
        searched: 1_000,
        trust: 1,
        similarity: () => 0.1,
      })({ ...aCandidate('a', { text }), relevance: 1, shares: {} }, ''),
    ),
  ),
  'search: best part': (text) => finished(findingExcerpt(text, ['dog', 'x', '漢字'])),
  'search: highlights of its words': (text) => highlightsOf(text, termsOf(text.slice(0, longestQuery))),
  'insert: stored terms': (text) => finished(indexedTerms(text)),
  'insert: portions': (text) => [...portionsOf(text)],
};

/** The library puts memories before a prompt, and reads what a framework sends. */
const adapterSteps: Record<string, Reading> = {
  'adapter: recall': (text) => recallNote([{ role: 'user', text, timestamp: now }]),
  'adapter: content': (text) => [textOf(text), textOf([{ type: 'text', text }, { text }, text])],
};

/** Written for a page, whose types are not known here. */
const pageReader: string = new URL('../../companion/pages/markdown.ts', import.meta.url).href;
const { markdownOf: markdownOfPage }: { markdownOf: (root: object) => string } = await import(pageReader);

/** As much of a page as the companion's reader looks at: elements with text, and nothing that a selector finds. */
function anElement(localName: string, text: string) {
  const child = { nodeType: 3, nodeValue: text, textContent: text };
  return {
    nodeType: 1,
    localName,
    className: '',
    textContent: text,
    childNodes: [child],
    children: [],
    getAttribute: () => null,
    hasAttribute: () => false,
    matches: () => false,
    closest: () => null,
    querySelector: () => null,
    querySelectorAll: () => [],
    classList: { contains: () => false },
    ownerDocument: { defaultView: null },
  };
}

const markdown = new Marked({ gfm: true, breaks: true });

const browserSteps: Record<string, Reading> = {
  'companion: a message': (text) => markdownOfPage(anElement('p', text)),
  'companion: code': (text) => markdownOfPage({ ...anElement('div', ''), childNodes: [anElement('pre', text)] }),
  'console: pieces': piecesOfMessage,
  'console: Markdown': (text) => piecesOfMessage(text).map((piece) => (piece.plain ? undefined : tokensOf(piece.text))),
};

/** Like the console, which shows as plain text what is nested too deeply for the parser. */
function tokensOf(text: string): unknown {
  try {
    return markdown.lexer(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-growth-'));

/** Each format with the text as a turn of the person and as one of the assistant, and as its title where that names no file. */
export const importSteps: Record<string, (text: string) => Promise<number>> = Object.fromEntries(
  Object.entries({ ...exportAs, ...moreExports }).map(([format, write]) => {
    const importer = importers.find(({ name }) => name === format.split('/')[0]);
    if (importer === undefined) throw new Error(`no importer of ${format}`);
    return [
      `import: ${format}`,
      async (text) => {
        const said = [
          { role: 'user' as const, text: `x${text}` },
          { role: 'assistant' as const, text: `y${text}` },
        ];
        const id = '0b6d1b3e-3c5e-4a8e-9c41-00000000000a';
        const title = format in exportAs ? text.slice(0, 1_000) : 'Title';
        const files = write([{ id, title, time: '2026-03-01T10:00:00.000Z', turns: said }]);
        let count = 0;
        for (const [path, content] of Object.entries(files)) {
          if (!importer.accepts(path)) continue;
          const onDisk = join(folder, path.replaceAll('/', '_'));
          if (typeof content !== 'string') writeFileSync(onDisk, content);
          const read = async function* () {
            yield Buffer.from(content);
          };
          const file = { path, read, ...(typeof content === 'string' ? {} : { onDisk }) };
          for await (const found of importer.read(file)) if (found.kind === 'conversation') count += 1;
        }
        return count;
      },
    ];
  }),
);

/** No more than this is looked at to tell a format. */
const headCharacters = 65_536;

const recognising: Record<string, Reading> = {
  'import: recognising a format': (text) =>
    ['', '{"', '[{"'].map((opening) =>
      importers.map((importer) =>
        importer.recognises({ path: 'export.json', text: `${opening}${text}`.slice(0, headCharacters) }),
      ),
    ),
};

/** Every function through which text of others passes, one step after the other. */
export const entryPoints: Record<string, Reading> = {
  ...readers,
  ...insertSteps,
  ...factSteps,
  ...searchSteps,
  ...askSteps,
  ...languageModelSteps,
  ...shownSteps,
  'import: ChatGPT marks': (text) => withoutMarks(`\ue200cite\ue201${text}`),
  ...recognising,
  ...importSteps,
  ...questionSteps,
  ...adapterSteps,
  ...browserSteps,
};

/** A refusal is an answer as well. */
export function reading(read: Reading): Reading {
  return (text) => {
    let outcome: unknown;
    refused(() => {
      outcome = read(text);
    });
    return outcome;
  };
}

/** A question is measured up to where it is cut: behind that no time grows. */
export function lengthsFor(read: Reading): number[] {
  return ofQuestions.has(read) ? [longestQuery / 16, longestQuery / 4, longestQuery] : sizes;
}
