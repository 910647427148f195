import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * How a command finds the server of its data folder. The file can be read by the owner of the folder alone, who could
 * open the stores as well: whoever knows the secret in it has the rights of direct access and no others.
 */
export interface ServerAddress {
  version: string;
  pid: number;
  /** The public address, for a person to read. */
  url: string;
  /** Where commands are taken, on this machine. */
  port: number;
  secret: string;
  /** Made from the settings of the server: a command with other settings must not be answered by it. */
  settings: string;
}

export function addressFile(dataFolder: string): string {
  return join(dataFolder, 'server.json');
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What only those can make who know the secret. */
export function proofOf(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Undefined when there is none, or none of the expected form. */
export function readAddress(dataFolder: string): ServerAddress | undefined {
  try {
    const found = JSON.parse(readFileSync(addressFile(dataFolder), 'utf8')) as Partial<ServerAddress>;
    const { version, pid, url, port, secret, settings } = found;
    const texts = [version, url, secret, settings].every((text) => typeof text === 'string');
    return texts && Number.isInteger(pid) && Number.isInteger(port) ? (found as ServerAddress) : undefined;
  } catch {
    // No server, or a file that says nothing: the stores are opened directly.
    return undefined;
  }
}

/** Whole or not at all, and never readable by others, not for a moment. */
export function writeAddress(dataFolder: string, address: ServerAddress): void {
  const file = addressFile(dataFolder);
  const draft = `${file}.${address.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(address)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** Another server of the same folder may have put its own there since. */
export function removeAddress(dataFolder: string, { secret }: ServerAddress): void {
  if (readAddress(dataFolder)?.secret === secret) rmSync(addressFile(dataFolder), { force: true });
}
