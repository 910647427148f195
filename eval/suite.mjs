// A suite: conversations and questions whose answers are labelled with the messages that hold them. JSON lines, plain or
// gzipped: a head {suite, license, about}, then {key, conversation}, then {question: {id, kind, text, answer, date?,
// filter, evidence: [[key, message index]], keys}}.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const ending = /\.jsonl(\.gz)?$/;

/** The suite files of a folder in the order of their names; only the named ones when names are given. */
export function suitesIn(folder, names = []) {
  const files = readdirSync(folder)
    .filter((file) => ending.test(file))
    .sort();
  const nameOf = (file) => file.replace(ending, '');
  const missing = names.filter((name) => !files.some((file) => nameOf(file) === name));
  if (missing.length > 0) throw new Error(`no suite named ${missing.join(', ')} in ${folder}`);
  const wanted = files.filter((file) => names.length === 0 || names.includes(nameOf(file)));
  return wanted.map((file) => join(folder, file));
}

export function readSuite(file) {
  const bytes = readFileSync(file);
  return parseSuite((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
}

/** Refuses labels that point nowhere: they would read as misses of the service. */
export function parseSuite(text) {
  const [head, ...rows] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const conversations = rows.filter((row) => row.conversation !== undefined);
  const questions = rows.flatMap((row) => row.question ?? []);
  const byKey = new Map(conversations.map(({ key, conversation }) => [key, conversation]));
  if (byKey.size < conversations.length) throw new Error(`${head.suite}: a conversation key is used twice`);
  for (const { id, evidence, keys } of questions) {
    const labelled = evidence.every(([key, index]) => byKey.get(key)?.messages[index] !== undefined);
    if (!labelled || !keys.every((key) => byKey.has(key)))
      throw new Error(`${head.suite}: ${id} names unknown evidence`);
  }
  return { name: head.suite, license: head.license, about: head.about, conversations, questions };
}
