import type { Command } from '../command.js';

/** The table of all commands holds this one too, so it is asked for when the command runs. */
export const manOf = (commands: () => readonly Command[]): Command => ({
  name: 'man',
  operator: true,
  summary: 'Print the manual page',
  examples: ['threadkeep man | man -l -', 'threadkeep man > ~/.local/share/man/man1/threadkeep.1'],
  async run() {
    const { manPage } = await import('../man-page.js');
    const page = manPage(commands());
    return { json: { status: 'ok', page }, text: () => page.trimEnd() };
  },
});
