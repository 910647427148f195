import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** What the revisions with sessions call a resource that does not exist; the stateless one has -32602 for it. */
const resourceNotFound = -32002;
const invalidParams = -32602;

/**
 * Lets a missing resource answer with the code of the revision that was negotiated. The SDK writes the newest revision's
 * code whatever was agreed on, so the answer is changed on its way out.
 */
export function withResourceCode<Sent extends Transport>(transport: Sent, hasSessions: () => boolean): Sent {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(hasSessions() ? inSessionTerms(message) : message, options);
  return transport;
}

function inSessionTerms(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== invalidParams) return message;
  const { data } = message.error;
  // The SDK's mark of a missing resource: its address and nothing else.
  const isMissing = typeof data === 'object' && data !== null && Object.keys(data).join() === 'uri';
  return isMissing ? { ...message, error: { ...message.error, code: resourceNotFound } } : message;
}
