#!/usr/bin/env node
// Firefox as Playwright can drive it. Playwright speaks WebDriver BiDi with a stock Firefox, but asks every page for a colour
// scheme with a command that release versions do not know, and gives up. This starts Firefox with the arguments it is given
// and stands between the two: that one command becomes one that Firefox knows and that changes nothing.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The Firefox of the system; undefined when there is none. */
export function findFirefox() {
  return ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);
}

const unknownCommand = 'emulation.setMediaFeaturesOverride';
const harmlessCommand = 'session.status';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = spawn(findFirefox(), process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => browser.kill(signal));
  browser.on('exit', (code) => process.exit(code ?? 1));
  browser.stderr.setEncoding('utf8').on('data', async (text) => {
    const port = /WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    process.stderr.write(port === undefined ? text : text.replace(`:${port}`, `:${await between(Number(port))}`));
  });
}

/** Listens on a port of its own and passes everything on. Returns that port. */
function between(port) {
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    const rewrite = rewriter(port);
    client.on('data', (bytes) => {
      for (const part of rewrite(bytes)) target.write(part);
    });
    target.on('data', (bytes) => client.write(bytes));
    client.on('close', () => target.end()).on('error', () => target.destroy());
    target.on('close', () => client.end()).on('error', () => client.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      server.unref();
      resolve(server.address().port);
    });
  });
}

/** Takes what the client sends, the handshake first, and gives what Firefox is to get. */
function rewriter(port) {
  let waiting = Buffer.alloc(0);
  let isOpen = false;
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    const parts = [];
    if (!isOpen) {
      const end = waiting.indexOf('\r\n\r\n');
      if (end === -1) return parts;
      const head = waiting.subarray(0, end + 4).toString('latin1');
      // Compressed frames could not be read here.
      parts.push(
        Buffer.from(
          head.replace(/^Host:.*$/im, `Host: 127.0.0.1:${port}`).replace(/^Sec-WebSocket-Extensions:.*\r\n/im, ''),
          'latin1',
        ),
      );
      waiting = waiting.subarray(end + 4);
      isOpen = true;
    }
    for (let frame = frameIn(waiting); frame !== undefined; frame = frameIn(waiting)) {
      waiting = waiting.subarray(frame.whole.length);
      const text = frame.isText ? frame.payload.toString() : '';
      parts.push(text.includes(unknownCommand) ? maskedFrame(harmless(text)) : frame.whole);
    }
    return parts;
  };
}

function harmless(text) {
  const message = JSON.parse(text);
  return message.method === unknownCommand ? JSON.stringify({ ...message, method: harmlessCommand, params: {} }) : text;
}

/** The first frame of RFC 6455, if it is whole. Clients mask what they send. */
function frameIn(bytes) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extended + 4;
  if (bytes.length < start) return undefined;
  const length = extended === 0 ? short : extended === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return undefined;
  const own = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let at = 0; at < payload.length; at++) payload[at] ^= own[at % 4];
  return { whole: bytes.subarray(0, start + length), payload, isText: bytes[0] === 0x81 };
}

const mask = Buffer.from([1, 2, 3, 4]);

/** A text frame. Firefox drops the connection for a mask of zeros. */
function maskedFrame(text) {
  const payload = Buffer.from(text);
  const head = payload.length < 126 ? Buffer.from([0x81, 0x80 | payload.length]) : Buffer.from([0x81, 0xfe, 0, 0]);
  if (payload.length >= 126) head.writeUInt16BE(payload.length, 2);
  for (let at = 0; at < payload.length; at++) payload[at] ^= mask[at % 4];
  return Buffer.concat([head, mask, payload]);
}
