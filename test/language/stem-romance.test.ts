import { describe, expect, it } from 'vitest';
import { stemSpanish } from '../../src/language/locales/es/language.js';
import { stemFrench } from '../../src/language/locales/fr/language.js';
import fc from '../support/properties.js';

describe('stemFrench', () => {
  it.each([
    ['assurance', 'assurances'],
    ['reparer', 'repare'],
    ['isolation', 'isoler'],
    ['conseillee', 'conseiller'],
  ])('lets %s and %s meet', (one, other) => {
    expect(stemFrench(one)).toBe(stemFrench(other));
  });
});

describe('stemSpanish', () => {
  it.each([
    ['ventana', 'ventanas'],
    ['remueve', 'remover'],
    ['cocinar', 'cocinando'],
    ['recomendar', 'recomendado'],
  ])('lets %s and %s meet', (one, other) => {
    expect(stemSpanish(one)).toBe(stemSpanish(other));
  });
});

describe('both', () => {
  it('leave short words alone and at least four letters of long ones', () => {
    expect(stemFrench('mer')).toBe('mer');
    expect(stemSpanish('casa')).toBe('casa');
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{5,20}$/), (word) => stemFrench(word).length >= 4));
  });
});
