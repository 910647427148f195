import { describe, expect, it } from 'vitest';
import { hostileText, hostileUnits, unitName } from '../growth/hostile-units.js';
import { readers, refused } from './readers.js';
import { allowance, long } from './settings.js';

describe('an input made to be slow', () => {
  it.each(Object.entries(readers))('takes %s no longer than its length asks for', { timeout: allowance }, (_, read) => {
    const slow: string[] = [];
    for (const unit of long ? hostileUnits : hostileUnits.filter((_, index) => index % 8 === 1)) {
      const text = hostileText(unit, 20_000);
      const before = process.cpuUsage();
      refused(() => read(text));
      const { user } = process.cpuUsage(before);
      // Work that grows with the square of the length takes seconds here; the time of others does not count.
      if (user > 800_000) slow.push(`${unitName(unit)}: ${Math.round(user / 1_000)} ms`);
    }
    expect(slow).toEqual([]);
  });
});
