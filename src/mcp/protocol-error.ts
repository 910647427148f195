import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isOurFault, MemoryError } from '../model/errors.js';

/** A fault of the protocol, not of a tool: malformed parameters, an unknown name, a bad cursor. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * What resources, prompts and completion answer when an operation refuses. Tools never come here: their failures are
 * envelopes. What was not foreseen becomes a fixed sentence; its own words may hold anything.
 */
export function protocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof MemoryError)) return new ProtocolError(ProtocolErrorCode.InternalError, unforeseen);
  const code = isOurFault(error) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, { error_code: error.code });
}

/** A fault of the protocol is the client's. */
export function isForTheLog(error: unknown): boolean {
  return !(error instanceof ProtocolError) && isOurFault(error);
}

const unforeseen = 'Something went wrong on our side; the log has the details';
