import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { errorFaces, MemoryError } from '../model/errors.js';

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
  const ours = errorFaces[error.code].http >= 500;
  const code = ours ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, error.message, { error_code: error.code });
}

export function isUnforeseen(error: unknown): boolean {
  return !(error instanceof ProtocolError || error instanceof MemoryError);
}

const unforeseen = 'Something went wrong on our side; the log has the details';
