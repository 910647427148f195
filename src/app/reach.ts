import { connect } from 'node:net';

export interface Address {
  host: string;
  port: number;
}

const PATIENCE_MILLISECONDS = 5_000;

/** The services that have a place of their own, by the settings that say where. */
const standardPorts: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
  'mongodb:': 27_017,
};

/**
 * Where a provider's settings point to. Absent where that takes more than reading them: a service behind a vendor's
 * name, a list of hosts, a name that is looked up as a service.
 */
export function addressOf(settings: Record<string, unknown>): Address | undefined {
  const text = settings.url ?? settings.uri;
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { hostname, port, protocol } = new URL(text);
  const standard = standardPorts[protocol];
  if (hostname === '' || standard === undefined) return undefined;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || standard };
}

/** Opens a connection and closes it: somebody listens there. */
export function reach({ host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: PATIENCE_MILLISECONDS });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => {
      socket.destroy();
      reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    });
    socket.once('error', reject);
  });
}
