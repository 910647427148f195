import { describe, expect, it } from 'vitest';
import { de } from '../../console/src/strings/de.js';
import { deFacts } from '../../console/src/strings/de-facts.js';
import { en } from '../../console/src/strings/en.js';
import { es } from '../../console/src/strings/es.js';
import { esFacts } from '../../console/src/strings/es-facts.js';
import { pluralForm } from '../../console/src/strings/plural-form.js';
import { predicateKinds } from '../../src/facts/predicates.js';

const catalogues: Record<string, Readonly<Record<string, string>>> = { de, es };
const factNames = { de: deFacts, es: esFacts };

/** The same in English and elsewhere: names, and words that other languages took over. */
const shared =
  /^(?:exportMarkdown|exportJson|totals|token|themeAuto|addFilter|tokenizer|import|export|status|details)$/;

const fieldsOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe.each(Object.keys(catalogues))('the words of the console in %s', (language) => {
  const words = catalogues[language] ?? {};

  it('exist for every key and no other', () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    expect(Object.entries(words).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('fill in what the English fill in, in every form', () => {
    for (const [key, text] of Object.entries(en)) {
      for (const form of (words[key] ?? '').split('|')) expect([key, fieldsOf(form)]).toEqual([key, fieldsOf(text)]);
    }
  });

  it('have a form for each way of counting in the language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(en)) {
      const forms = text.includes('|') ? pluralCategories.length : 1;
      expect([key, (words[key] ?? '').split('|').length]).toEqual([key, forms]);
    }
  });

  it('are translated', () => {
    const same = Object.entries(en).filter(([key, text]) => words[key] === text && !shared.test(key));
    expect(same).toEqual([]);
  });
});

describe.each(['de', 'es'] as const)('the names of facts in %s', (language) => {
  it('exist for every predicate with a single name', () => {
    const plain = predicateKinds.filter(({ open }) => open !== true).map(({ predicate }) => predicate);
    const names = plain.map((predicate) => predicate.replace(/^(?:profile|relation|pet|owns|date)_/, ''));
    expect(names.filter((name) => factNames[language][name] === undefined)).toEqual([]);
  });

  it('exist for everything that the other language has', () => {
    const all = new Set([...Object.keys(deFacts), ...Object.keys(esFacts)]);
    expect([...all].filter((name) => factNames[language][name] === undefined)).toEqual([]);
  });
});

describe('a plural', () => {
  it('takes the form of its category', () => {
    const spanish = new Intl.PluralRules('es');
    const counted = (n: number): string => pluralForm(es.countMessages, spanish.select(n));
    expect([1, 2, 1_000_000].map(counted)).toEqual(['{n} mensaje', '{n} mensajes', '{n} de mensajes']);
    const english = new Intl.PluralRules('en');
    expect([0, 1, 2].map((n) => pluralForm(en.countMessages, english.select(n)))).toEqual([
      '{n} messages',
      '{n} message',
      '{n} messages',
    ]);
    expect(pluralForm(en.undo, 'many')).toBe('Undo');
  });
});
