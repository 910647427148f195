import { MemoryError } from '../model/errors.js';

/**
 * The vectors of an OpenAI-compatible answer, placed by their `index`. Throws `embedding_unavailable` unless there is
 * exactly one vector of finite numbers for each text; no part of the answer is repeated in the message.
 */
export function readAnswer(body: string, { count, dimension }: { count: number; dimension: number }): Float32Array[] {
  const data = parseData(body);
  if (data.length !== count) throw unusable(`with ${data.length} vectors for ${count} texts`);
  const vectors = new Map<number, Float32Array>();
  for (const item of data) {
    const { index, embedding } = item ?? {};
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count) {
      throw unusable('with a vector that belongs to no text');
    }
    if (vectors.has(index)) throw unusable('with two vectors for one text');
    vectors.set(index, readVector(embedding, dimension));
  }
  return [...vectors].sort(([left], [right]) => left - right).map(([, vector]) => vector);
}

/** The configured dimension is not the model's: the numbers say which is which. */
export function dimensionMismatch(expected: number, received: number): MemoryError {
  return new MemoryError(
    'embedding_unavailable',
    `The embedding model gave ${received} dimensions where ${expected} were expected: fix providers.embedding_dimension.`,
  );
}

interface AnswerItem {
  index?: unknown;
  embedding?: unknown;
}

function parseData(body: string): (AnswerItem | null)[] {
  let parsed: { data?: unknown } | null;
  try {
    parsed = JSON.parse(body);
  } catch {
    // The parser's own message quotes the body, which may echo the texts, so it is not kept as the cause.
    throw unusable('with something that is not JSON');
  }
  if (!Array.isArray(parsed?.data)) throw unusable('without a "data" list');
  return parsed.data;
}

function readVector(embedding: unknown, dimension: number): Float32Array {
  if (!Array.isArray(embedding)) throw unusable('with a vector that is not a list of numbers');
  if (embedding.length !== dimension) throw dimensionMismatch(dimension, embedding.length);
  for (const value of embedding) {
    // Rounded as it will be stored: 1e300 is a finite number but not a finite 32-bit one.
    if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) {
      throw unusable('with a vector that holds something other than finite numbers');
    }
  }
  return Float32Array.from(embedding);
}

function unusable(what: string): MemoryError {
  return new MemoryError(
    'embedding_unavailable',
    `The embedding endpoint answered ${what}: check that embedding_endpoint.base_url is an OpenAI-compatible embeddings API.`,
  );
}
