import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/model/errors.js';
import { createLogger, type LoggerSettings } from '../../src/observability/logger.js';
import { currentRequestId, withRequestId } from '../../src/observability/request-context.js';

const now = '2026-11-15T08:00:00.000Z';

function aLogger(changes: Partial<LoggerSettings> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: 'info',
    format: 'json',
    includeStackTraces: false,
    service: 'threadkeep',
    environment: 'test',
    write: (line) => lines.push(line),
    redact: (text) => text.replaceAll('hunter2', '***'),
    now: () => now,
    ...changes,
  });
  return { log, lines };
}

describe('createLogger', () => {
  it('writes one JSON object a line', () => {
    const { log, lines } = aLogger();
    log('info', 'server_started', { port: 8000, mode: 'ok' });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: now,
        level: 'info',
        event: 'server_started',
        port: 8000,
        mode: 'ok',
        service: 'threadkeep',
        environment: 'test',
      },
    ]);
  });

  it('writes one text line, with quotes only where they are needed', () => {
    const { log, lines } = aLogger({ format: 'text', payloads: true });
    log('warn', 'odd', { route: '/x', payload: 'two words\nhere', mode: undefined });
    expect(lines).toEqual([`${now} WARN  odd route=/x payload="two words\\nhere"`]);
  });

  it('leaves out what is less important than its level', () => {
    const { log, lines } = aLogger({ level: 'warn' });
    log('debug', 'a');
    log('info', 'b');
    log('warn', 'c');
    log('error', 'd');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['c', 'd']);
  });

  it('names the request a line belongs to', async () => {
    const { log, lines } = aLogger();
    await withRequestId('r-1', async () => {
      await Promise.resolve();
      log('info', 'inside');
      expect(currentRequestId()).toBe('r-1');
    });
    log('info', 'outside');
    expect(lines.map((line) => JSON.parse(line).request_id)).toEqual(['r-1', undefined]);
  });

  it('logs the chain of causes, without secrets and without a stack', () => {
    const { log, lines } = aLogger();
    log('error', 'failed', {}, new Error('outer', { cause: new TypeError('inner hunter2') }));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'Error: outer < TypeError: inner ***' });
    expect(lines[0]).not.toContain('stack');
  });

  it('logs the stack where configured, without secrets', () => {
    const { log, lines } = aLogger({ includeStackTraces: true });
    log('error', 'failed', {}, new Error('with hunter2'));
    expect(JSON.parse(lines[0] ?? '').stack).toMatch(/^Error: with \*\*\*\n {4}at /);
  });

  it('writes the fields of the list and no others', () => {
    const { log, lines } = aLogger({ format: 'text' });
    const made = { chunks: 3, query: 'what she said', payload: 'what she said', reason: 'what she said' };
    log('info', 'done', made);
    expect(lines).toEqual([`${now} INFO  done chunks=3 reason=?`]);
  });

  it('leaves out of a library its quotations, and keeps our own words', () => {
    const { log, lines } = aLogger();
    const library = new Error(`bad value "what she said" in 'her words\nsecond line`);
    log('error', 'failed', {}, new MemoryError('metadata_unavailable', 'The "store" failed', { cause: library }));
    expect(JSON.parse(lines[0] ?? '').error).toBe('MemoryError: The "store" failed < Error: bad value … in …');
  });

  it('reports a thrown value that is not an Error as unknown', () => {
    const { log, lines } = aLogger();
    log('error', 'failed', {}, 'sentinel text');
    expect(JSON.parse(lines[0] ?? '').error).toBe('unknown error');
  });
});
