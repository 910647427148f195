import { describe, expect, it } from 'vitest';
import { type Look, paceOf, withLook } from '../../console/src/views/keep/pace.js';

describe('the pace of an import', () => {
  it('is that of the last looks, and says how long the rest takes', () => {
    const looks = [
      { at: 0, read: 100 },
      { at: 2_000, read: 140 },
      { at: 4_000, read: 200 },
    ];
    expect(paceOf(looks, 450)).toEqual({ perSecond: 25, secondsLeft: 10 });
    expect(paceOf(looks, undefined)).toEqual({ perSecond: 25 });
    expect(paceOf(looks, 150)).toEqual({ perSecond: 25, secondsLeft: 0 });
  });

  it('is not told before there is one', () => {
    expect(paceOf([], 10)).toBeUndefined();
    expect(paceOf([{ at: 0, read: 5 }], 10)).toBeUndefined();
    expect(
      paceOf(
        [
          { at: 0, read: 0 },
          { at: 400, read: 9 },
        ],
        10,
      ),
    ).toBeUndefined();
    expect(
      paceOf(
        [
          { at: 0, read: 9 },
          { at: 5_000, read: 9 },
        ],
        10,
      ),
    ).toBeUndefined();
  });

  it('leaves old looks behind, so that it follows a change of speed', () => {
    let looks: Look[] = [];
    for (let at = 0; at < 100; at++)
      looks = withLook(looks, { at: at * 1_000, read: at < 50 ? at : 50 + (at - 50) * 10 });
    expect(paceOf(looks, undefined)?.perSecond).toBe(10);
  });
});
