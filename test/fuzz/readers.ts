import { expect } from 'vitest';
import { readingQuestion } from '../../src/answers/question.js';
import { sentencesOf } from '../../src/answers/quote.js';
import { redactText } from '../../src/config/redact.js';
import { readValue } from '../../src/facts/values.js';
import { plainText as textOfHtml } from '../../src/importers/formats/gemini-takeout.js';
import { time } from '../../src/importers/reading/json.js';
import { windowCount, windowsOf } from '../../src/ingestion/chunk.js';
import { preparing } from '../../src/ingestion/prepare.js';
import { findSecrets } from '../../src/ingestion/secrets.js';
import { parseTranscript } from '../../src/ingestion/transcript.js';
import { languageOf } from '../../src/language/languages.js';
import { speakersOf } from '../../src/language/names.js';
import { indexTerms, queryTerms } from '../../src/language/terms.js';
import { mentionsTime, timeIntent, timesSaid } from '../../src/language/time/time-intent.js';
import { parseResourceUri } from '../../src/mcp/resources.js';
import { MemoryError } from '../../src/model/errors.js';
import { canonicalUuid } from '../../src/model/ids.js';
import { finished } from '../../src/model/steps.js';
import { utcRange, utcTime } from '../../src/model/time.js';
import { decodePageEnd } from '../../src/operations/fields.js';
import { decodeCursor } from '../../src/retrieval/cursor.js';
import { findingSnippet } from '../../src/retrieval/highlight.js';
import { extractStatements } from '../support/facts.js';
import { limits } from '../support/limits.js';
import { canary } from './odd-values.js';

export const now = '2026-11-15T08:00:00.000Z';

/** Every function that reads what others wrote. It returns or refuses; nothing else. */
export const readers: Record<string, (text: string) => unknown> = {
  readValue: (text) => readValue('name', text),
  readQuestion: (text) => finished(readingQuestion(text, now)),
  sentencesOf: (text) => sentencesOf(text),
  redactText: (text) => redactText(text, ['secret']),
  extractStatements: (text) => extractStatements({ messages: [{ role: 'user', text }] }),
  textOfHtml,
  time,
  prepare: (text) => prepared({ title: text.slice(0, 1_000), messages: [{ role: 'user', text: `x${text}` }] }),
  findSecrets,
  parseTranscript: (text) => parseTranscript(`User: ${text}`, 'common'),
  windowsOf: (text) => windowsOf(text, windowCount(text)),
  languageOf,
  speakersOf: (text) => speakersOf([text, text]),
  indexTerms,
  queryTerms,
  timeIntent: (text) => timeIntent(text, now),
  timesSaid: (text) => timesSaid(text, now),
  mentionsTime,
  parseResourceUri: (text) => parseResourceUri(`memory://search/${text}`),
  canonicalUuid,
  utcRange,
  utcTime,
  decodePageEnd: (text) => decodePageEnd(text, {}),
  decodeCursor: (text) => decodeCursor(text, {}),
  snippetOf: (text) => finished(findingSnippet(text, ['dog', 'x'])),
};

export function prepared(payload: unknown): unknown {
  const steps = preparing(payload, {
    limits,
    policy: 'permissive',
    secretPolicy: 'redact',
    defaultSource: 'unknown',
    now,
    newId: () => '00000000-0000-4000-8000-000000000001',
    resolveProject: (projectId) => projectId ?? 'local-default',
    validateSchema: () => {},
    stage: (_, run) => run(),
    stageInSteps: (_, work) => work,
  });
  return finished(steps);
}

/** It returns or throws what a caller may see, without what was given. */
export function refused(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    expect(error.message).not.toContain(canary);
  }
}
