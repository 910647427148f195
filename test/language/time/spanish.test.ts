import { describe, expect, it } from 'vitest';
import { mentionsTime } from '../../../src/language/time/time-intent.js';
import { asks, daysOf } from './read.js';

describe('Spanish times', () => {
  it.each([
    ['el 5 de marzo de 2023', '2023-03-05'],
    ['el viernes 3 de marzo de 2023', '2023-03-03'],
    ['el 24 de diciembre', '2022-12-24'],
    ['en marzo', '2023-03-01..2023-03-31'],
    ['en mayo', '2023-05-01..2023-05-31'],
    ['en enero de 2022', '2022-01-01..2022-01-31'],
    ['en marzo del año pasado', '2022-03-01..2022-03-31'],
    ['en 2020', '2020-01-01..2020-12-31'],
    ['la semana pasada', '2023-05-08..2023-05-14'],
    ['el mes pasado', '2023-04-01..2023-04-30'],
    ['este año', '2023-01-01..2023-12-31'],
    ['el año que viene', '2024-01-01..2024-12-31'],
    ['la próxima semana', '2023-05-22..2023-05-28'],
    ['el fin de semana pasado', '2023-05-13..2023-05-14'],
    ['el viernes pasado', '2023-05-12'],
    ['el lunes', '2023-05-15'],
    ['el martes de la semana pasada', '2023-05-09'],
    ['ayer', '2023-05-16'],
    ['anteayer', '2023-05-15'],
    ['mañana', '2023-05-18'],
    ['pasado mañana', '2023-05-19'],
    ['hace dos días', '2023-05-15'],
    ['hace una semana', '2023-05-07..2023-05-13'],
    ['hace unas semanas', '2023-04-05..2023-05-03'],
    ['el otro día', '2023-05-11..2023-05-15'],
    ['en los últimos tres meses', '2023-02-17..2023-05-17'],
    ['dentro de dos días', '2023-05-19'],
    ['el verano pasado', '2022-06-01..2022-08-31'],
    ['en la primavera de 2022', '2022-03-01..2022-05-31'],
    ['en otoño', '2022-09-01..2022-11-30'],
    ['en el primer trimestre de 2022', '2022-01-01..2022-03-31'],
    ['desde marzo', '2023-03-01..2023-05-17'],
    ['antes de marzo de 2023', '2022-03-01..2023-02-28'],
    ['desde marzo hasta junio de 2022', '2022-03-01..2022-06-30'],
  ])('reads %j as %s', (phrase, days) => {
    expect(daysOf(`¿Qué dije ${phrase}?`)).toEqual([days]);
  });

  it.each(['antes de la mudanza', 'después de la boda', 'por la mañana', 'con mayo y tomate'])(
    'sees no span in %j',
    (phrase) => {
      expect(daysOf(phrase)).toEqual([]);
    },
  );

  it.each([
    ['¿Cuándo me mudé?', true],
    ['cuando me mude?', true],
    ['¿Recuerdas cuándo nos conocimos?', true],
    ['¿Desde cuándo vivo aquí?', true],
    ['¿En qué fecha fue la boda?', true],
    ['¿Hace cuánto tiempo fue?', true],
    ['¿Qué comí cuando estuve en París?', false],
    ['Cuando estuve en París, ¿qué comí?', false],
  ])('hears whether %j asks for a time', (question, expected) => {
    expect(asks(question)).toBe(expected);
  });

  it.each([
    ['Nos vemos el lunes', true],
    ['Fue hace dos años', true],
    ['Me voy el mes que viene', true],
    ['La vi ayer', true],
    ['Todo bien por la mañana, gracias, con mayo', false],
  ])('knows whether %j names a time', (text, expected) => {
    expect(mentionsTime(text)).toBe(expected);
  });
});
