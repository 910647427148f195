import { describe, expect, it } from 'vitest';
import { finished } from '../../../src/model/steps.js';
import { loadPackage } from '../../../src/stores/shared/load-package.js';
import { openableVectorDrivers, vectorDrivers } from '../../../src/stores/vector/drivers.js';
import { compareHits, distanceBetween, nearestOf } from '../../../src/stores/vector/shared/nearest.js';
import fc from '../../support/properties.js';

describe('distances', () => {
  const [one, other] = [Float32Array.of(3, 0), Float32Array.of(0, 4)];

  it('are one minus the cosine, the Euclidean length and one minus the product', () => {
    expect(distanceBetween('cosine', one, other)).toBe(1);
    expect(distanceBetween('cosine', one, one)).toBe(0);
    expect(distanceBetween('cosine', one, Float32Array.of(-1, 0))).toBe(2);
    expect(distanceBetween('l2', one, other)).toBe(5);
    expect(distanceBetween('inner_product', one, other)).toBe(1);
    expect(distanceBetween('inner_product', one, one)).toBe(-8);
  });

  it('are undefined for a vector without a direction', () => {
    expect(distanceBetween('cosine', one, new Float32Array(2))).toBeNaN();
    expect(distanceBetween('l2', one, new Float32Array(2))).toBe(3);
  });
});

describe('the nearest of many', () => {
  it('are the first of all in order', () => {
    const offers = fc.array(fc.record({ id: fc.uuid(), distance: fc.integer({ min: 0, max: 5 }) }), { maxLength: 60 });
    const property = fc.property(offers, fc.integer({ min: 0, max: 20 }), (all, limit) => {
      const nearest = nearestOf(limit);
      for (const { id, distance } of all) nearest.offer(id, distance);
      expect(finished(nearest.ordering())).toEqual(all.toSorted(compareHits).slice(0, limit));
    });
    fc.assert(property);
  });

  it('never contain hits without a distance', () => {
    const nearest = nearestOf(3);
    nearest.offer('a', Number.NaN);
    expect(finished(nearest.ordering())).toEqual([]);
  });
});

describe('the driver table', () => {
  it('is keyed by the name each driver has in the configuration', () => {
    expect(openableVectorDrivers).toEqual(Object.values(vectorDrivers).map((driver) => driver.name));
  });

  it('answers a missing package with the command that installs it', async () => {
    const load = loadPackage({ package: 'some-client', range: '^2' }, () => Promise.reject(new Error('not found')));
    await expect(load).rejects.toMatchObject({
      name: 'StartupError',
      code: 'package_missing',
      message: 'The package some-client cannot be loaded.',
      hint: 'npm install some-client@^2',
    });
  });
});
