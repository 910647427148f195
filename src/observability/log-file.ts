import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

const largest = 10 * 1024 * 1024;
const kept = 3;
/** After a failure the file is tried again no sooner than this: a full disk empties, a folder comes back. */
const pauseAfterFailure = 10_000;

export interface LogFile {
  write(line: string): void;
  close(): Promise<void>;
}

/**
 * `<logs_dir>/threadkeep.log`, moved to `.1`, `.2`, `.3` when it has grown. A full disk or a missing right costs log
 * lines, never a request: errors of the stream end it quietly, and a later line tries again. What is new is for its owner
 * alone, as `debug_payloads` writes down what people said; rights that somebody gave to what is there stay.
 */
export function openLogFile(folder: string, now: () => number = () => performance.now()): LogFile {
  const path = join(folder, 'threadkeep.log');
  let stream: WriteStream | undefined;
  let size = 0;
  let triedAt = now();
  let closed = false;

  function open(): WriteStream | undefined {
    triedAt = now();
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size >= largest) rotate();
    } catch {
      // Nothing is lost but log lines: the same ones go to standard error.
      return undefined;
    }
    const opened = createWriteStream(path, { flags: 'a', mode: 0o600 });
    opened.on('error', () => {
      if (stream === opened) stream = undefined;
    });
    return opened;
  }

  function rotate(): void {
    for (let number = kept - 1; number >= 1; number--) move(`${path}.${number}`, `${path}.${number + 1}`);
    move(path, `${path}.1`);
    size = 0;
  }

  stream = open();
  return {
    write(line) {
      if (size >= largest) {
        stream?.end();
        stream = open();
      } else if (stream === undefined && !closed && now() - triedAt >= pauseAfterFailure) stream = open();
      size += Buffer.byteLength(line) + 1;
      stream?.write(`${line}\n`);
    },
    close() {
      const last = stream;
      closed = true;
      stream = undefined;
      return new Promise((resolve) => (last === undefined ? resolve() : last.end(() => resolve())));
    },
  };
}

function move(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}
