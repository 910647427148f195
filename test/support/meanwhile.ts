import type { Around } from '../../src/app/dependencies.js';
import type { Change } from '../../src/stores/metadata/contract.js';

interface Moment {
  fits: (changes: readonly Change[]) => boolean;
  happens: () => Promise<unknown>;
}

/** Lets something happen between what an operation read and its write: just before the next write that fits. */
export function meanwhile() {
  let next: Moment | undefined;
  const around: Around = {
    metadata: (store) => ({
      ...store,
      async write(changes) {
        const moment = next?.fits(changes) ? next : undefined;
        if (moment !== undefined) next = undefined;
        await moment?.happens();
        return store.write(changes);
      },
    }),
  };
  return {
    around,
    before(fits: Moment['fits'], happens: Moment['happens']): void {
      next = { fits, happens };
    },
  };
}

export function changes(kind: Change['kind'], table: string): Moment['fits'] {
  return (all) => all.some((change) => change.kind === kind && change.table === table);
}
