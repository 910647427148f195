#!/usr/bin/env node
import { exitCodes } from './cli/exit.js';
import { start } from './cli/start.js';

// A reader such as `head` closes the pipe once it has enough; this ends the command and is not a failure. If output
// can no longer be written, as on a full disk, the command fails.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`error: Standard output cannot be written (${error.code ?? error.message})\n`);
  process.exit(exitCodes.input);
});

process.exitCode = await start(process.argv.slice(2));

// Ends a finished command even if a store that does not respond still holds a connection open, once all output is
// written.
const linger = 500;
setTimeout(() => process.stdout.write('', () => process.exit()), linger).unref();
