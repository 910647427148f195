import { type HostileUnit, hostileText, unitName } from './hostile-units.js';
import { unitsOf } from './units-of-pattern.js';

/** Every unit made from these expressions, each once. */
export function unitsOfPatterns(patterns: readonly RegExp[]): HostileUnit[] {
  return eachOnce(patterns.flatMap(unitsOf));
}

function eachOnce(units: readonly HostileUnit[]): HostileUnit[] {
  return [...new Map(units.map((unit) => [unitName(unit), unit])).values()];
}

/** Short enough that even the cube of the length ends. */
const lengths = [256, 1_024, 4_096];
/** Milliseconds. */
const noticeable = 4;
const mostGrowth = 5;

/**
 * The units over which their own expression takes more than linear time when nothing limits what it reads. Expressions that
 * stumble are allowed: many read no more than the head of a sentence. Whether something limits the text before it gets
 * there is for the entry points to show.
 */
export function suspiciousUnits(patterns: readonly RegExp[]): HostileUnit[] {
  return eachOnce(patterns.flatMap((pattern) => unitsOf(pattern).filter((unit) => stumblesOver(pattern, unit))));
}

function stumblesOver(pattern: RegExp, unit: HostileUnit): boolean {
  let before = noticeable / mostGrowth;
  for (const length of lengths) {
    const took = timeOf(pattern, hostileText(unit, length));
    if (took > noticeable && took > mostGrowth * before) return true;
    before = Math.max(took, before);
  }
  return false;
}

/** Of the clock and of the processor the shorter time, so that a busy machine makes no expression suspicious. */
function timeOf(pattern: RegExp, text: string): number {
  const started = performance.now();
  const before = process.cpuUsage();
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - started, (user + system) / 1_000);
}
