import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serviceFiles } from '../../src/cli/service-files.js';
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

describe('completion', () => {
  it('completes groups, commands and options in bash', async () => {
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
  });

  it.each(['zsh', 'fish'])('knows every command in %s', async (shell) => {
    const { stdout } = await threadkeep(await aFolder(), ['completion', shell]);
    for (const word of ['search', 'service', 'where', 'admin']) expect(stdout).toContain(word);
  });
});
