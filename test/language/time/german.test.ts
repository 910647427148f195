import { describe, expect, it } from 'vitest';
import { mentionsTime } from '../../../src/language/time/time-intent.js';
import { asks, daysOf } from './read.js';

describe('German times', () => {
  it.each([
    ['am 5. März 2023', '2023-03-05'],
    ['am Freitag, den 3. März 2023', '2023-03-03'],
    ['am 05.03.2023', '2023-03-05'],
    ['am 5.3.', '2023-03-05'],
    ['am 24. Dezember', '2022-12-24'],
    ['im März', '2023-03-01..2023-03-31'],
    ['im Mai 2021', '2021-05-01..2021-05-31'],
    ['im März letzten Jahres', '2022-03-01..2022-03-31'],
    ['letztes Jahr im August', '2022-08-01..2022-08-31'],
    ['im Jahr 2020', '2020-01-01..2020-12-31'],
    ['letzte Woche', '2023-05-08..2023-05-14'],
    ['vorletzte Woche', '2023-05-01..2023-05-07'],
    ['letzten Monat', '2023-04-01..2023-04-30'],
    ['nächstes Jahr', '2024-01-01..2024-12-31'],
    ['am letzten Wochenende', '2023-05-13..2023-05-14'],
    ['letzten Freitag', '2023-05-12'],
    ['am Montag', '2023-05-15'],
    ['am Dienstag letzter Woche', '2023-05-09'],
    ['gestern Abend', '2023-05-16'],
    ['vorgestern', '2023-05-15'],
    ['morgen', '2023-05-18'],
    ['vor zwei Tagen', '2023-05-15'],
    ['vor einer Woche', '2023-05-07..2023-05-13'],
    ['vor ein paar Wochen', '2023-04-05..2023-05-03'],
    ['in den letzten drei Monaten', '2023-02-17..2023-05-17'],
    ['in zwei Tagen', '2023-05-19'],
    ['letzten Sommer', '2022-06-01..2022-08-31'],
    ['im Frühling 2022', '2022-03-01..2022-05-31'],
    ['im Herbst', '2022-09-01..2022-11-30'],
    ['im ersten Quartal 2022', '2022-01-01..2022-03-31'],
    ['seit März', '2023-03-01..2023-05-17'],
    ['vor März 2023', '2022-03-01..2023-02-28'],
    ['von März bis Mai 2022', '2022-03-01..2022-05-31'],
    ['zwei Wochen vor dem 5. März 2023', '2023-02-12..2023-03-04'],
  ])('reads %j as %s', (phrase, days) => {
    expect(daysOf(`Was haben wir ${phrase} besprochen?`)).toEqual([days]);
  });

  it.each(['vor dem Umzug', 'nach der Hochzeit', 'Was steht hier?', 'Guten Morgen', 'montags frei'])(
    'sees no span in %j',
    (phrase) => {
      expect(daysOf(phrase)).toEqual([]);
    },
  );

  it.each([
    ['Wann bin ich umgezogen?', true],
    ['Seit wann wohne ich hier?', true],
    ['An welchem Tag war das?', true],
    ['In welchem Jahr war die Hochzeit?', true],
    ['Wie lange ist das her?', true],
    ['Was habe ich irgendwann gesagt?', false],
    ['Wo wohne ich?', false],
  ])('hears whether %j asks for a time', (question, expected) => {
    expect(asks(question)).toBe(expected);
  });

  it.each([
    ['Wir treffen uns am Montag', true],
    ['Das war vor zwei Jahren', true],
    ['nächsten Monat fahre ich', true],
    ['Es war gestern schön', true],
    ['Hier ist alles ruhig, und ich bin hier gern', false],
    ['Guten Morgen zusammen', false],
  ])('knows whether %j names a time', (text, expected) => {
    expect(mentionsTime(text)).toBe(expected);
  });
});
