import { describe, expect, it } from 'vitest';
import { createHttpApp } from '../../src/http/app.js';
import type { ConsoleFile } from '../../src/http/static-pages.js';
import { aService } from '../support/service.js';

const text = (path: string, type: string, content: string): ConsoleFile => ({
  path,
  type,
  content: new TextEncoder().encode(content),
});

async function aConsole() {
  const { service, config, runtime } = await aService();
  const { doorSettings } = await import('../../src/app/serve.js');
  return createHttpApp({
    service,
    callers: runtime.access.callers,
    observer: { log() {}, count() {}, duration() {} },
    version: '0.0.0-test',
    settings: doorSettings(config),
    health: async () => ({}),
    ready: async () => ({ status: 'ok' }),
    observability: async () => ({}),
    config: () => ({}),
    clients: { writable: [], list: async () => ({}), connect: async () => ({}), disconnect: async () => ({}) },
    metrics: async () => '',
    console: [text('/index.html', 'text/html', '<p>here</p>'), text('/assets/app-1a2b.js', 'text/javascript', '1')],
  });
}

describe('the console', () => {
  it('is the page at the root, under a policy that lets nothing else in', async () => {
    const answer = await (await aConsole()).request('/');
    expect(await answer.text()).toBe('<p>here</p>');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('lets a browser keep what carries a digest in its name', async () => {
    const answer = await (await aConsole()).request('/assets/app-1a2b.js');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript');
  });

  it('serves only its own files', async () => {
    const app = await aConsole();
    for (const path of ['/assets/', '/assets/other.js', '/assets/..%2f..%2fpackage.json', '/index.html']) {
      expect((await app.request(path)).status).toBe(404);
    }
  });
});
