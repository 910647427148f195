import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notesIn } from '../../src/cli/commands/installation.js';
import { serviceFiles } from '../../src/cli/commands/service.js';
import { commands } from '../../src/cli/commands.js';
import { aFolder, threadkeep, threadkeepJson } from './threadkeep.js';

describe('service', () => {
  it.skipIf(process.platform !== 'linux')(
    'writes a unit of systemd that names program and data, and takes it away',
    async () => {
      const folder = await aFolder();
      const written = await threadkeepJson(folder, ['service', 'install', '--no-start', '--port', '9000']);
      const file = join(folder, '.config', 'systemd', 'user', 'threadkeep.service');
      expect(written).toMatchObject({ code: 0, json: { kind: 'systemd', file, started: false } });
      const unit = await readFile(file, 'utf8');
      expect(unit).toMatch(/^ExecStart=.*main\.js serve --quiet --data \S+data --port 9000$/m);
      expect(unit).toContain('WantedBy=default.target');
      const status = await threadkeepJson(folder, ['service', 'status']);
      expect(status).toMatchObject({ code: 3, json: { installed: true } });
      const removed = await threadkeepJson(folder, ['service', 'uninstall']);
      expect(removed).toMatchObject({ code: 0, json: { removed: file, data: join(folder, 'data') } });
      expect((await threadkeepJson(folder, ['service', 'uninstall'])).json).toMatchObject({ error_code: 'not_found' });
    },
  );

  it.skipIf(process.platform !== 'linux')('follows the assistants only when asked to', async () => {
    const folder = await aFolder();
    const { json } = await threadkeepJson(folder, ['service', 'install', '--no-start', '--watch']);
    expect(await readFile(String(json.file), 'utf8')).toMatch(/^ExecStart=.*main\.js serve --quiet .* --watch$/m);
    const without = await threadkeep(folder, ['service', 'install', '--no-start']);
    expect(without.stdout).toContain('With --watch it also follows the assistants on this machine.');
    expect(await readFile(String(json.file), 'utf8')).not.toContain('--watch');
  });

  it.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'writes a unit that systemd accepts',
    async () => {
      const folder = await aFolder();
      const { json } = await threadkeepJson(folder, ['service', 'install', '--no-start', '--watch']);
      const verified = spawnSync('systemd-analyze', ['--user', 'verify', String(json.file)], {
        encoding: 'utf8',
        env: { ...process.env, XDG_RUNTIME_DIR: folder },
      });
      // It ends with 0 also where it ignores a line; then it says so.
      expect({ code: verified.status, said: verified.stderr }).toEqual({ code: 0, said: '' });
    },
  );

  const command = ['/opt/my node', '/x/main.js', 'serve', '--data', '/a & b/100%/$x'];
  const places = { command, home: '/Users/me', configHome: '/c', logs: '/l' };

  it('escapes what a system would read as something else', () => {
    expect(serviceFiles('linux', places).content).toContain(
      'ExecStart="/opt/my node" /x/main.js serve --data "/a & b/100%%/$$x"',
    );
    const agent = serviceFiles('darwin', places);
    expect(agent.file).toBe('/Users/me/Library/LaunchAgents/dev.threadkeep.server.plist');
    expect(agent.content).toContain('<string>/a &amp; b/100%/$x</string>');
    expect(serviceFiles('win32', places).content).toContain(
      '<Arguments>/x/main.js serve --data &quot;/a &amp; b/100%/$x&quot;</Arguments>',
    );
  });
});

describe('uninstall', () => {
  it('removes service and cache, keeps the memory and names what stays', async () => {
    const folder = await aFolder();
    const environment = { HOME: folder, XDG_CACHE_HOME: join(folder, '.cache') };
    await threadkeep(folder, ['ingest', '-'], { stdin: '[{"role":"user","text":"Tea at four."}]', environment });
    await threadkeep(folder, ['connect', 'claude-code', '--write'], { environment });
    await threadkeep(folder, ['service', 'install', '--no-start'], { environment });
    const cache = join(folder, '.cache', 'threadkeep');
    await mkdir(cache, { recursive: true });
    const { code, json } = await threadkeepJson(folder, ['uninstall'], { environment });
    expect(code).toBe(0);
    expect(json).toMatchObject({
      removed: expect.arrayContaining([cache]),
      stays: expect.arrayContaining([
        { kind: 'data', path: join(folder, 'data') },
        { kind: 'client', path: join(folder, '.claude.json') },
      ]),
      command: 'npm uninstall -g threadkeep',
    });
    expect(existsSync(cache)).toBe(false);
    expect((await threadkeepJson(folder, ['service', 'status'], { environment })).json).toMatchObject({
      installed: false,
    });
    const found = await threadkeep(folder, ['search', 'tea'], { environment });
    expect(found.stdout).toContain('Tea at four.');
    const again = await threadkeepJson(folder, ['uninstall'], { environment });
    expect(again).toMatchObject({ code: 0 });
  });
});

describe('upgrade', () => {
  it('tells the version, how to get a newer one and the newest notes', async () => {
    const { code, json } = await threadkeepJson(await aFolder(), ['upgrade']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      command: 'git pull && npm run build',
      copies: [],
      notes: { version: expect.any(String), lines: expect.arrayContaining([expect.any(String)]) },
    });
  });

  it('takes the newest section of a changelog for its notes', () => {
    expect(notesIn('# Changelog\n\n## 0.2.0 (2026-05-02)\n\n- b\n- c\n\n## 0.1.0\n\n- a\n')).toEqual({
      version: '0.2.0 (2026-05-02)',
      lines: ['- b', '- c'],
    });
    expect(notesIn('# Changelog\n\n## 0.1.0\n\n- a\n')).toEqual({ version: '0.1.0', lines: ['- a'] });
    expect(notesIn('')).toBeUndefined();
  });
});

describe('man', () => {
  it('has every command with its options, and no line that is taken for a request by mistake', async () => {
    const { code, stdout } = await threadkeep(await aFolder(), ['man']);
    expect(code).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(`.SS ${name.replaceAll('-', '\\-')}`);
    expect(stdout).toContain('.B \\-\\-top\\-k <n>');
    const requests = stdout.split('\n').filter((line) => line.startsWith('.'));
    for (const line of requests) expect(line).toMatch(/^\.(?:\\"|TH|SH|SS|TP|PP|EX|EE|B|I)(?: |$)/);
    expect(stdout.split('\n').filter((line) => line.startsWith("'"))).toEqual([]);
  });
});

describe('completion', () => {
  it('completes groups, commands, arguments and options in bash', async () => {
    const { code, stdout } = await threadkeep(await aFolder(), ['completion', 'bash']);
    expect(code).toBe(0);
    const complete = (...words: string[]) => {
      const ask = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _threadkeep; echo "\${COMPREPLY[*]}"`;
      return spawnSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' })
        .stdout.trim()
        .split(' ');
    };
    expect(complete('threadkeep', 'sea')).toEqual(['search']);
    expect(complete('threadkeep', 'service', '')).toEqual(['install', 'uninstall', 'status', 'logs']);
    expect(complete('threadkeep', 'search', 'x', '--top')).toEqual(['--top-k']);
    expect(complete('threadkeep', 'connect', 'cl')).toEqual(['claude-code', 'claude-desktop', 'cline']);
    expect(complete('threadkeep', 'completion', 'z')).toEqual(['zsh']);
  });

  it.each(['zsh', 'fish'])('knows every command in %s', async (shell) => {
    const { stdout } = await threadkeep(await aFolder(), ['completion', shell]);
    for (const word of ['search', 'service', 'where', 'admin']) expect(stdout).toContain(word);
  });
});
