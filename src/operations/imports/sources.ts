import { createHash } from 'node:crypto';
import type { Found, Importer, ReadOptions, SourceFile } from '../../importers/contract.js';
import { filesAt, foundIn } from '../../importers/reading/files.js';
import { formatsAt, textHeadOf } from '../../importers/table.js';
import { beginsLikeTranscript } from '../../ingestion/transcript.js';

/** A source of an import: the files of one format at a path. */
export interface ImportSource {
  importer: Importer;
  path: string;
  /** The path to show in messages, if it differs. */
  shown?: string;
}

interface Reading {
  options?: ReadOptions;
  /** Suggests the right format if nothing was found, as a command to type. */
  suggests?: boolean;
  /** Called with the number of bytes read so far, of all files together. */
  onBytes?: ((done: number) => void) | undefined;
}

/** The contents of all sources, one after the other. */
export async function* foundAt(
  sources: readonly ImportSource[],
  { options = {}, suggests = false, onBytes }: Reading = {},
): AsyncGenerator<Found> {
  let finished = 0;
  for (const { importer, path, shown = path } of sources) {
    let any = false;
    let files = 0;
    // The reason why nothing was found is not reported if the file is of another format.
    const held: Found[] = [];
    for await (const file of filesAt(path, importer, shown)) {
      files += 1;
      const counted = onBytes === undefined ? file : counting(file, (done) => onBytes(finished + done));
      for await (const found of foundIn(importer, counted, options)) {
        any ||= found.kind === 'conversation';
        const isHeld = suggests && !any && isMereReason(found) && held.length < mostHeld;
        if (isHeld) held.push(found);
        else yield* [...held.splice(0), found];
      }
      finished += file.size ?? 0;
      onBytes?.(finished);
    }
    if (!suggests) continue;
    const other = any || path === '-' ? undefined : await otherFormat(path, importer);
    if (other !== undefined) yield { kind: 'skipped', place: shown, reason: other };
    else if (files > 0) yield* held;
    else yield { kind: 'skipped', place: shown, reason: `it contains no ${importer.label} file` };
  }
}

const mostHeld = 100;

/** A reason without messages that must be accounted for. */
function isMereReason(found: Found): boolean {
  return found.kind === 'skipped' && found.leftOut === undefined;
}

/** Detects the actual format of an export in which nothing was found. */
async function otherFormat(path: string, importer: Importer): Promise<string | undefined> {
  const [right] = (await formatsAt(path)).filter(({ name }) => name !== 'json');
  if (right === importer) return undefined;
  if (right !== undefined) return `this is a ${right.label} export; run \`threadkeep import ${right.name}\``;
  return (await isPastedTranscript(path)) ? 'this is a pasted transcript; run `threadkeep import manual`' : undefined;
}

/** Whether a file contains a conversation copied from a web page: that is not an export, and has its own command. */
export async function isPastedTranscript(path: string): Promise<boolean> {
  return beginsLikeTranscript((await textHeadOf(path)) ?? '');
}

/** Bytes are the only total that is known before the files are parsed. */
function counting(file: SourceFile, onBytes: (done: number) => void): SourceFile {
  return {
    ...file,
    async *read() {
      let done = 0;
      for await (const part of file.read()) {
        done += part.length;
        onBytes(done);
        yield part;
      }
    },
  };
}

/** The size of the files, and a digest that changes when a file is added, removed or changed. Reads no file. */
export async function surveyed(sources: readonly ImportSource[]): Promise<{ bytes: number; digest: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  for (const { importer, path, shown } of sources) {
    digest.update(JSON.stringify([importer.name, path]));
    for await (const file of filesAt(path, importer, shown)) {
      bytes += file.size ?? 0;
      digest.update(JSON.stringify([file.path, file.size, file.changedAt]));
    }
  }
  return { bytes, digest: digest.digest('hex') };
}
