import module from 'node:module';
import { join } from 'node:path';
import { exitCodes } from './exit.js';

/**
 * Runs one command line and returns its exit code. `--version` and a hook are answered without loading anything else:
 * each file costs a millisecond or more at start-up.
 */
export async function start(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    const { version } = await import('../app/version.js');
    process.stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  if (isHandOver(argv)) return handOver(argv);
  // The cache that uninstall removes would be written again at exit.
  if (!argv.includes('uninstall')) await keepCompiledCode();
  const { runCli } = (await import(bundle.href)) as typeof import('./run.js');
  return runCli(argv);
}

/** `run.js` with what it imports, in a few files; scripts/bundle.mjs writes it. */
const bundle = new URL('../bundle/run.js', import.meta.url);

/** Enables Node's compile cache (Node 22 and later). If it cannot be written, only start-up time is lost. */
async function keepCompiledCode(): Promise<void> {
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache === undefined) return;
  const { userFolders } = await import('../config/places.js');
  enableCompileCache(join(userFolders().cache, 'compiled'));
}

/** Far larger than any hook input. */
const mostSent = 1_000_000;

/**
 * Whether this is a hook call that prints nothing: `import <format> --hook --quiet …`. Programs wait for their hooks,
 * so it only passes the session's path to a detached process and loads nothing slow. That process has the path after
 * `--`.
 */
export function isHandOver(argv: readonly string[]): boolean {
  const [verb, format = ''] = argv;
  const isHook = ['--hook', '--quiet'].every((flag) => argv.includes(flag)) && !argv.includes('--');
  return verb === 'import' && /^[a-z]+(-[a-z]+)*$/.test(format) && isHook;
}

async function handOver(argv: readonly string[]): Promise<number> {
  const path = transcriptIn(await sentText());
  // Null when the program writes no session file.
  if (path === null) return exitCodes.ok;
  if (path === undefined) {
    process.stderr.write('error: The hook sent no transcript_path\n');
    return exitCodes.input;
  }
  const { args, environment } = importCall(argv, path);
  const [verb = '', format = '', ...rest] = args;
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [process.argv[1] ?? '', verb, format, '--hook', ...rest], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...process.env, ...environment },
  });
  child.unref();
  return exitCodes.ok;
}

/**
 * The same call with the session's path added. A token goes into the environment, where other users of the machine
 * cannot see it.
 */
export function importCall(
  argv: readonly string[],
  path: string,
): { args: string[]; environment: Record<string, string> } {
  const [verb = '', format = '', ...options] = argv;
  const environment: Record<string, string> = {};
  const given: string[] = [];
  for (let at = 0; at < options.length; at++) {
    const option = options[at] ?? '';
    const token = option === '--token' ? options[++at] : /^--token=(.*)$/s.exec(option)?.[1];
    if (token !== undefined) environment.THREADKEEP_TOKEN = token;
    else if (option !== '--hook') given.push(option);
  }
  // `--` keeps a path that starts with a dash from being read as an option.
  return { args: [verb, format, ...given, '--', path], environment };
}

function transcriptIn(sent: string): string | null | undefined {
  try {
    const { transcript_path: path } = JSON.parse(sent) as { transcript_path?: unknown };
    return path === null || typeof path === 'string' ? path : undefined;
  } catch {
    // The parser's message would quote the input.
    return undefined;
  }
}

async function sentText(): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    size += (part as Buffer).length;
    if (size > mostSent) return '';
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}
