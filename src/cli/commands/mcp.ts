import type { Command } from '../command.js';
import { loadConfigFor, tokenGiven } from '../open.js';
import { onStopRequest } from '../signals.js';

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve MCP over standard input and output, for a client that starts it',
  examples: ['threadkeep mcp', 'threadkeep mcp --config /home/me/threadkeep/config.yaml', 'threadkeep connect cursor'],
  async run(invocation) {
    const flags = invocation.shared.verbose ? ({ observability: { log_level: 'debug' } } as const) : {};
    const { config } = await loadConfigFor(invocation, flags);
    const { serveOnStdio } = await import('../../app/serve-stdio.js');
    const stop = onStopRequest();
    const token = tokenGiven(invocation);
    await serveOnStdio(config, { input: process.stdin, output: process.stdout, stop: stop.signal, token });
    // Standard input may still be open after a signal, and would keep the process.
    process.stdin.destroy();
    // Nothing is printed: standard output belongs to the protocol.
    return undefined;
  },
};
