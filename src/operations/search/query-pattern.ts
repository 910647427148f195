import { contents } from '../../retrieval/query-language.js';
import { anyCase, moment } from '../fields.js';

/** Operators whose value is not any text: what the query language refuses, as JSON Schema says it. */
const oneOf = (values: readonly string[]): string => `(?:${values.map(anyCase).join('|')})`;
const period = `(?:${moment}|\\d{4}(?:-(?:0[1-9]|1[0-2]))?)`;
const wrong = (name: string, value: string): string => `${name}:(?!(?:"${value}"|${value})(?:\\s|$))\\S`;
const role = wrong(anyCase('role'), oneOf(['user', 'assistant']));
const has = wrong(anyCase('has'), oneOf(contents));
const dated = oneOf(['before', 'after', 'on']);

export const queryPattern = `^(?!(?:[\\s\\S]*\\s)?(?:-?(?:${role}|${has})|${wrong(dated, period)}|-${dated}:\\S))[\\s\\S]*\\S`;
