/**
 * A disk as a careful reading of the standards allows it. What was written is certain only once its file was synced, and a
 * name only once its folder was: until then each write may have arrived, or not, or in part, in any order.
 */

/** @typedef {{ serial: number, kind: 'write' | 'truncate', offset: number, data: Buffer }} Pending */

export const sector = 512;
export const page = 4096;

export function createDisk() {
  /** What the names mean now, and what they mean at the least after a power cut. */
  const entries = new Map();
  let durableEntries = new Map();
  /** Folders whose own name is not certain yet: what lies in one can be lost with it. */
  const looseFolders = new Set();
  let serial = 0;
  /** Counts syncs that made something certain: two moments with the same number differ in pending changes alone. */
  let epoch = 0;

  function apply({ kind, name, offset, data }) {
    switch (kind) {
      case 'create':
        entries.set(name, { serial: serial++, durable: Buffer.alloc(0), pending: [] });
        break;
      case 'write':
      case 'truncate':
        fileAt(name).pending.push({ serial: serial++, kind, offset, data });
        break;
      case 'sync':
        settle(fileAt(name));
        break;
      case 'unlink':
        entries.delete(name);
        break;
      case 'rename':
        entries.set(data.toString(), fileAt(name));
        entries.delete(name);
        break;
      case 'make-folder':
        looseFolders.add(name);
        break;
      case 'sync-folder':
        settleFolder(name.replace(/\/$/, ''));
        break;
    }
  }

  function fileAt(name) {
    const file = entries.get(name);
    if (file === undefined) throw new Error(`the recording uses ${name} before it was made`);
    return file;
  }

  function settle(file) {
    if (file.pending.length === 0) return;
    file.durable = contentOf(file.durable, file.pending);
    file.pending = [];
    epoch++;
  }

  function settleFolder(folder) {
    for (const loose of looseFolders) if (parentOf(loose) === folder) looseFolders.delete(loose);
    const others = (map, inside) => [...map].filter(([name]) => (parentOf(name) === folder) === inside);
    durableEntries = new Map([...others(durableEntries, false), ...others(entries, true)]);
    epoch++;
  }

  function withoutLoose(map) {
    return new Map([...map].filter(([name]) => ![...looseFolders].some((folder) => name.startsWith(`${folder}/`))));
  }

  return {
    apply,
    epoch: () => epoch,
    /** Everything that was written, as a process sees it that starts after a kill. */
    current: () => [...entries].map(([name, file]) => ({ name, content: contentOf(file.durable, file.pending) })),
    /** Names of now and names that are certain, with their files: what a power cut can choose from. */
    names: () => ({ now: entries, certain: withoutLoose(durableEntries) }),
  };
}

/**
 * @param {Pending[]} pending
 * @param {(change: Pending) => ('all' | 'none' | boolean[])} arrived which of its sectors reached the disk
 * @param {number} unwritten the byte that is read where a file grew and nothing arrived
 */
export function contentOf(durable, pending, arrived = () => 'all', unwritten = 0) {
  const most = pending.reduce((size, { offset, data }) => Math.max(size, offset + data.length), durable.length);
  const bytes = Buffer.alloc(most);
  let size = durable.copy(bytes);
  const grow = (to) => {
    if (to > size) bytes.fill(unwritten, size, to);
    size = Math.max(size, to);
  };
  for (const change of pending) {
    const part = arrived(change);
    if (part === 'none') continue;
    grow(change.offset + change.data.length);
    if (change.kind === 'truncate') size = change.offset;
    else if (part === 'all') change.data.copy(bytes, change.offset);
    else copySectors(bytes, change, part);
  }
  return bytes.subarray(0, size);
}

/** The sectors of the file that a write touches, the first and last of them perhaps in part. */
export function sectorsOf({ offset, data }) {
  return Math.max(1, Math.ceil((offset + data.length) / sector) - Math.floor(offset / sector));
}

function copySectors(bytes, { offset, data }, arrived) {
  const first = Math.floor(offset / sector);
  for (const [index, there] of arrived.entries()) {
    if (!there) continue;
    const from = Math.max(offset, (first + index) * sector);
    const to = Math.min(offset + data.length, (first + index + 1) * sector);
    data.copy(bytes, from, from - offset, to - offset);
  }
}

function parentOf(name) {
  const at = name.lastIndexOf('/');
  return at < 0 ? '' : name.slice(0, at);
}
