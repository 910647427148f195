import { describe, expect, it } from 'vitest';
import { mentionsTime } from '../../../src/language/time/time-intent.js';
import { asks, daysOf } from './read.js';

describe('French times', () => {
  it.each([
    ['le 5 mars 2023', '2023-03-05'],
    ['vendredi 3 mars 2023', '2023-03-03'],
    ['le 1er mai', '2023-05-01'],
    ['le 14 juillet', '2022-07-14'],
    ['en mars', '2023-03-01..2023-03-31'],
    ['en février 2022', '2022-02-01..2022-02-28'],
    ['au mois de mai', '2023-05-01..2023-05-31'],
    ['en août de l’année dernière', '2022-08-01..2022-08-31'],
    ['en 2020', '2020-01-01..2020-12-31'],
    ['la semaine dernière', '2023-05-08..2023-05-14'],
    ['le mois dernier', '2023-04-01..2023-04-30'],
    ['cette année', '2023-01-01..2023-12-31'],
    ["l'an dernier", '2022-01-01..2022-12-31'],
    ['la semaine prochaine', '2023-05-22..2023-05-28'],
    ['le week-end dernier', '2023-05-13..2023-05-14'],
    ['vendredi dernier', '2023-05-12'],
    ['lundi', '2023-05-15'],
    ['mardi de la semaine dernière', '2023-05-09'],
    ['hier', '2023-05-16'],
    ['avant-hier', '2023-05-15'],
    ['demain', '2023-05-18'],
    ['il y a deux jours', '2023-05-15'],
    ['il y a un an', '2021-11-16..2022-11-15'],
    ['il y a quelques semaines', '2023-04-05..2023-05-03'],
    ["l'autre jour", '2023-05-11..2023-05-15'],
    ['ces trois derniers mois', '2023-02-17..2023-05-17'],
    ['dans deux jours', '2023-05-19'],
    ["l'été dernier", '2022-06-01..2022-08-31'],
    ['au printemps 2022', '2022-03-01..2022-05-31'],
    ['en été', '2022-06-01..2022-08-31'],
    ['au premier trimestre 2022', '2022-01-01..2022-03-31'],
    ['depuis mars', '2023-03-01..2023-05-17'],
    ['avant mars 2023', '2022-03-01..2023-02-28'],
    ['entre le 5 mars et le 8 avril 2022', '2022-03-05..2022-04-08'],
  ])('reads %j as %s', (phrase, days) => {
    expect(daysOf(`Qu'est-ce que j'ai dit ${phrase} ?`)).toEqual([days]);
  });

  it.each(['avant le déménagement', 'après le mariage', 'cela a été dit', 'la planète Mars'])(
    'sees no span in %j',
    (phrase) => {
      expect(daysOf(phrase)).toEqual([]);
    },
  );

  it.each([
    ['Quand ai-je déménagé ?', true],
    ['Quand est-ce que je suis parti ?', true],
    ['Tu te souviens quand on est partis ?', true],
    ['Depuis quand est-ce que je vis ici ?', true],
    ['À quelle date était le mariage ?', true],
    ['En quelle année suis-je né ?', true],
    ["Quand j'étais à Paris, qu'ai-je mangé ?", false],
    ['Où ai-je déménagé ?', false],
  ])('hears whether %j asks for a time', (question, expected) => {
    expect(asks(question)).toBe(expected);
  });

  it.each([
    ['On se voit lundi', true],
    ["C'était il y a deux ans", true],
    ['Je pars le mois prochain', true],
    ["Je l'ai vue hier", true],
    ['Il a été très gentil, mais pas mai', false],
  ])('knows whether %j names a time', (text, expected) => {
    expect(mentionsTime(text)).toBe(expected);
  });
});
