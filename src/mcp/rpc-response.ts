/** The codes of JSON-RPC that a request gets before any method is looked at. */
export const rpcCodes = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602, refused: -32_000 };

/** A fault of the transport: an HTTP status with a JSON-RPC error that belongs to no request. */
export function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, headers = {} }: { id?: string | number | null; headers?: Record<string, string> } = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status, headers });
}
