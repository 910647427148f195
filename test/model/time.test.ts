import { describe, expect, it } from 'vitest';
import { timeAfter, utcRange, utcTime } from '../../src/model/time.js';
import fc from '../support/properties.js';

describe('utcTime', () => {
  it.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T09:30:00Z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15t09:30:00z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15 09:30:00', '2026-11-15T09:30:00.000Z'],
    ['  2026-11-15T09:30:00Z  ', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30:00+02:00', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15T09:30:00-0530', '2026-11-15T15:00:00.000Z'],
    ['2026-11-15T23:30:00-02:00', '2026-11-16T01:30:00.000Z'],
    ['2026-11-15T09:30:00.1Z', '2026-11-15T09:30:00.100Z'],
    ['2026-11-15T09:30:00,123456789Z', '2026-11-15T09:30:00.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (text, time) => {
    expect(utcTime(text)).toBe(time);
  });

  it.each([
    '',
    'yesterday',
    '1700000000',
    '20261115',
    '2026-W01',
    '2026-11',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-15T24:00:00Z',
    '2026-11-15T09:60:00Z',
    '2026-11-15T09:30:61Z',
    '2026-11-15T09:30:00+24:00',
    '2026-11-15T09:30:00+02:60',
    '2026-11-15T09:30:00 Europe/Berlin',
    '9999-12-31T23:59:59-01:00',
    '+12026-11-15',
  ])('refuses %j', (text) => {
    expect(utcTime(text)).toBeUndefined();
  });

  const moment = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });

  it('gives every UTC time back unchanged', () => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(utcTime(date.toISOString())).toBe(date.toISOString());
      }),
    );
  });

  it('reads the same moment out of every offset', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -23 * 60, max: 23 * 60 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const offset = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0')).join(':');
        expect(utcTime(`${local}${minutes < 0 ? '-' : '+'}${offset}`)).toBe(date.toISOString());
      }),
    );
  });

  it('sorts as text the way the moments sort', () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [first = '', second = ''] = [utcTime(one.toISOString()), utcTime(other.toISOString())];
        expect(first < second).toBe(one.getTime() < other.getTime());
      }),
    );
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789-:TZ+., ') }), (text) => {
        const time = utcTime(text);
        if (time !== undefined) expect(utcTime(time)).toBe(time);
      }),
    );
  });
});

describe('utcRange', () => {
  it('takes a plain date as its whole UTC day', () => {
    expect(utcRange('2026-11-15')).toEqual({ first: '2026-11-15T00:00:00.000Z', last: '2026-11-15T23:59:59.999Z' });
  });

  it('takes a time as that moment', () => {
    const moment = '2026-11-15T07:30:00.000Z';
    expect(utcRange('2026-11-15T09:30:00+02:00')).toEqual({ first: moment, last: moment });
  });

  it('refuses what is neither', () => {
    expect(utcRange('last week')).toBeUndefined();
  });
});

describe('timeAfter', () => {
  it.each([
    ['the clock has passed it', '2026-11-15T12:00:00.001Z', '2026-11-15T12:00:00.001Z'],
    ['the clock stands still', '2026-11-15T12:00:00.000Z', '2026-11-15T12:00:00.001Z'],
    ['the clock was set back', '2025-01-01T00:00:00.000Z', '2026-11-15T12:00:00.001Z'],
  ])('is later than the time before when %s', (_, now, expected) => {
    expect(timeAfter('2026-11-15T12:00:00.000Z', now)).toBe(expected);
  });
});
