// How much room a folder takes on disk, now and at its most while something is written to it.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of all files below the folder. Files that are removed meanwhile count for nothing. */
export function bytesIn(folder) {
  return entriesOf(folder).reduce((sum, entry) => sum + sizeOf(folder, entry), 0);
}

/** Looks at the folder every second until `stop`, which answers the most it held. */
export function watchBytes(folder) {
  let most = bytesIn(folder);
  const look = () => {
    most = Math.max(most, bytesIn(folder));
  };
  const timer = setInterval(look, 1_000);
  return {
    stop() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}

/** Bytes of what a person said and was told: what the size of a store is compared with. */
export function textBytes(conversations) {
  return conversations.reduce(
    (sum, { messages }) => sum + messages.reduce((all, { text }) => all + Buffer.byteLength(text), 0),
    0,
  );
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function sizeOf(folder, entry) {
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return bytesIn(path);
  try {
    return entry.isFile() ? statSync(path).size : 0;
  } catch {
    return 0;
  }
}
