/**
 * Faults on purpose, around real stores and embedders: each call of a contract may fail, be late, hang, be done by half or
 * answer with the wrong number of things. Plain JavaScript, because the server of the soak test uses it as well.
 */
const wrapped = {
  metadata: ['open', 'write', 'find', 'count', 'searchText', 'scrub', 'check', 'snapshot', 'close'],
  vectors: ['open', 'upsert', 'search', 'remove', 'count', 'reset', 'maintain', 'scrub', 'close'],
  embedder: ['embed'],
  tokenizer: ['count', 'windows'],
};

/** How a call is done by half, or answered with the wrong number; what has no entry cannot be. */
const halves = {
  'vectors.upsert': async (run, [points, options]) => {
    await run(points.slice(0, Math.ceil(points.length / 2)), options);
    throw injected();
  },
  'vectors.remove': async (run, [ids]) => {
    await run(ids.slice(0, Math.ceil(ids.length / 2)));
    throw injected();
  },
  'vectors.search': async (run, args) => firstHalf(await run(...args)),
  'embedder.embed': async (run, args) => firstHalf(await run(...args)).slice(0, args[0].length - 1),
};
const miscounts = {
  'vectors.count': async (run, args) => (await run(...args)) + 1_000,
  'embedder.embed': async (run, args) => {
    const vectors = await run(...args);
    return [...vectors, ...vectors];
  },
};

export function createFaults({ seed = 1 } = {}) {
  const random = seeded(seed);
  const made = new Map();
  const hanging = new Set();
  let rules = [];

  function faultFor(call) {
    const number = (made.get(call) ?? 0) + 1;
    made.set(call, number);
    return rules.find(
      ({ on, at, chance = 1 }) =>
        [on].flat().some((name) => name === call || name === `${call.split('.')[0]}.*`) &&
        (at === undefined || at.includes(number)) &&
        (chance >= 1 || random() < chance),
    );
  }

  async function perform(call, run, args) {
    const rule = faultFor(call);
    switch (rule?.fault) {
      case undefined:
        return run(...args);
      case 'error':
        throw injected();
      case 'lost':
        await run(...args);
        throw injected();
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, rule.ms ?? 50));
        return run(...args);
      case 'hang':
        // When the fault is over it goes on, as a stalled connection does: long after its caller gave up.
        await new Promise((resolve) => hanging.add(resolve));
        return run(...args);
      case 'partial':
        return specialOf(halves, call)(run, args);
      case 'wrong_count':
        return specialOf(miscounts, call)(run, args);
      default:
        throw new Error(`there is no fault ${rule.fault}`);
    }
  }

  /** The same thing, with these of its methods in our hands. */
  function around(contract, real) {
    const calls = wrapped[contract].filter((name) => typeof real[name] === 'function');
    const faulty = calls.map((name) => {
      const run = (...args) => real[name](...args);
      return [name, (...args) => perform(`${contract}.${name}`, run, args)];
    });
    return { ...real, ...Object.fromEntries(faulty) };
  }

  /** It answers at once, so it can fail but neither hang nor be late. */
  function aroundTokenizer(real) {
    const orFail =
      (name) =>
      (...args) => {
        if (faultFor(`tokenizer.${name}`) !== undefined) throw injected();
        return real[name](...args);
      };
    return { ...real, ...Object.fromEntries(wrapped.tokenizer.map((name) => [name, orFail(name)])) };
  }

  return {
    around: {
      metadata(store) {
        const faulty = around('metadata', store);
        const snapshot = async () => around('metadata', await faulty.snapshot());
        return { ...faulty, snapshot };
      },
      vectors: (store) => around('vectors', store),
      embedder: (embedder) => around('embedder', embedder),
      tokenizer: (tokenizer) => aroundTokenizer(tokenizer),
    },

    /** From now on these, and no others. */
    set(...next) {
      rules = next;
    },

    /** Everything works again; what hung goes on. */
    clear() {
      rules = [];
      for (const go of hanging) go();
      hanging.clear();
    },

    /** How often a call was made. */
    calls: (call) => made.get(call) ?? 0,

    hanging: () => hanging.size,
  };
}

function specialOf(table, call) {
  const special = table[call];
  if (special === undefined) throw new Error(`${call} cannot be faulty in this way`);
  return special;
}

/** As of a connection that broke. */
function injected() {
  return Object.assign(new Error('a fault on purpose'), { code: 'ECONNRESET' });
}

function firstHalf(things) {
  return things.slice(0, Math.ceil(things.length / 2));
}

/** The same numbers for the same seed. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
