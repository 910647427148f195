import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.js';
import { commandsFor } from '../../src/cli/program.js';
import { aFolder, program, threadkeep, threadkeepJson } from './threadkeep.js';

describe('the command line', () => {
  it('lists its commands, examples and exit codes', async () => {
    const { code, stdout, stderr } = await threadkeep(await aFolder(), ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const expected =
      'serve ingest import search retrieve reindex health storage-check tokenizer-check config-show'.split(' ');
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+)(?= |$)/gm)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining(expected));
    expect(stdout).toContain('threadkeep search "what did we say about bicycles" --top-k 3');
    const codes = [...stdout.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => Number(code));
    expect(codes).toEqual([0, 1, 2, 3, 78, 130]);
  });

  it('explains one command with its own and the shared options', async () => {
    const { code, stdout } = await threadkeep(await aFolder(), ['import', 'manual', '--help']);
    expect(code).toBe(0);
    for (const word of ['--source <name>', '--title <title>', '--json', '--config <path>', 'Examples:', 'Gemini']) {
      expect(stdout).toContain(word);
    }
  });

  it.each(['import', 'conversations', 'admin', 'admin user', 'admin token', 'admin project', 'admin project member'])(
    'shows examples of the group %s',
    async (name) => {
      const { code, stdout } = await threadkeep(await aFolder(), [...name.split(' '), '--help']);
      expect(code).toBe(0);
      const [, examples = ''] = stdout.split('Examples:\n');
      const lines = examples.trimEnd().split('\n');
      expect(lines.length).toBeGreaterThan(1);
      for (const line of lines) expect(line.startsWith(`  threadkeep ${name} `)).toBe(true);
    },
  );

  it.each(['--version', '-V'])('prints its version with %s', async (flag) => {
    const { code, stdout } = await threadkeep(await aFolder(), [flag]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('answers its name alone with the help', async () => {
    const { code, stdout, stderr } = await threadkeep(await aFolder(), []);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: threadkeep');
  });

  it('loads a command alone exactly as the whole table has it', async () => {
    for (const command of commands) {
      const { commands: found } = await commandsFor(command.name.split(' '));
      expect(found.length === 1 ? found[0] : command).toBe(command);
    }
    expect((await commandsFor(['--data', 'x', 'search', 'y'])).commands).toHaveLength(1);
    expect((await commandsFor(['--help', 'search'])).commands.length).toBeGreaterThan(1);
  });

  it('loads neither the stores nor the analyser to ask a running server', () => {
    const files = ['main', 'cli/run', 'cli/commands/search', 'cli/commands/ask', 'cli/search-text'];
    const loaded = filesLoadedBy(files.map((file) => join(built, `${file}.js`)));
    const rooms = new Set(loaded.map((file) => relative(built, file).split(sep)[0]));
    expect([...rooms].sort()).toEqual(['app', 'cli', 'config', 'main.js', 'model']);
    expect(loaded.length).toBeLessThan(30);
  });

  it.each([
    [['search', 'x', '--topk', '3'], 'threadkeep search --help lists every option.'],
    [['search', 'x', '--top-k', '101'], 'threadkeep search --help lists every option.'],
    [['admin', 'user', 'create'], 'threadkeep admin user create --help lists every option.'],
    [['admin', 'nothing'], 'threadkeep admin --help lists every command.'],
    [['service'], 'threadkeep service --help lists every command.'],
    [['import'], 'threadkeep import --help lists every command.'],
    [['import', 'chats.json', '--sinse', '2026'], 'threadkeep import detect --help lists every option.'],
  ])('names the help that has what is missing: %j', async (args, help) => {
    const { code, stderr } = await threadkeep(await aFolder(), args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(help) });
  });

  it('does not know help about what is no command', async () => {
    const { code, stderr } = await threadkeep(await aFolder(), ['help', 'serch']);
    expect(code).toBe(2);
    expect(stderr).toBe("error: unknown command 'serch'\n  hint: threadkeep --help lists every command.\n");
    expect((await threadkeep(await aFolder(), ['help', 'search'])).stdout).toContain('Usage: threadkeep search');
    expect((await threadkeep(await aFolder(), ['help', 'admin'])).stdout).toContain('Usage: threadkeep admin');
  });

  it.each([
    [['connect', 'netscape'], '<client> must be one of'],
    [['search', 'x', '--top-k', '101'], '--top-k must be at most 100'],
    [['import', 'json', 'x', '--since', 'yesterday'], '--since must be'],
    [['search', 'x', '--date-from', 'yesterday'], '--date-from must be'],
    [['forget'], 'Say which conversations to forget'],
    [['completion', 'tcsh'], '<shell> must be one of'],
  ])('takes a value that cannot be for an error of usage, in the words that were typed: %j', async (args, message) => {
    const { code, stderr } = await threadkeep(await aFolder(), args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('suggests the nearest command', async () => {
    const { code, stdout, stderr } = await threadkeep(await aFolder(), ['serch', 'bicycle']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: unknown command 'serch'\n {2}hint: Did you mean search\?\n/);
  });

  it.each([
    [['search'], "missing required argument 'query'"],
    [['search', 'x', '--top-k', 'many'], "option '--top-k <n>' argument 'many' is invalid. It must be a whole number."],
    [['reindex', '--limit', '0'], "option '--limit <n>' argument '0' is invalid. It must be at least 1."],
    [['migrate'], "required option '--to <config>' not specified"],
    [['import', 'claude-code'], "missing required argument 'path'"],
  ])('answers %j with exit code 2 and says what is wrong', async (args, message) => {
    const { code, json, stderr } = await threadkeepJson(await aFolder(), args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(json).toMatchObject({ status: 'error', error_code: 'usage_error', error_message: message, detail: message });
  });

  it.each([
    [
      ['export', '--output', 'nowhere/x.jsonl'],
      'The file nowhere/x.jsonl cannot be written: its folder does not exist',
    ],
    [['export', '--output', 'a-file/x/', '--format', 'markdown'], 'a-file/x/ cannot be written: a part of its path'],
    [['backup', 'nowhere/x'], 'The file nowhere/x cannot be written: its folder does not exist'],
    [['backup', '.', '--verify'], 'The file . cannot be read: it is a folder'],
  ])('answers %j with exit code 1 and names the path', async (args, message) => {
    const { code, json } = await threadkeepJson(await aFolder({ 'a-file': '' }), args);
    expect({ code, json }).toMatchObject({
      code: 1,
      json: { error_code: 'invalid_input', error_message: expect.stringContaining(message) },
    });
  });

  it('stays silent when asked to, and still tells by its exit code', async () => {
    const folder = await aFolder();
    expect(await threadkeep(folder, ['--quiet', 'serch'])).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(await threadkeep(folder, ['config-show', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a configuration that is not valid', () => {
  const config = 'api:\n  prt: 1\nstorage:\n  vector:\n    distance: far\n';

  it('ends with exit code 78 and lists every problem with a hint', async () => {
    const { code, stdout, stderr } = await threadkeep(await aFolder({ 'config.yaml': config }), ['health']);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toBe('error: The configuration is not valid (2 problems):');
    expect(lines[1]).toMatch(/^ {2}- api\.prt is not a known key \(did you mean api\.port\?\)$/);
    expect(lines[2]).toMatch(/^ {2}- storage\.vector\.distance must be /);
    expect(lines[3]).toMatch(/^ {2}hint: /);
  });

  it('is one JSON document when asked for, and a missing file is an error', async () => {
    const { code, json, stderr } = await threadkeepJson(await aFolder(), ['--config', 'none.yaml', 'health']);
    expect({ code, stderr }).toEqual({ code: 78, stderr: '' });
    expect(json).toMatchObject({ status: 'error', error_code: 'config_invalid' });
  });
});

describe('config-show', () => {
  it('prints YAML without secrets and says which file it came from', async () => {
    const config = 'embedding_endpoint:\n  api_key: not-for-your-eyes\n';
    const folder = await aFolder({ 'other.yaml': config });
    const { code, stdout } = await threadkeep(folder, ['--config', 'other.yaml', 'config-show']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# From .*other\.yaml/);
    expect(stdout).toContain('embedding_dimension: 256');
    expect(stdout).not.toContain('not-for-your-eyes');
  });

  it('prints JSON when asked for', async () => {
    const { json } = await threadkeepJson(await aFolder(), ['config-show'], {
      environment: { THREADKEEP_API__PORT: '8123' },
    });
    expect(json).toMatchObject({ status: 'ok', config: { api: { port: 8123 } } });
    expect(json).not.toHaveProperty('file');
  });
});

describe('tokenizer-check', () => {
  it('says which tokenizer counts and what it counted', async () => {
    const { code, json } = await threadkeepJson(await aFolder(), ['tokenizer-check']);
    expect(code).toBe(0);
    expect(json).toMatchObject({ enabled: false, tokenizer_used: 'heuristic', available: true });
    expect(json).toHaveProperty('sample.tokens', expect.any(Number));
  });

  it('tries an encoding that is not configured', async () => {
    const { code, stdout } = await threadkeep(await aFolder(), ['tokenizer-check', '--encoding', 'o200k_base']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tokenizer +o200k_base\n/);
  });
});

const built = dirname(program);

/** The files of the build that these import statically, and themselves. */
function filesLoadedBy(files: readonly string[]): string[] {
  const loaded = new Set(files);
  for (const file of loaded) {
    const text = readFileSync(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/^(?:import|export) .*?['"](\.[^'"]*)['"];/gm)) {
      loaded.add(join(dirname(file), path));
    }
  }
  return [...loaded];
}
