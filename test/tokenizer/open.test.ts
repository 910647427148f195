import { describe, expect, it } from 'vitest';
import { openTokenizer } from '../../src/tokenizer/open.js';

function status({ enabled, encoding }: { enabled: boolean; encoding: string }) {
  return { enabled, encoding, available: true };
}

describe('openTokenizer', () => {
  it('uses the heuristic when it is disabled', async () => {
    const load = () => Promise.reject(new Error('loaded'));
    const { tokenizer, status } = await openTokenizer({ enabled: false, encoding: 'cl100k_base', load });
    expect(tokenizer.name).toBe('heuristic');
    expect(status).toEqual({ enabled: false, encoding: 'cl100k_base', tokenizer_used: 'heuristic', available: true });
  });

  it('uses the configured encoding when it is enabled', async () => {
    const { tokenizer, status } = await openTokenizer({ enabled: true, encoding: 'gpt2' });
    expect(tokenizer.count('Hello, world!')).toBe(4);
    expect(status).toEqual({ enabled: true, encoding: 'gpt2', tokenizer_used: 'gpt2', available: true });
  });

  it('cuts chunks exactly where it can, though counting is disabled', async () => {
    const asked = { enabled: false, encoding: 'cl100k_base', forChunks: true };
    const exact = await openTokenizer(asked);
    expect(exact.tokenizer.name).toBe('cl100k_base');
    expect(exact.status).toEqual({ ...status(asked), tokenizer_used: 'cl100k_base' });
    const missing = await openTokenizer({ ...asked, load: () => Promise.reject(new Error('not installed')) });
    expect(missing.tokenizer.name).toBe('heuristic');
    expect(missing.status).toEqual({ ...status(asked), tokenizer_used: 'heuristic', message: expect.any(String) });
  });

  it('falls back to the heuristic and says what to install when the package is missing', async () => {
    const load = () => import('a-package-that-is-not-there' as string);
    const { tokenizer, status } = await openTokenizer({ enabled: true, encoding: 'cl100k_base', load });
    expect(tokenizer.count('Hello, world! foo_bar 42')).toBe(9);
    expect(status).toEqual({
      enabled: true,
      encoding: 'cl100k_base',
      tokenizer_used: 'heuristic',
      available: false,
      message: expect.stringContaining('npm install js-tiktoken'),
    });
  });

  it.each([true, false])(
    'refuses an unknown encoding and lists the known ones, enabled or not: %s',
    async (enabled) => {
      await expect(openTokenizer({ enabled, encoding: 'cl200k' })).rejects.toMatchObject({
        name: 'StartupError',
        code: 'config_invalid',
        hint: expect.stringMatching(/cl100k_base.*o200k_base.*gpt2/),
      });
    },
  );
});
