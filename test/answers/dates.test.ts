import { describe, expect, it } from 'vitest';
import { displaySpan, timesNamed } from '../../src/answers/dates.js';

const said = '2023-05-08T13:56:00Z';

describe('a time in a sentence', () => {
  it.each([
    ['I went there yesterday.', '7 May 2023'],
    ['I graduated last week!', 'the week of 1 May 2023'],
    ['We met on 3 March 2022.', '3 March 2022'],
    ['It was great last year.', '2022'],
    ['That was last month.', 'April 2023'],
    ['We went hiking last weekend.', 'the weekend of 6 May 2023'],
    ['I saw her three days ago.', '5 May 2023'],
    ['Ich war gestern dort.', '7 May 2023'],
    ['我昨天去了。', '7 May 2023'],
  ])('%s means %s', (sentence, display) => {
    expect(timesNamed(sentence, said).map((time) => time.display)).toEqual([display]);
  });

  it.each([
    ['2026-02-20', 'My flight to Oslo leaves on March 3.', '3 March 2026'],
    ['2026-02-20', 'My flight, which I booked last year, leaves on March 3.', '2025', '3 March 2026'],
    ['2026-02-20', 'I booked the flight for March 3.', '3 March 2026'],
    ['2026-01-10', 'Our wedding is on June 6.', '6 June 2026'],
    ['2026-11-02', 'The lease of the flat ends on 31 January.', '31 January 2027'],
    ['2026-07-08', 'We are flying to Lisbon on August 14.', '14 August 2026'],
    ['2026-08-08', 'From October I start at Erste Bank.', 'October 2026'],
    ['2026-11-14', 'Next release is 8 December.', '8 December 2026'],
    ['2026-11-11', 'The concert of Björk is on Saturday.', '14 November 2026'],
    ['2026-11-12', 'I have an interview at Spotify on Monday.', '16 November 2026'],
    ['2026-11-12', "I'll see her on Friday.", '13 November 2026'],
    ['2026-11-12', 'She told me that the exam is on Monday.', '16 November 2026'],
    ['2026-11-12', 'The exam is scheduled for Monday.', '16 November 2026'],
    ['2026-11-12', 'So excited about the show on Friday!', '13 November 2026'],
    ['2026-11-12', 'The museum reopens in spring.', 'March 2027 to May 2027'],
    ['2026-11-12', 'The report is due in Q1.', 'January 2027 to March 2027'],
    ['2028-03-01', 'My birthday is on 29 February.', '29 February 2032'],
    ['2026-11-03', 'Die Prüfung in Statistik ist am 12. Dezember.', '12 December 2026'],
    ['2026-11-03', 'Ich habe am Montag einen Termin.', '9 November 2026'],
    ['2026-11-03', 'Wir haben den Flug gebucht, er geht am 12. Dezember.', '12 December 2026'],
    ['2026-11-03', "J'ai rendez-vous chez le dentiste lundi.", '9 November 2026'],
    ['2026-11-03', 'El examen es el 12 de diciembre.', '12 December 2026'],
    ['2026-11-03', 'Іспит 12 грудня.', '12 December 2026'],
    ['2026-11-03', '考试是12月12日。', '12 December 2026'],
  ])('said on %s, %s is what comes', (day, sentence, ...displays) => {
    expect(timesNamed(sentence, `${day}T10:00:00Z`).map((time) => time.display)).toEqual(displays);
  });

  it.each([
    ['2026-02-20', 'My flight to Oslo left on March 3.', '3 March 2025'],
    ['2026-11-12', 'We met on Monday.', '9 November 2026'],
    ['2026-11-12', 'Ivan came to take a look at it on Monday.', '9 November 2026'],
    ['2026-11-12', 'I was thrilled to see a jay on March 5th.', '5 March 2026'],
    ['2026-11-12', 'I slept until 11:00 am on Monday.', '9 November 2026'],
    ['2026-11-12', 'I have worn it every day since I got it on February 15th.', '15 February 2026'],
    ['2026-11-12', 'I remember starting it on May 15th.', '15 May 2026'],
    ['2026-11-12', 'In August, we moved to Vienna.', 'August 2026'],
    ['2026-11-12', 'On Monday I was at the dentist.', '9 November 2026'],
    ['2026-11-12', 'I had an interview at Spotify on Monday.', '9 November 2026'],
    ['2026-11-12', 'Ich habe am Montag den Arzt besucht.', '9 November 2026'],
    ['2026-11-12', 'Am 12. Oktober sind wir umgezogen.', '12 October 2026'],
    ['2026-11-12', 'Am Montag war ich beim Arzt.', '9 November 2026'],
    ['2026-11-12', "J'ai vu Paul lundi.", '9 November 2026'],
    ['2026-11-12', 'Nous sommes arrivés le 3 mars.', '3 March 2026'],
    ['2026-11-12', 'Llegamos a Madrid ayer y compré la casa el 3 de marzo.', '11 November 2026', '3 March 2026'],
    ['2026-11-12', 'Ми приїхали 3 березня.', '3 March 2026'],
    ['2026-11-12', '我们3月3日搬家了。', '3 March 2026'],
  ])('said on %s, %s is what was', (day, sentence, ...displays) => {
    expect(timesNamed(sentence, `${day}T10:00:00Z`).map((time) => time.display)).toEqual(displays);
  });

  it.each([
    'Choir practice is every Tuesday.',
    'We meet on Tuesdays.',
    'I stream every Monday, Wednesday, and Friday, at 8 pm.',
    'I usually swim on Friday.',
    'We visit them every year in August.',
    'We visit them in August every year.',
    'Am Dienstag ist immer Chorprobe.',
    'Jeden Dienstag ist Chorprobe.',
    'Dienstags ist Chorprobe.',
    'La clase es los jueves.',
    'Le mardi, je fais du yoga.',
    'Chaque mardi, je fais du yoga.',
    'Кожного вівторка ми співаємо.',
    '我每周二游泳。',
  ])('gives no date for a recurring event: %s', (sentence) => {
    expect(timesNamed(sentence, said)).toEqual([]);
  });

  it('is no date where it says how long something took', () => {
    expect(timesNamed('I finished the book in three days.', said)).toEqual([]);
    expect(timesNamed('I will be back in three days.', said).map(({ display }) => display)).toEqual(['11 May 2023']);
  });

  it.each([
    'For Christmas we go to Žilina from 23 to 27 December.',
    'We go to Žilina December 23-27.',
    'We go to Žilina from December 23rd to 27th.',
    'We go to Žilina 23–27 December.',
    'Wir fahren vom 23. bis 27. Dezember nach Žilina.',
    'Wir fahren vom 23. bis zum 27. Dezember nach Žilina.',
    'Nous allons à Žilina du 23 au 27 décembre.',
    'Vamos a Žilina del 23 al 27 de diciembre.',
    'Їдемо в Жиліну з 23 по 27 грудня.',
    '我们12月23日到27日去。',
  ])('goes from its first day to its last: %s', (sentence) => {
    expect(timesNamed(sentence, '2026-10-29T10:00:00Z')).toMatchObject([
      { from: '2026-12-23', to: '2026-12-27', display: '23 December 2026 to 27 December 2026' },
    ]);
  });

  it('is nothing where no time is named', () => {
    expect(timesNamed('Nothing about time.', said)).toEqual([]);
  });

  it.each([
    ['2023-05-07', '2023-05-07', '7 May 2023'],
    ['2023-05-01', '2023-05-31', 'May 2023'],
    ['2023-06-01', '2023-08-31', 'June 2023 to August 2023'],
    ['2023-01-01', '2023-12-31', '2023'],
    ['2023-05-04', '2023-05-10', 'about 7 May 2023'],
    ['2023-01-05', '2023-04-10', 'between 5 January 2023 and 10 April 2023'],
  ])('%s to %s reads %s', (from, to, display) => {
    expect(displaySpan(from, to)).toBe(display);
  });
});

describe('a time in the language of the question', () => {
  it.each([
    ['de', 'I went there yesterday.', '7. Mai 2023'],
    ['de', 'I graduated last week!', 'die Woche vom 1. Mai 2023'],
    ['fr', 'We went hiking last weekend.', 'le week-end du 6 mai 2023'],
    ['es', 'That was last month.', 'abril de 2023'],
    ['uk', 'We met on 3 March 2022.', '3 березня 2022 р.'],
    ['zh', '我昨天去了。', '2023年5月7日'],
    ['ja', 'It was great last year.', '2022年'],
    ['ar', 'I saw her three days ago.', '5 مايو 2023'],
  ])('%s: %s', (language, sentence, display) => {
    expect(timesNamed(sentence, said, language).map((time) => time.display)).toEqual([display]);
  });
});
