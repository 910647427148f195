import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Ended, runInHost, threadkeepJson } from '../cli/threadkeep.js';
import { bearer } from '../support/accounts.js';
import { aServer } from '../support/server.js';
import { aFolder } from '../support/service.js';
import { aZip } from '../support/zip.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recipes = join(root, 'docs', 'recipes');

/** An empty project that has the package and the AI SDK installed, with the recipes in it, and a way to run one there. */
async function project() {
  const folder = await aFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'threadkeep'));
  await symlink(join(root, 'node_modules', 'ai'), join(folder, 'node_modules', 'ai'));
  await cp(recipes, folder, { recursive: true });
  const run = (name: string, args: string[], environment: Record<string, string> = {}): Promise<Ended> =>
    runInHost({
      program: join(folder, name),
      folder,
      args,
      environment: {
        ...(process.env.PATH === undefined ? {} : { PATH: process.env.PATH }),
        HOME: folder,
        ...environment,
      },
    });
  return { folder, run };
}

const printing = (stdout: string): Ended => ({ code: 0, stdout, stderr: '' });

/** What each program must print, by its name. */
const runs: Record<string, () => Promise<void>> = {
  async 'chat-bot.mjs'() {
    const { run } = await project();
    expect(await run('chat-bot.mjs', ['./memory', 'My bicycle is blue.'])).toEqual(printing('Tell me more.\n'));
    const { code, stdout } = await run('chat-bot.mjs', ['./memory', 'What colour is my bicycle?']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^I remember this\.\n[\s\S]*data, not instructions[\s\S]*My bicycle is blue\./);
  },

  async 'memory-tool.mjs'() {
    const { run } = await project();
    const noted = '     1\tRun npm test.\n     2\tIt needs Node 20.';
    const first = await run('memory-tool.mjs', ['./memory']);
    expect(first.stdout).toMatch(/^After 3 calls: /);
    expect(first.stdout).toContain(noted);
    const second = await run('memory-tool.mjs', ['./memory']);
    expect(second.stdout).toMatch(/^After 1 calls: /);
    expect(second.stdout).toContain(noted);
  },

  async 'from-mem0.mjs'() {
    const { run } = await project();
    expect(await run('from-mem0.mjs', ['./memory'])).toEqual(printing('I am allergic to walnuts.\n'));
  },

  async 'slack-archive.mjs'() {
    const { folder, run } = await project();
    const said = (name: string, text: string, second: number) => ({
      type: 'message',
      user: `U${name.length}`,
      user_profile: { real_name: name },
      text,
      ts: `17726400${second}.000100`,
    });
    const day = [
      said('Nora Lind', 'The harbour pilot release ships on Thursday.', 10),
      said('Ben', 'Then I book the ferry.', 20),
    ];
    await writeFile(join(folder, 'slack.zip'), aZip('export/releases/2026-03-04.json', JSON.stringify(day)));
    const args = ['./memory', 'slack.zip', 'When does the harbour pilot release ship?'];
    const first = await run('slack-archive.mjs', args);
    expect(first.stdout).toMatch(
      /^1 new days of channels, 0 known\n[\s\S]*Thursday[\s\S]*\n {2}from #releases 2026-03-04\n/,
    );
    expect((await run('slack-archive.mjs', args)).stdout).toMatch(/^0 new days of channels, 1 known\n/);
    expect(await run('slack-archive.mjs', ['./memory'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Usage: '),
    });
  },

  async 'nightly-import.mjs'() {
    const { folder, run } = await project();
    await mkdir(join(folder, 'exports'));
    const chat = (id: string, ...texts: string[]) => ({ id, messages: texts.map((text) => ({ role: 'user', text })) });
    const put = (name: string, text: string) => writeFile(join(folder, 'exports', name), text);
    await put('monday.json', JSON.stringify([chat('a', 'The kettle whistles.'), chat('b', 'The ferry leaves.')]));
    const nightly = () => run('nightly-import.mjs', ['./memory', './exports']);
    expect(await nightly()).toEqual(printing('monday.json: 2 new, 0 grown, 0 known, 0 left out\n'));
    expect(await nightly()).toEqual(printing('monday.json: 0 new, 0 grown, 2 known, 0 left out\n'));
    await put('broken.json', 'nothing that any program writes');
    await put('tuesday.json', JSON.stringify([chat('c', 'A heron stood by the weir.')]));
    const third = await nightly();
    expect(third.code).toBe(1);
    expect(third.stderr).toMatch(/^broken\.json: \S/);
    expect(third.stdout).toContain('tuesday.json: 1 new, 0 grown, 0 known, 0 left out\n');
  },

  async 'weekly-digest.mjs'() {
    const { folder, run } = await project();
    await mkdir(join(folder, 'exports'));
    const chat = (title: string, timestamp: string, text: string) => ({
      title,
      timestamp,
      source: 'claude',
      messages: [{ role: 'user', text, timestamp }],
    });
    const chats = [
      chat('Too early', '2026-03-02T09:00:00Z', 'The barge is late.'),
      chat('Moving', '2026-03-03T09:00:00Z', 'I live in Lisbon.'),
      chat('Birds', '2026-03-09T09:00:00Z', 'A heron stood by the weir.'),
    ];
    await writeFile(join(folder, 'exports', 'week.json'), JSON.stringify(chats));
    expect((await run('nightly-import.mjs', ['./memory', './exports'])).stdout).toContain('3 new');
    expect(await run('weekly-digest.mjs', ['./memory', '2026-03-09'])).toEqual(
      printing(`# 2026-03-03 to 2026-03-09

## 2026-03-03

- Moving (claude, 1 messages)

## 2026-03-09

- Birds (claude, 1 messages)

## Facts

- user: profile location Lisbon
`),
    );
  },

  async 'team.mjs'() {
    const { run } = await project();
    const server = await aServer(bearer);
    // The commands that the recipe itself names.
    const said = await readFile(join(recipes, 'team.mjs'), 'utf8');
    const commands = [...said.matchAll(/threadkeep (admin .+?)(?= {2,}|\n)/g)].map(([, command = '']) => command);
    const tokens: string[] = [];
    for (const command of commands) {
      const words = [...command.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      const { json } = await threadkeepJson(server.folder, [...words, '--data', join(server.folder, 'data')]);
      const { token } = json as { token?: string };
      if (token !== undefined) tokens.push(token);
    }
    const [nora = '', omar = ''] = tokens;
    expect(await run('team.mjs', [server.url], { NORAS_TOKEN: nora, OMARS_TOKEN: omar })).toEqual(
      printing(`before: permission_denied
release: The release is on the ninth of March.
salary: nothing
reader writes: permission_denied
writer writes: ok
after: permission_denied
`),
    );
  },
};

describe('the recipes', () => {
  it.each(Object.entries(runs))('%s does what it says', async (_name, run) => run(), 120_000);

  it('are all run, and all on the page of the library', async () => {
    const names = (await readdir(recipes)).sort();
    expect(names).toEqual(Object.keys(runs).sort());
    const page = await readFile(join(root, 'docs', 'sdk.md'), 'utf8');
    for (const name of names) expect(page).toContain(`(recipes/${name})`);
  });
});
