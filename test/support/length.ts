/**
 * How often something is tried: less often in `npm test`, so that a person can wait for it, and in full in
 * `npm run test:long` and when the file is named. A file that uses this is in the list `inBoth` of vitest.config.ts.
 */
export function atLength<Value>(inCommon: Value, inFull: Value): Value {
  return process.env.TEST_LENGTH === 'common' ? inCommon : inFull;
}
