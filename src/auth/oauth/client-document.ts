import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { OAuthError } from './error.js';

const longestBytes = 20_000;
const patience = 5_000;

/**
 * Reads the document that a client id points to. The address comes from a stranger, so nothing inside our own network is
 * asked: the name is resolved once and only a public address is connected to. No redirect is followed.
 */
export function fetchClientDocument(url: string, { allowLoopback }: { allowLoopback: boolean }): Promise<unknown> {
  const refuse = (): OAuthError => new OAuthError('invalid_client', 'The document at client_id cannot be read');
  const { protocol, hostname, pathname, hash, username } = new URL(url);
  const local = allowLoopback && ['127.0.0.1', 'localhost'].includes(hostname);
  if ((protocol !== 'https:' && !local) || pathname === '/' || hash !== '' || username !== '') {
    return Promise.reject(refuse());
  }
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && !local) return Promise.reject(refuse());
  return new Promise((done, failed) => {
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const options = {
      headers: { accept: 'application/json' },
      timeout: patience,
      ...(local ? {} : { lookup: publicOnly }),
    };
    // Never with an error: an idle connection would emit it without a listener and end the process.
    const stop = (): void => {
      failed(refuse());
      request.destroy();
    };
    const request = send(url, options, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        failed(refuse());
        return;
      }
      let text = '';
      response.on('error', stop);
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.length > longestBytes) stop();
      });
      response.on('end', () => {
        try {
          done(JSON.parse(text));
        } catch {
          failed(refuse());
        }
      });
    });
    const deadline = setTimeout(stop, patience);
    request.on('timeout', stop);
    request.on('error', stop);
    request.on('close', () => clearTimeout(deadline));
    request.end();
  });
}

const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}

/** IPv6 is taken only from the global unicast range; addresses that carry an IPv4 one inside are not in it, or refused. */
export function isPublic(address: string, family: number): boolean {
  if (family === 4) return !inside.check(address, 'ipv4');
  return /^[23][0-9a-f]{3}:/i.test(address) && !/^(?:2002|2001:0?0?0?0?):/i.test(address);
}

const publicOnly: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const allowed = (addresses ?? []).filter(({ address, family }) => isPublic(address, family));
    const [first] = allowed;
    if (error !== null || first === undefined) callback(error ?? new Error('no public address'), '', 4);
    else if (options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
