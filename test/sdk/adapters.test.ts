import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryTool } from '../../src/sdk/adapters/anthropic.js';
import { Memory as Mem0 } from '../../src/sdk/adapters/mem0.js';
import { kinds, type Opened } from './both.js';

describe.each(Object.entries(kinds))('adapters on a memory %s', (_name, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  it('keep the files of the memory tool with every version', async () => {
    const { memory } = opened;
    const tool = memoryTool(memory, { name: 'coder' });
    expect(await tool.handle({ command: 'view', path: '/memories' })).toBe(
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories",
    );
    const path = '/memories/notes/build.md';
    expect(await tool.create({ command: 'create', path, file_text: 'Use pnpm.\nRun the linter.\n' })).toBe(
      `File created successfully at: ${path}`,
    );
    await tool.handle({ command: 'str_replace', path, old_str: 'pnpm', new_str: 'npm' });
    expect(await tool.handle({ command: 'insert', path, insert_line: 1, insert_text: 'Node 20.' })).toBe(
      `The file ${path} has been edited.`,
    );
    expect(await tool.handle({ command: 'view', path })).toBe(
      `Here's the content of ${path} with line numbers:\n     1\tUse npm.\n     2\tNode 20.\n     3\tRun the linter.`,
    );
    expect(await tool.handle({ command: 'view', path, view_range: [2, 2] })).toMatch(/\n {5}2\tNode 20\.$/);
    expect(await tool.handle({ command: 'rename', old_path: '/memories/notes', new_path: '/memories/kept' })).toBe(
      'Successfully renamed /memories/notes to /memories/kept',
    );
    expect(await tool.handle({ command: 'view', path: '/memories' })).toContain('34B\t/memories/kept/build.md');
    expect((await memory.search('linter')).results.some((hit) => hit.text.includes('Run the linter.'))).toBe(true);
    await tool.handle({ command: 'delete', path: '/memories/kept' });
    await expect(tool.handle({ command: 'view', path: '/memories/kept' })).rejects.toThrow(
      'Error: The path /memories/kept does not exist. Please provide a valid path.',
    );
    const versions = [];
    for await (const each of tool.history(path)) versions.push([each.version, each.text]);
    expect(versions).toEqual([
      [4, undefined],
      [3, 'Use npm.\nNode 20.\nRun the linter.\n'],
      [2, 'Use npm.\nRun the linter.\n'],
      [1, 'Use pnpm.\nRun the linter.\n'],
    ]);
    const other = memoryTool(memory, { name: 'other' });
    await expect(other.handle({ command: 'view', path })).rejects.toThrow('does not exist');
  });

  it('refuse what the memory tool must refuse', async () => {
    const tool = memoryTool(opened.memory, { name: 'strict' });
    await tool.handle({ command: 'create', path: '/memories/a.txt', file_text: 'one\none\n' });
    const refused = [
      [{ command: 'view', path: '/etc/passwd' }, 'inside /memories'],
      [{ command: 'create', path: '/memories/../x', file_text: '' }, 'inside /memories'],
      [{ command: 'create', path: '/memories/a.txt/b', file_text: '' }, 'a folder is in its place'],
      [{ command: 'delete', path: '/memories' }, 'itself cannot be changed'],
      [{ command: 'str_replace', path: '/memories/a.txt', old_str: 'one', new_str: 'x' }, 'in lines: 1, 2'],
      [{ command: 'str_replace', path: '/memories/a.txt', old_str: 'two', new_str: 'x' }, 'did not appear verbatim'],
      [{ command: 'insert', path: '/memories/a.txt', insert_line: 3, insert_text: 'x' }, '[0, 2]'],
      [{ command: 'rename', old_path: '/memories/none', new_path: '/memories/b' }, 'does not exist'],
    ] as const;
    for (const [command, message] of refused) await expect(tool.handle(command)).rejects.toThrow(message);
    await Promise.all(
      [1, 2, 3].map((n) =>
        tool.handle({ command: 'insert', path: '/memories/a.txt', insert_line: 0, insert_text: `n${n}` }),
      ),
    );
    expect(await tool.handle({ command: 'view', path: '/memories/a.txt' })).toMatch(/1\tn3\n +2\tn2\n +3\tn1\n/);
  });

  it("answer by mem0's names", async () => {
    const mem0 = new Mem0({ memory: opened.memory });
    const added = await mem0.add([{ role: 'user', content: 'I am allergic to walnuts.' }], {
      userId: 'alice',
      metadata: { app: 'x' },
    });
    expect(added.results).toEqual([
      { id: added.results[0]?.id, memory: 'I am allergic to walnuts.', metadata: { app: 'x', event: 'ADD' } },
    ]);
    await mem0.add('I am allergic to walnuts.', { userId: 'bob' });
    await mem0.add('I like walnut cake.', { userId: 'carol' });
    const found = await mem0.search('walnuts', { filters: { user_id: 'alice' } });
    expect(found.results).toMatchObject([{ memory: 'I am allergic to walnuts.', metadata: { app: 'x' } }]);
    await mem0.deleteAll({ userId: 'alice' });
    expect((await mem0.getAll({ filters: { user_id: 'alice' } })).results).toEqual([]);
    const kept = await mem0.getAll({ userId: 'bob' });
    expect(kept.results.map((each) => each.memory)).toEqual(['I am allergic to walnuts.']);
    const id = kept.results[0]?.id ?? '';
    await mem0.delete(id);
    expect(await mem0.get(id)).toBeNull();
    for (const timestamp of [new Date('2026-03-01T10:00:00Z'), 1_772_359_200, '2026-03-01T10:00:00Z']) {
      const [dated] = (await mem0.add(`Pears are ripe, says ${typeof timestamp}.`, { userId: 'dan', timestamp }))
        .results;
      expect(Date.parse((await mem0.get(dated?.id ?? ''))?.createdAt ?? '')).toBe(1_772_359_200_000);
    }
    await expect(mem0.add('Hello', { userId: 'dan', timestamp: new Date('x') })).rejects.toThrow('not a valid date');
    await expect(mem0.search('walnuts', {})).rejects.toThrow('One of userId, agentId or runId is required');
    await mem0.close();
    expect((await opened.memory.health()).status).toBe('ok');
  });
});
