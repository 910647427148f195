#!/usr/bin/env node
import { exitCodes } from './cli/exit.js';
import { start } from './cli/start.js';

// A reader such as `head` closes the pipe once it has enough: that ends the command and is not a failure. When nothing can
// be printed any more, as on a full disk, the command ends too.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`error: Standard output cannot be written (${error.code ?? error.message})\n`);
  process.exit(exitCodes.input);
});

process.exitCode = await start(process.argv.slice(2));

// A command that is over ends: what a store that does not answer still holds open does not keep it. Whatever is not
// written yet is waited for.
const linger = 500;
setTimeout(() => process.stdout.write('', () => process.exit()), linger).unref();
