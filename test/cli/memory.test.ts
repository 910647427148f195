import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { aFolder, modulesOf, threadkeep, threadkeepJson } from './threadkeep.js';

const escapeCharacter = String.fromCharCode(27);

const bicycle = {
  title: 'Bicycle repair',
  source: 'chatgpt',
  timestamp: '2026-11-15T09:30:00Z',
  metadata: { tags: ['bike'] },
  messages: [
    { role: 'user', text: 'My bicycle is blue and its chain squeaks.' },
    { role: 'assistant', text: `Clean the chain,${escapeCharacter}[31m then oil it.` },
  ],
};

describe('ingest, search and retrieve', () => {
  it('store a conversation, find it and print it, as text', async () => {
    const folder = await aFolder({ 'bicycle.json': `\uFEFF${JSON.stringify(bicycle)}` });
    const stored = await threadkeep(folder, ['ingest', 'bicycle.json']);
    expect({ code: stored.code, stderr: stored.stderr }).toEqual({ code: 0, stderr: '' });
    const [, id = ''] = /^Stored\nid {6}(\S+)\nchunks {2}2\nstatus {2}active\n$/.exec(stored.stdout) ?? [];

    const found = await threadkeep(folder, ['search', 'squeaking', 'chains', '--top-k', '1']);
    expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' });
    const [heading, passage, place, , next] = found.stdout.split('\n');
    expect([heading, passage, place]).toEqual([
      '1. Bicycle repair · chatgpt · 2026-11-15',
      '   user: My bicycle is blue and its chain squeaks.',
      `   ${id} chunk 0`,
    ]);

    const [, command = ''] = /^next page: threadkeep (.*)$/.exec(next ?? '') ?? [];
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const second = await threadkeep(folder, words);
    expect(second.stdout).toBe(
      `1. Bicycle repair · chatgpt · 2026-11-15\n   assistant: Clean the chain,[31m then oil it.\n   ${id} chunk 1\n`,
    );

    const printed = await threadkeep(folder, ['retrieve', id.toUpperCase()]);
    expect(printed.stdout).toBe(
      [
        'Bicycle repair',
        `id      ${id}`,
        'source  chatgpt',
        'time    2026-11-15T09:30:00Z',
        'tags    bike',
        '',
        'User:',
        'My bicycle is blue and its chain squeaks.',
        '',
        'Assistant:',
        'Clean the chain,[31m then oil it.',
        '',
      ].join('\n'),
    );
  });

  it('read standard input and answer as JSON, as every door does', async () => {
    const folder = await aFolder();
    const stdin = JSON.stringify(bicycle.messages);
    const stored = await threadkeepJson(folder, ['--verbose', 'ingest', '-'], { stdin });
    expect(stored).toMatchObject({
      code: 0,
      json: { status: 'ok', deduplicated: false, embedded_chunks: 2, chunks: 2 },
    });
    const { id } = stored.json;

    const again = await threadkeepJson(folder, ['ingest', '-'], { stdin });
    expect(again.json).toMatchObject({ status: 'ok', id, deduplicated: true, embedded_chunks: 0 });

    const found = await threadkeepJson(folder, ['search', 'bicycle', '--result-mode', 'compact', '--source', 'cli']);
    expect(found.json).toMatchObject({ status: 'ok', results: [{ id, source: 'cli' }], cursor: null });

    const none = await threadkeep(folder, ['search', 'bicycle', '--tags', 'bike', '--tags', 'blue']);
    expect(none).toEqual({ code: 0, stdout: 'no results\n', stderr: '' });

    const whole = await threadkeepJson(folder, ['retrieve', String(id)]);
    expect(whole.json).toMatchObject({ status: 'ok', id, memory: { source: 'cli', messages: bicycle.messages } });
  });

  it('re-rank results on request, page by page', async () => {
    const folder = await aFolder();
    for (const text of ['Which city did people move to in 1900?', 'We finally moved to Leeds last weekend.']) {
      await threadkeep(folder, ['ingest', '-'], { stdin: JSON.stringify([{ role: 'user', text }]) });
    }
    const partsOf = async (...flags: string[]): Promise<boolean[]> => {
      const found = await threadkeepJson(folder, ['search', 'Which city did I move to?', '--explain', ...flags]);
      const results = found.json.results as { explanation: Record<string, number> }[];
      return results.map(({ explanation }) => 'rerank' in explanation);
    };
    expect(await partsOf()).toEqual([false, false]);
    expect(await partsOf('--rerank')).toEqual([true, true]);
    expect(await partsOf('--no-rerank')).toEqual([false, false]);
    const first = await threadkeep(folder, ['search', 'city', '--rerank', '--explain', '--limit', '1']);
    expect(first.stdout).toMatch(/next page: threadkeep search .*--rerank --explain|--explain --rerank/);
    expect(first.stdout).not.toContain('--rerank true');
  });

  it('keep the times of messages, and refuse what is none', async () => {
    const folder = await aFolder();
    const said = { role: 'user', text: 'The heron stood in the reeds.', timestamp: '2026-05-03T10:00:00Z' };
    const stdin = JSON.stringify({ timestamp: '2025-01-01', messages: [said] });
    const { json } = await threadkeepJson(folder, ['ingest', '-'], { stdin });
    const whole = await threadkeepJson(folder, ['retrieve', String(json.id)]);
    expect(whole.json).toMatchObject({ memory: { timestamp: '2025-01-01', messages: [said] } });
    const found = await threadkeep(folder, ['search', 'heron', '--date-from', '2026-05-01']);
    expect(found.stdout).toContain('2026-05-03');
    const wrong = JSON.stringify([{ ...said, timestamp: 'in May' }]);
    const refused = await threadkeep(folder, ['ingest', '-'], { stdin: wrong });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('messages[0].timestamp') });
  });

  it('need no save intent, because running a command is deliberate', async () => {
    const folder = await aFolder({ 'config.yaml': 'memory:\n  insert_policy: require_save_intent\n' });
    const { code, json } = await threadkeepJson(folder, ['ingest', '-'], { stdin: JSON.stringify(bicycle) });
    expect({ code, status: json.memory_status }).toEqual({ code: 0, status: 'active' });
  });

  it('leave no file behind in a dry run', async () => {
    const folder = await aFolder({ 'bicycle.json': JSON.stringify(bicycle) });
    const environment = { THREADKEEP_STORAGE__DRY_RUN: 'true' };
    const stored = await threadkeep(folder, ['ingest', 'bicycle.json'], { environment });
    expect(stored).toMatchObject({ code: 0, stdout: expect.stringContaining('Dry run') });
    expect(await threadkeepJson(folder, ['reindex'], { environment })).toMatchObject({
      code: 0,
      json: { dry_run: true },
    });
    expect(await readdir(folder)).toEqual(['bicycle.json']);
  });
});

describe('search and ask without a server', () => {
  it.each([
    ['search', 'bicycle'],
    ['ask', 'What colour is my bicycle?'],
  ])('load only what %s needs, because loading takes longer than answering', async (...args) => {
    const folder = await aFolder();
    await threadkeep(folder, ['ingest', '-'], { stdin: '[{"role":"user","text":"My bicycle is blue."}]' });
    const modules = await modulesOf(folder, args);
    const packages = modules.map((each) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(each)?.[1]).filter(Boolean);
    // These load others as CommonJS.
    expect([...new Set(packages)].sort()).toEqual(['@lancedb/lancedb', '@photostructure/sqlite', 'node-gyp-build']);
    const own = modules.filter((each) => each.includes('/dist/') && !each.includes('/node_modules/'));
    expect(own.filter((each) => each.includes('/bundle/')).length).toBeLessThan(90);
    // The executable and the modules of the worker threads.
    expect(own.filter((each) => !each.includes('/bundle/')).length).toBeLessThan(60);
  });
});

describe('input that is refused', () => {
  const secret = 'a-private-sentence';

  it.each([
    ['a file that does not exist', ['ingest', 'none.json'], '', 'not_found', 'The file none.json does not exist'],
    ['a text that is not JSON', ['ingest', '-'], `{"a":\n ${secret}}`, 'invalid_input', 'is not valid JSON'],
    ['an unknown id', ['retrieve', '3b241101-e2bb-4255-8caf-4136c566a962'], '', 'not_found', 'No memory with this id'],
    ['text without a label', ['import', 'manual', '-'], `\n${secret}`, 'invalid_input', 'line 2 comes before'],
  ])('ends with exit code 1: %s', async (_, args, stdin, errorCode, message) => {
    const { code, json, stderr } = await threadkeepJson(await aFolder(), args, { stdin });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(json).toMatchObject({
      status: 'error',
      error_code: errorCode,
      error_message: expect.stringContaining(message),
    });
    expect(JSON.stringify(json)).not.toContain(secret);
  });

  it('is one line on standard error as text', async () => {
    const { code, stdout, stderr } = await threadkeep(await aFolder(), ['ingest', '-'], { stdin: '{"a": 1,\n  x}' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: Standard input is not valid JSON \(line 2, column 3\); .*\n$/);
  });
});

describe('transcripts', () => {
  it('are imported from a pasted page', async () => {
    const page = 'You said:\nWhere is Kyiv?\n\nChatGPT said:\nIn Ukraine.\n\nOn the Dnipro.\n';
    const folder = await aFolder({ 'page.txt': page });
    const args = ['import', 'manual', 'page.txt', '--source', 'chatgpt', '--title', 'Geography'];
    const imported = await threadkeepJson(folder, args);
    expect(imported).toMatchObject({ code: 0, json: { status: 'ok', importer: 'manual', imported: 1, messages: 2 } });
    const [{ id } = { id: '' }] = imported.json.results as { id: string }[];
    const { json } = await threadkeepJson(folder, ['retrieve', id]);
    expect(json.memory).toMatchObject({
      source: 'chatgpt',
      title: 'Geography',
      messages: [
        { role: 'user', text: 'Where is Kyiv?' },
        { role: 'assistant', text: 'In Ukraine.\n\nOn the Dnipro.' },
      ],
      metadata: { importer: 'manual' },
    });
  });

  it('come from manual-paste unless told, and print what was stored', async () => {
    const folder = await aFolder();
    const stdin = '**Human:** hello\n**Claude:** hi\n';
    const { code, stdout } = await threadkeep(folder, ['import', 'manual', '-'], { stdin });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Stored\nid +\S+\nchunks +2\nstatus +active\nread 2 messages\n$/);
    const found = await threadkeepJson(folder, ['search', 'hello', '--result-mode', 'compact']);
    expect(found.json).toMatchObject({ results: [{ source: 'manual-paste' }] });
  });

  it('know two labels alone when they are strict', async () => {
    const folder = await aFolder();
    const stdin = 'User: one\nClaude: still one\nAssistant: two';
    const { json } = await threadkeepJson(folder, ['ingest', '-', '--strict-transcript'], { stdin });
    expect(json).toMatchObject({ status: 'ok', chunks: 2 });
  });
});
