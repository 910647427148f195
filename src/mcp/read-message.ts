import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';
import { isObject } from '../model/json.js';
import { rpcCodes, rpcError } from './rpc-response.js';

/** One JSON-RPC message, or the refusal to answer with. */
export async function readMessage(request: Request, maxBytes: number): Promise<Record<string, unknown> | Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return rpcError(415, rpcCodes.refused, 'Send JSON with the header Content-Type: application/json');
  }
  let body: Awaited<ReturnType<typeof readRequestBody>>;
  try {
    body = await readRequestBody(request, maxBytes);
  } catch {
    // The client hung up: nobody reads this answer.
    return rpcError(400, rpcCodes.parseError, 'The body was not received whole');
  }
  if (body.tooLarge) {
    // The rest is not read, so the connection cannot be used again.
    const headers = { connection: 'close' };
    return rpcError(413, rpcCodes.refused, `The body is larger than ${maxBytes} bytes`, { headers });
  }
  let message: unknown;
  try {
    message = JSON.parse(body.text);
  } catch {
    // The parser's own message quotes the text around the fault, which may be private.
    return rpcError(400, rpcCodes.parseError, 'The body is not valid JSON');
  }
  if (Array.isArray(message)) return rpcError(400, rpcCodes.invalidRequest, 'Send one message a request, not a batch');
  const isMessage = isObject(message) && message.jsonrpc === '2.0';
  return isMessage ? (message as Record<string, unknown>) : rpcError(400, rpcCodes.invalidRequest, notAMessage);
}

const notAMessage = 'The body is not a JSON-RPC 2.0 message';
