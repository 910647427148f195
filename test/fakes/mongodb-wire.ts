import { type AddressInfo, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

export const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };

/** MongoDB's wire protocol: every command is answered as `answer` says, and whatever it throws is a complaint. */
export async function serveMongo(answer: (command: Document, port: number) => Document) {
  const complaints: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= 16 && received.length >= received.readInt32LE(0)) {
        const message = received.subarray(0, received.readInt32LE(0));
        received = received.subarray(message.length);
        socket.write(reply(message.readInt32LE(4), message.readInt32LE(12), guarded(commandOf(message))));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    complaints,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function guarded(command: Document): Document {
    try {
      return { ok: 1, ...answer(command, port) };
    } catch (error) {
      complaints.push(`${Object.keys(command)[0]}: ${String(error)}`);
      return { ok: 0, code: 59, errmsg: 'the stand-in does not know this command' };
    }
  }
}

/** A whole answer, without a second page. */
export function cursor(firstBatch: Document[]): Document {
  return { cursor: { id: BSON.Long.ZERO, ns: 'threadkeep.vectors', firstBatch } };
}

/** A message has a body and perhaps sequences of documents, or is the older query with which a client says hello. */
function commandOf(message: Buffer): Document {
  const options = { promoteBuffers: false };
  if (message.readInt32LE(12) === 2004) {
    const start = message.indexOf(0, 20) + 1 + 8;
    return BSON.deserialize(message.subarray(start, start + message.readInt32LE(start)), options);
  }
  let command: Document = {};
  for (let at = 20; at < message.length; ) {
    const size = message.readInt32LE(at + 1);
    if (message[at] === 0)
      command = { ...BSON.deserialize(message.subarray(at + 1, at + 1 + size), options), ...command };
    else {
      const nameEnd = message.indexOf(0, at + 5);
      const documents: Document[] = [];
      for (let next = nameEnd + 1; next < at + 1 + size; next += message.readInt32LE(next)) {
        documents.push(BSON.deserialize(message.subarray(next, next + message.readInt32LE(next)), options));
      }
      command = { ...command, [message.toString('utf8', at + 5, nameEnd)]: documents };
    }
    at += 1 + size;
  }
  return command;
}

function reply(to: number, kind: number, document: Document): Buffer {
  const body = Buffer.from(BSON.serialize(document));
  const old = kind === 2004;
  const header = Buffer.alloc(old ? 36 : 21);
  header.writeInt32LE(header.length + body.length, 0);
  header.writeInt32LE(to, 8);
  header.writeInt32LE(old ? 1 : 2013, 12);
  if (old) header.writeInt32LE(1, 32);
  return Buffer.concat([header, body]);
}
