import { hostileText, hostileUnits } from '../growth/hostile-units.js';
import fc from '../support/properties.js';

/** In every text that is sent as a value: it may be in no error, no log line, nowhere but in what was asked for. */
export const canary = 'zqcanaryvalue';
/** In names of fields that do not exist: whoever sent it is told which field it was, a log line is not. */
export const fieldCanary = 'zqcanaryfield';

const awkward = [
  '\0',
  '\ud800',
  '\udc00\ud800',
  '\u202e\u2066',
  '\ufeff',
  '\u0000\u001b[31m',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(10),
  'İıßﬁ',
  '"; DROP TABLE conversations; --',
  "' OR 1=1 --",
  '* NEAR( "a" ^ {b} :c -d',
  '%00%ff%zz',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\r\nX-Injected: 1',
  'NaN',
  '-0',
  '1e999',
  'null',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '2026-11-15',
  '9999-99-99T99:99:99Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.000Z',
];

/** Texts that break things, each with the canary in it. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `${canary}${text}`) },
  { weight: 4, arbitrary: fc.constantFrom(...awkward).map((text) => `${text} ${canary}`) },
  { weight: 2, arbitrary: fc.constantFrom(...awkward) },
  { weight: 2, arbitrary: fc.constantFrom('', ' ', '\n', '\t\r\n') },
  { weight: 1, arbitrary: fc.constantFrom(300, 3_000, 30_000).map((size) => canary.repeat(size / 13)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...hostileUnits), fc.constantFrom(200, 2_000, 20_000))
      .map(([unit, length]) => `${canary} ${hostileText(unit, length)}`),
  },
);

/** Sentences as people write them, so that facts, dates and names are found in them. */
export const plainText: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      `My name is ${canary}.`,
      `I live in ${canary} since 2021.`,
      `I no longer like ${canary}!`,
      `Where is the ${canary}?`,
      `Actually, my favourite colour is ${canary}, not blue.`,
      `Call me on ${canary} tomorrow at 5.`,
      '自転車はどこですか',
      'Где мой велосипед?',
      'My bicycle is in the shed.',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((sentences) => sentences.join(' '));

export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(-1, 0, 0.5, 1, 5, 100, 101, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21),
  fc.integer(),
);

/** Anything that JSON can say. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], { a: null }, [[[[]]]]) },
  { weight: 1, arbitrary: fc.array(oddText, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 10, max: 400 }).map((depth) => nested(depth)) },
);

export function nested(depth: number): unknown {
  let value: unknown = canary;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Names that an object might not expect. */
export const oddKey: fc.Arbitrary<string> = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '',
  ' ',
  '0',
  'raw_html',
  'screenshot',
  'id',
  'project_id',
  fieldCanary,
  `${fieldCanary}\ud800`,
  fieldCanary.repeat(100),
);
