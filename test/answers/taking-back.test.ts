import { describe, expect, it } from 'vitest';
import { takesBack } from '../../src/answers/taking-back.js';

describe('a message that takes back a value', () => {
  const rejections: [sentence: string, value: string][] = [
    ['sorry brain fog, its the 19th may not 16th', '16th may'],
    ['typo on my side, its Brightwell not Brightwater, fix it', 'Brightwater Ltd'],
    ["the party isn't on the 16th", 'the 16th'],
    ['using duckdb instead of excel now', 'Excel'],
    ['the 3rd was wrong', '3rd'],
    ['mach das jetzt alles mit duckdb statt excel', 'excel'],
    ['perdón, me lié, cumple 8 no 7', '7'],
    ["c'est le 12 et pas le 11", 'le 11'],
    ['зустріч у вівторок, а не в середу', 'середу'],
    ['是6月1号，不是5月10号', '5月10号'],
    ['16日じゃなくて19日でした', '16日'],
    ['الموعد يوم الاحد مش السبت', 'السبت'],
  ];
  it.each(rejections)('%s', (sentence, value) => {
    expect(takesBack(sentence, value)).toBe(true);
  });

  const others: [sentence: string, value: string][] = [
    ['its on the 16th, not sure about the time', '16th'],
    ['not the 16th of May but the 16th of June', '16th'],
    ['not much to say about 160 people', '16'],
    ['nothing about it here', 'Excel'],
    ['not the one from the', 'the'],
    ['ich arbeite nicht mehr', 'Excel'],
    ['19日です', '16日'],
  ];
  it.each(others)('not: %s', (sentence, value) => {
    expect(takesBack(sentence, value)).toBe(false);
  });
});
