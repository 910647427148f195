import type { Command } from '../command.js';

export const man: Command = {
  name: 'man',
  operator: true,
  summary: 'Print the manual page',
  examples: ['threadkeep man | man -l -', 'threadkeep man > ~/.local/share/man/man1/threadkeep.1'],
  async run() {
    const [{ commands }, { manPage }] = await Promise.all([import('../commands.js'), import('../man-page.js')]);
    const page = manPage(commands);
    return { json: { status: 'ok', page }, text: () => page.trimEnd() };
  },
};
