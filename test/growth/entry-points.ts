import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerQuestion } from '../../src/answers/answer.js';
import { withoutEchoes } from '../../src/answers/echoes.js';
import { factQueryOf } from '../../src/answers/fact-match.js';
import type { Hit } from '../../src/answers/hit.js';
import { readQuestion } from '../../src/answers/question.js';
import { conversationText } from '../../src/cli/commands/conversations.js';
import { passageOf } from '../../src/cli/search-text.js';
import { plainStyle, printable } from '../../src/cli/terminal.js';
import { hashEmbedding } from '../../src/embeddings/local.js';
import { createStaticModel } from '../../src/embeddings/static/embed.js';
import { parseTable } from '../../src/embeddings/static/table.js';
import { clausesOf, sentencesOf as statedSentences } from '../../src/facts/clauses.js';
import { readObjects } from '../../src/facts/objects.js';
import { factTerms, keyOf } from '../../src/facts/values.js';
import { withoutMarks } from '../../src/importers/formats/chatgpt.js';
import { importers } from '../../src/importers/table.js';
import { partsOf } from '../../src/indexing/deep/encoding.js';
import { chunkMessages } from '../../src/ingestion/chunk.js';
import { coerce } from '../../src/ingestion/coerce.js';
import { messageHash } from '../../src/ingestion/hash.js';
import { normalise, normaliseMetadata } from '../../src/ingestion/normalise.js';
import { enriching } from '../../src/ingestion/prepare.js';
import { guardHeading, guarding } from '../../src/ingestion/secret-policy.js';
import { conversationSummary } from '../../src/ingestion/summarise.js';
import { findTags, findTopics } from '../../src/ingestion/tags.js';
import { mentions } from '../../src/language/names.js';
import { contentTerms, otherNames, piecesOf } from '../../src/language/query-terms.js';
import { asksForReply, personAsked } from '../../src/language/question-kind.js';
import { headingTerms, termCounter } from '../../src/language/terms.js';
import { concise } from '../../src/mcp/tool.js';
import { subjectKeyOf } from '../../src/model/fact.js';
import { finished } from '../../src/model/steps.js';
import { markdownName, markdownOf } from '../../src/operations/export.js';
import { termsOf } from '../../src/operations/search/gather.js';
import { features, type Weights } from '../../src/retrieval/features.js';
import { rank } from '../../src/retrieval/rank.js';
import { similarityOf } from '../../src/retrieval/similarity.js';
import { createExactTokenizer, loadVocabulary } from '../../src/tokenizer/exact.js';
import { createHeuristicTokenizer } from '../../src/tokenizer/heuristic.js';
import { now, readers, refused } from '../fuzz/readers.js';
import { exportAs } from '../importers/exports.js';
import { aCandidate, aQuery } from '../support/candidate.js';
import { limits } from '../support/limits.js';
import type { Reading } from './growth.js';

const heuristic = createHeuristicTokenizer();
const exact = createExactTokenizer('cl100k_base', await loadVocabulary('cl100k_base'));
const models = new URL('../../models/', import.meta.url);
const model = createStaticModel(
  parseTable(readFileSync(new URL('model.bin', models)), readFileSync(new URL('vocab.txt', models))),
);
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
const asked = (read: Reading): Reading => {
  return (text) => read(text.slice(0, longestQuery));
};

/** Each step of an insert alone, so that a failure names it. */
const insertSteps: Record<string, Reading> = {
  'insert: coerce and normalise': normalised,
  'insert: metadata': (text) =>
    normaliseMetadata({ tags: [text], summary: text.slice(0, 2_000), note: text }, { limits, now, source: 'x' }),
  'insert: secrets': (text) => finished(guarding(normalised(text), { policy: 'redact', limits })),
  'insert: heading secrets': (text) => guardHeading({ title: text, add_tags: [text] }, { policy: 'redact', limits }),
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
  'facts: objects': (text) => readObjects('thing', text.slice(0, 800), false),
  'facts: key': keyOf,
  'facts: subject': subjectKeyOf,
  'facts: terms': (text) => factTerms({ subject: text, predicate: 'p', object_raw: text, object_normalized: text }),
};

const searchSteps: Record<string, Reading> = {
  'search: terms': asked(termsOf),
  'search: content terms': asked(contentTerms),
  'search: pieces': asked(piecesOf),
  'search: person': asked((text) => [personAsked(text), asksForReply(text)]),
  'search: other names': asked((text) => otherNames(text, ['a'])),
  'search: a term in a text': (text) => termCounter(['dog', '~hund', '漢字', 'é'])(text),
  'search: a name in a text': (text) => mentions(text, 'Nora'),
  'search: rank': (text) =>
    rank([aCandidate('a', { text }), aCandidate('b', { text, speaker: 'Nora' })], aQuery({ pieces: ['dog'] }), {
      trust: 1,
      keywordWeight: 0.25,
      metadataWeight: 0.15,
      weights: Object.fromEntries(Object.keys(features).map((name) => [name, 1])) as Weights,
      deepWeight: 0.6,
      similarity: similarityOf.cosine,
    }),
  'search: highlight': (text) => passageOf(text, ['dog', 'x'], (word) => `*${word}*`),
};

function hitOf(text: string): Hit {
  const place = { chunkId: 'c', conversationId: 'v', chunkIndex: 0, messageIndex: 0 };
  return { ...place, role: 'user', text, at: now, relevance: 1, similarity: 0.9 };
}

const askSteps: Record<string, Reading> = {
  'ask: facts asked for': asked((text) => factQueryOf(readQuestion(text, now))),
  'ask: answer': (text) =>
    answerQuestion({
      question: readQuestion('Where is the dog of Nora?', now),
      terms: ['dog', 'nora', 'x'].map((term) => ({ term, weight: 1, count: 1 })),
      hits: [hitOf(text), hitOf(`The dog. ${text}`)],
      similarities: [0.9, 0.1],
      trust: 1,
      timeFit: () => 0,
      before: () => hitOf(text),
      heading: () => '',
      superseded: () => [],
      people: new Set(),
      unknownNames: [],
      asksAssistant: false,
      asksReply: false,
    }),
  'ask: echoes': (text) => withoutEchoes([hitOf(text)], { terms: ['dog'], before: () => hitOf(text) }),
};

const shownSteps: Record<string, Reading> = {
  'export: Markdown': (text) => markdownOf(aConversation(text)),
  'export: a file name': (text) => markdownName({ ...aConversation(text), title: text }),
  'show: on the command line': (text) => conversationText(aConversation(text), plainStyle),
  'show: printable': printable,
  'show: concise': (text) => concise({ text, results: [aConversation(text)] }),
  'tokenizer: count': (text) => heuristic.count(text),
  'tokenizer: windows': (text) => heuristic.windows(text, { size: 256, overlap: 32 }),
  'tokenizer: exact': (text) => exact.windows(text, { size: 256, overlap: 32 }),
  'embedding: parts': (text) => partsOf(text),
  'embedding: static': (text) => model.embed(text),
  'embedding: hash': (text) => hashEmbedding(text, 256),
};

const folder = mkdtempSync(join(tmpdir(), 'threadkeep-growth-'));

/** Each format with the text as its title, as a turn of the person and as one of the assistant. */
const importSteps: Record<string, Reading> = Object.fromEntries(
  Object.entries(exportAs).map(([format, write]) => {
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
        const files = write([{ id, title: text.slice(0, 1_000), time: '2026-03-01T10:00:00.000Z', turns: said }]);
        for (const [path, content] of Object.entries(files)) {
          if (!importer.accepts(path)) continue;
          const onDisk = join(folder, path.replaceAll('/', '_'));
          if (typeof content !== 'string') writeFileSync(onDisk, content);
          const read = async function* () {
            yield Buffer.from(content);
          };
          const file = { path, read, ...(typeof content === 'string' ? {} : { onDisk }) };
          for await (const found of importer.read(file)) void found;
        }
      },
    ];
  }),
);

/** Every function through which text of others passes, one step after the other. */
export const entryPoints: Record<string, Reading> = {
  ...readers,
  ...insertSteps,
  ...factSteps,
  ...searchSteps,
  ...askSteps,
  ...shownSteps,
  'import: ChatGPT marks': (text) => withoutMarks(`\ue200cite\ue201${text}`),
  ...importSteps,
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
