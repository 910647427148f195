import { describe, expect, it } from 'vitest';
import { groupCommit } from '../../../src/stores/metadata/shared/group-commit.js';

describe('group commit', () => {
  it('takes together what arrives while a group is being committed', async () => {
    const { groups, commits, release } = aSlowCommit();
    const first = [commits.write('a'), commits.write('b')];
    await groups.next();
    const second = ['c', 'd', 'e'].map((write) => commits.write(write));
    release();
    await Promise.all(first);
    await groups.next();
    release();
    await Promise.all(second);
    expect(groups.seen).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('never takes more than 64 writes at once', async () => {
    const sizes: number[] = [];
    const commits = groupCommit<number>(async (writes) => {
      sizes.push(writes.length);
      return [];
    });
    await Promise.all(Array.from({ length: 130 }, (_, index) => commits.write(index)));
    expect(sizes).toEqual([64, 64, 2]);
  });

  it('gives each write its own outcome', async () => {
    const commits = groupCommit<string>(async (writes) =>
      writes.map((write) => (write === 'bad' ? new Error('mine alone') : undefined)),
    );
    const outcomes = await Promise.allSettled(['x', 'bad', 'y'].map((write) => commits.write(write)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails the whole group when the commit fails, and continues with the next', async () => {
    let broken = true;
    const commits = groupCommit<string>(async () => {
      if (broken) throw new Error('disk full');
      return [];
    });
    const outcomes = await Promise.allSettled([commits.write('a'), commits.write('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    await commits.write('c');
  });

  it('is idle once nothing is waiting or under way', async () => {
    const { groups, commits, release } = aSlowCommit();
    await commits.idle();
    let done = false;
    const write = commits.write('a').then(() => {
      done = true;
    });
    const idle = commits.idle();
    await groups.next();
    release();
    await idle;
    await write;
    expect(done).toBe(true);
  });
});

/** A commit that waits for `release`; `groups.next()` resolves when the next group has arrived. */
function aSlowCommit() {
  const seen: string[][] = [];
  let arrived = aSignal();
  let held = aSignal();
  const commits = groupCommit<string>(async (writes) => {
    seen.push(writes);
    arrived.give();
    await held.given;
    return [];
  });
  const groups = {
    seen,
    async next() {
      await arrived.given;
      arrived = aSignal();
    },
  };
  const release = () => {
    held.give();
    held = aSignal();
  };
  return { groups, commits, release };
}

function aSignal(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
