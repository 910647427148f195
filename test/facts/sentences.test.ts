import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readValue } from '../../src/facts/values.js';
import { extractStatements } from '../support/facts.js';
import { folded, type LabelledSentence, sentences } from './labelled.js';

/** By the text alone: nobody chose which sentences the rules were not looked at with. */
function isHeldOut({ text }: LabelledSentence): boolean {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 2), 16) % 2 === 1;
}

function foundIn({ text, role = 'user', title }: LabelledSentence): string[] {
  return extractStatements({ title, messages: [{ role, text }] }).map((statement) => {
    const { subject, predicate, object_raw, ends } = statement;
    const value = folded(readValue(predicate, object_raw).normalized);
    return `${ends ? '-' : ''}${subject === 'user' ? '' : `${subject}:`}${predicate}=${value}`;
  });
}

function wantedIn({ facts }: LabelledSentence): string[] {
  return facts.map((fact) => fact.replace(/=(.*)$/u, (_, value: string) => `=${folded(value)}`));
}

function scoreOf(set: readonly LabelledSentence[]): { sentences: number; precision: number; recall: number } {
  let right = 0;
  let found = 0;
  let wanted = 0;
  for (const sentence of set) {
    const expected = wantedIn(sentence);
    const got = foundIn(sentence);
    found += got.length;
    wanted += expected.length;
    right += got.filter((fact) => expected.includes(fact)).length;
  }
  return { sentences: set.length, precision: right / found, recall: right / wanted };
}

const heldOut = sentences.filter(isHeldOut);
const development = sentences.filter((sentence) => !isHeldOut(sentence));
const languages = [...new Set(sentences.map(({ language }) => language))];

describe('the labelled sentences', () => {
  test('are many, of six languages, and two fifths of them state nothing or the like', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(400);
    expect(languages.sort()).toEqual(['de', 'en', 'es', 'fr', 'uk', 'zh']);
    expect(sentences.filter(({ facts }) => facts.length === 0).length).toBeGreaterThanOrEqual(150);
    expect(new Set(sentences.map((sentence) => JSON.stringify(sentence))).size).toBe(sentences.length);
  });

  test('are read as labelled in the half the rules were written with', () => {
    const score = scoreOf(development);
    report('development', score);
    expect(score.precision).toBeGreaterThanOrEqual(0.98);
    expect(score.recall).toBeGreaterThanOrEqual(0.95);
  });

  test('are read nearly as well in the half that was held out', () => {
    const score = scoreOf(heldOut);
    report('held out', score);
    expect(score.precision).toBeGreaterThanOrEqual(0.95);
    expect(score.recall).toBeGreaterThanOrEqual(0.8);
  });

  test.each(languages)('keep their precision in %s', (language) => {
    const score = scoreOf(sentences.filter((sentence) => sentence.language === language));
    expect(score.precision).toBeGreaterThanOrEqual(0.95);
    expect(score.recall).toBeGreaterThanOrEqual(0.8);
  });
});

function report(half: string, { sentences: count, precision, recall }: ReturnType<typeof scoreOf>): void {
  process.stdout.write(
    `facts, ${half} half: ${count} sentences, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}\n`,
  );
}
