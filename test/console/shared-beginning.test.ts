import { describe, expect, it } from 'vitest';
import { sharedBeginning } from '../../console/src/reading/shared-beginning.js';

const said = (...texts: string[]) => texts.map((text) => ({ role: 'user', text }));

describe('what two conversations begin with alike', () => {
  it('ends where they part, or where one of them ends', () => {
    expect(sharedBeginning(said('a', 'b', 'c'), said('a', 'b', 'd'))).toBe(2);
    expect(sharedBeginning(said('a'), said('a', 'b'))).toBe(1);
    expect(sharedBeginning(said('a', 'b'), said('a'))).toBe(1);
    expect(sharedBeginning(said('x'), said('y'))).toBe(0);
    expect(sharedBeginning([{ role: 'assistant', text: 'a' }], said('a'))).toBe(0);
  });
});
