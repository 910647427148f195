import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How a command finds the server of its data folder. Only the folder's owner can read the file, and the owner could
 * open the stores directly, so the secret in it grants no additional rights.
 */
export interface ServerAddress {
  version: string;
  pid: number;
  /** The public address, for a person to read. */
  url: string;
  /** The local port that accepts commands. */
  port: number;
  secret: string;
  /** A digest of the server's settings as written: a command with the same digest may use this server. */
  settings: string;
  /**
   * A digest of the effective settings: a command with the same one may use the server, too. Older servers write none.
   */
  effectiveSettings?: string;
}

export function addressFile(dataFolder: string): string {
  return join(dataFolder, 'server.json');
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A proof that its sender knows the secret. */
export function proofOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Undefined when the file is missing or malformed. */
export function readAddress(dataFolder: string): ServerAddress | undefined {
  try {
    const found = JSON.parse(readFileSync(addressFile(dataFolder), 'utf8')) as Partial<ServerAddress>;
    const { version, pid, url, port, secret, settings } = found;
    const texts = [version, url, secret, settings].every((text) => typeof text === 'string');
    return texts && Number.isInteger(pid) && Number.isInteger(port) ? (found as ServerAddress) : undefined;
  } catch {
    // No server, or an unreadable file: the command opens the stores directly.
    return undefined;
  }
}

/** Writes the file atomically, and never readable by other users, not even for a moment. */
export function writeAddress(dataFolder: string, address: ServerAddress): void {
  const file = addressFile(dataFolder);
  const draft = `${file}.${address.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(address)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** Removes only our own file: another server of the same folder may have replaced it since. */
export function removeAddress(dataFolder: string, { secret }: ServerAddress): void {
  if (readAddress(dataFolder)?.secret === secret) rmSync(addressFile(dataFolder), { force: true });
}
