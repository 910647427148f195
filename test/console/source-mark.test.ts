import { describe, expect, it } from 'vitest';
import { markOf } from '../../console/src/source-mark.js';

describe('the mark of a source', () => {
  it('tells names apart that begin with the same letter', () => {
    const names = ['chatgpt', 'claude', 'claude-code', 'cursor', 'open-webui', 'notes'];
    expect(names.map(markOf)).toEqual(['Ch', 'Cl', 'CC', 'Cu', 'OW', 'No']);
  });

  it('is made of any name', () => {
    expect(['x', '日記', '--', ''].map(markOf)).toEqual(['X', '日記', '·', '·']);
  });
});
