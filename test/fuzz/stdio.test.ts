import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { opening } from '../support/mcp.js';
import fc from '../support/properties.js';
import { canary, fieldCanary } from './odd-values.js';
import { startProgram } from './program.js';
import { messages, type Tool, toolCalls } from './rpc.js';
import { allowance, patience, seed, share } from './settings.js';
import { damaged, damages } from './wire-damage.js';

const known = { query: ['dog'], question: ['Where do I live?'], subject: ['user'] };

describe('threadkeep mcp', () => {
  it('survives any line and answers the next valid one', { timeout: allowance }, async () => {
    const program = await startProgram(['mcp', '--verbose'], {}, [canary, fieldCanary]);
    onTestFinished(program.stop);
    const { stdin, stdout } = program.child;
    if (stdin === null || stdout === null) throw new Error('no pipes');
    const waiting = new Map<unknown, (answer: { result?: unknown }) => void>();
    const noise: string[] = [];
    createInterface({ input: stdout }).on('line', (line) => {
      try {
        const answer = JSON.parse(line) as { id?: unknown; result?: unknown };
        waiting.get(answer.id)?.(answer);
        waiting.delete(answer.id);
      } catch {
        noise.push(line.slice(0, 200));
      }
    });
    let next = 0;
    function ask(method: string, params: object = {}): Promise<{ result?: unknown }> {
      const id = `ours-${next++}`;
      stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), patience);
        waiting.set(id, (answer) => {
          clearTimeout(timer);
          resolve(answer);
        });
      });
    }
    await ask('initialize', opening);
    const { tools } = (await ask('tools/list')).result as { tools: Tool[] };
    const content = fc.oneof(
      toolCalls(tools, known).map(({ body }) => body),
      messages,
    );
    // A session over a pair of streams cannot be opened twice: that is a matter of the HTTP door.
    const lines = fc
      .array(fc.tuple(content, damages), { minLength: 1, maxLength: 10 })
      .map((all) => all.map(([body, damage]) => damaged(JSON.stringify(body) ?? '', damage)));
    await fc.assert(
      fc.asyncProperty(lines, async (given) => {
        for (const line of given) {
          stdin.write(line.filter((byte) => byte !== 10));
          if (!stdin.write('\n')) await once(stdin, 'drain');
        }
        expect((await ask('ping')).result).toEqual({});
      }),
      { seed, numRuns: share(0.003) },
    );
    expect(noise).toEqual([]);
    expect(program.told).toEqual([]);
    expect(program.logBytes()).toBeGreaterThan(0);
    expect(program.memory().peak).toBeLessThan(1_500);
  });
});
