/*
 * One list of calls, with what each must answer, for every way to reach a memory: in this process, over HTTP, through the MCP
 * tools, from Python (clients/python/tests/suite.py reads the same file), and in Deno, Bun and a browser
 * (scripts/rings/runtimes.mjs). The calls follow one another on an empty memory; `as` keeps an answer, and `{name.field}`
 * stands for a field of it.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds, type Opened } from './both.js';
import { NoTool, overMcp } from './over-mcp.js';
import { filled, run, type Step } from './suite-calls.js';

const steps = JSON.parse(readFileSync(new URL('shared-suite.json', import.meta.url), 'utf8')) as Step[];
/** The counts of the table in docs/sdk.md. */
const page = readFileSync(new URL('../../docs/sdk.md', import.meta.url), 'utf8');
const written = Object.fromEntries(
  [...page.matchAll(/^\| ([\w, ]+) \| (\d+ of \d+) \|$/gm)].map(([, way = '', counts]) => [way, counts]),
);

const ways: [name: string, open: () => Promise<Opened>][] = [
  ['embedded', () => openedAs('in this process')],
  ['client', () => openedAs('over HTTP')],
  ['MCP', overMcp],
];

function openedAs(kind: string): Promise<Opened> {
  const open = kinds[kind];
  if (open === undefined) throw new Error(`${kind} is not known`);
  return open();
}

describe.each(ways)('the shared suite: %s', (way, open) => {
  let opened: Opened;
  const kept: Record<string, unknown> = {};
  const impossible = new Set<string>();
  let passed = 0;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  it.each(steps.map((step, index) => [index + 1, step.call, step] as const))('%i %s', async (_at, _call, step) => {
    const { call, input, as = '', after = '', answer, error } = step;
    if (impossible.has(after)) return;
    const given = filled(input, kept) as Record<string, unknown>;
    const outcome = await run(opened.memory, call, given).catch((failure: unknown) => failure);
    if (outcome instanceof NoTool) {
      impossible.add(call);
      return;
    }
    if (error === undefined) expect(outcome).toMatchObject(filled(answer, kept) as object);
    else expect(outcome).toMatchObject({ name: 'MemoryError', code: error });
    kept[as] = outcome;
    passed += 1;
  });

  it('runs as many calls as docs/sdk.md says', () => {
    expect(written[way]).toBe(`${passed} of ${steps.length}`);
  });
});

it('has the counts of Python and of the other runtimes on the same page', () => {
  const all = `${steps.length} of ${steps.length}`;
  const runtimes = { 'client in Deno': all, 'client in Bun': all, 'client in Chromium': all };
  expect(written).toMatchObject({ Python: all, 'Python, async': all, ...runtimes });
});
