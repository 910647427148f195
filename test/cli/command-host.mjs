// Runs commands one after the other in one process, as `dist/main.js` runs one, or other programs that use the library:
// loading it takes longer than most of them. test/cli/threadkeep.ts starts it and sends each command with its folder,
// environment and input.
import { PassThrough, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { start } from '../../dist/cli/start.js';

let programs = 0;

const exit = process.exit.bind(process);

process.on('message', async ({ program, folder, args, environment, stdin }) => {
  const printed = { stdout: [], stderr: [] };
  const end = (code) =>
    process.send({ code, stdout: Buffer.concat(printed.stdout), stderr: Buffer.concat(printed.stderr) });
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  process.exit = (code) => {
    end(Number(code ?? process.exitCode ?? 0));
    process.once('disconnect', () => exit());
    process.disconnect();
  };
  const input = new PassThrough();
  input.end(stdin);
  replace('stdin', input);
  for (const name of ['stdout', 'stderr']) replace(name, collector(printed[name]));
  end(program.endsWith('/dist/main.js') ? await start(args) : await load(program));
});

process.on('disconnect', () => exit());

/** Each time anew, unlike what it imports. */
async function load(program) {
  try {
    await import(`${pathToFileURL(program)}?${++programs}`);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    return 1;
  }
  return Number(process.exitCode ?? 0);
}

function replace(name, value) {
  Object.defineProperty(process, name, { configurable: true, value });
}

function collector(parts) {
  return new Writable({
    decodeStrings: true,
    write(part, _encoding, written) {
      parts.push(part);
      written();
    },
  });
}
