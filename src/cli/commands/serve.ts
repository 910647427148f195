import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Serving } from '../../app/serve.js';
import type { Config, ConfigInput } from '../../config/schema.js';
import { StartupError } from '../../model/errors.js';
import type { Command } from '../command.js';
import { exitCodes, onStopRequest } from '../exit.js';
import { loadConfigFor, tokenGiven } from '../open.js';
import { columns, type Style } from '../terminal.js';

export const serve: Command<{ host?: string; port?: number; watch?: boolean }> = {
  name: 'serve',
  operator: true,
  summary: 'Start the server',
  options: [
    { flags: '--host <address>', text: 'The address to listen on (default: api.host, 127.0.0.1)' },
    {
      flags: '--port <n>',
      text: 'The port to listen on; 0 takes any free one (default: api.port, 8000)',
      kind: 'number',
    },
    { flags: '--watch', text: 'Also follow the assistants on this machine, as `threadkeep watch` does' },
  ],
  examples: [
    'threadkeep serve',
    'threadkeep serve --port 9000',
    'threadkeep serve --watch',
    'threadkeep serve --config work.yaml --verbose',
  ],
  async run(invocation) {
    const { options, shared, print } = invocation;
    const { config, source, places, sourceOf } = await loadConfigFor(invocation, flagsOf(options, shared.verbose));
    const [app, { settingsText }, { placesHere }] = await Promise.all([
      import('../../app/serve.js'),
      import('../../config/places.js'),
      import('./import.js'),
    ]);
    const watched = options.watch === true ? placesHere : undefined;
    const stop = onStopRequest();
    endOnUnhandled(config);
    const text = source.file === undefined ? undefined : await readFile(source.file, 'utf8');
    const settings = settingsText({
      file: source.file,
      text,
      isUsers: places.config?.rule === 'user',
      cwd: process.cwd(),
      environment: process.env,
    });
    const serving = await app
      .serve(config, {}, { settings, sourceOf, configFile: source.file, watched })
      .catch(withAnotherPort(config));
    const { url, mode } = serving;
    print({ json: { status: 'ok', url, mode }, text: (style) => welcome(serving, config, style) });
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    await serving.close();
    return undefined;
  },
};

/** Suggests a command the user can type, however the server was started. */
function withAnotherPort({ api }: Config): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StartupError) || error.code !== 'address_in_use') throw error;
    const other = api.port < 65_535 ? api.port + 1 : 0;
    const hint = `Run threadkeep where to see whether it is yours. Another port: threadkeep serve --port ${other}`;
    throw new StartupError('address_in_use', error.message, { hint, cause: error.cause });
  };
}

function flagsOf({ host, port }: { host?: string; port?: number }, verbose: boolean): ConfigInput {
  return {
    api: { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) },
    ...(verbose ? { observability: { log_level: 'debug' } } : {}),
  };
}

/**
 * After an uncaught error the state is unknown: the error is logged and the process exits. Every answered write is
 * already on disk.
 */
function endOnUnhandled(config: Config): void {
  async function end(error: unknown): Promise<void> {
    const { openObserver } = await import('../../app/observer.js');
    const { observer, close } = openObserver(config, { toFile: true });
    observer.log('error', 'unhandled_error', {}, error);
    await close();
    process.exit(exitCodes.service);
  }
  process.once('uncaughtException', end);
  process.once('unhandledRejection', end);
}

function welcome({ url, mode }: Serving, config: Config, style: Style): string {
  const facts = columns(
    [
      ['data', config.paths.dataDir],
      ['logs', config.paths.logsDir],
      ['docs', `${url}/docs`],
      ['connect', connects(config) ? `${config.api.publicBaseUrl ?? url}/connect` : undefined],
      ['mcp', config.interfaces.mcp ? `${url}/mcp (threadkeep connect shows how)` : undefined],
      ['mode', mode === 'ok' ? undefined : `${mode}: see ${url}/health`],
    ],
    style,
  );
  const token = config.api.auth === 'none' ? '' : ` -H "Authorization: Bearer $TOKEN"`;
  const json = `-H 'Content-Type: application/json'${token}`;
  const attempt = `Try it:
  curl ${url}/memory/insert ${json} \\
    -d '{"messages": [{"role": "user", "text": "My bicycle is blue."}]}'
  curl ${url}/memory/search ${json} -d '{"query": "bicycle"}'`;
  const parts = [`${style.strong('Threadkeep')} is listening on ${style.strong(url)}`, facts];
  return [...parts, ...(config.interfaces.api ? [attempt] : []), 'Press Ctrl+C to stop.'].join('\n\n');
}

function connects({ api }: Config): boolean {
  return api.auth === 'oauth_resource_server' && api.connect.enabled;
}

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve MCP over standard input and output, for a client that starts it',
  examples: ['threadkeep mcp', 'threadkeep mcp --config /home/me/threadkeep/config.yaml', 'threadkeep connect cursor'],
  async run(invocation) {
    const flags = invocation.shared.verbose ? ({ observability: { log_level: 'debug' } } as const) : {};
    const { config } = await loadConfigFor(invocation, flags);
    const { serveOnStdio } = await import('../../app/mcp.js');
    const stop = onStopRequest();
    const token = tokenGiven(invocation);
    await serveOnStdio(config, { input: process.stdin, output: process.stdout, stop: stop.signal, token });
    // Standard input may still be open after a signal and would keep the process alive.
    process.stdin.destroy();
    // Prints nothing: standard output belongs to the protocol.
    return undefined;
  },
};
