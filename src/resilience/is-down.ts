/** Codes of Node and of undici for a connection that does not come about or breaks. */
const network = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOST|ENET|UND_ERR)/;
/** PostgreSQL's classes for connections, resources, an operator's hand, the system and its own bugs. */
const sqlStateDown = /^(08|53|57|58|XX)/;
const sqlState = /^[0-9A-Z]{5}$/;
/** gRPC: deadline exceeded, resource exhausted, internal, unavailable. */
const grpcDown = new Set([4, 8, 13, 14]);
const mongoDown = /^Mongo(Network|ServerSelection|PoolCleared|TopologyClosed|NotConnected|WaitQueue)/;

/**
 * Whether an error of a client library says that the service is down or overloaded. False: it answered, and refused what
 * it was asked, which says nothing against asking it something else. What cannot be told counts as down.
 */
export function isDown(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  const { code, status, statusCode, httpStatus, meta } = error as Error & Record<string, unknown>;
  if (error.name.startsWith('Mongo')) return mongoDown.test(error.name);
  const answered = [status, statusCode, httpStatus, (meta as { statusCode?: unknown } | undefined)?.statusCode].find(
    (each): each is number => typeof each === 'number' && each >= 100,
  );
  if (answered !== undefined) return answered >= 500 || answered === 429 || answered === 408;
  if (typeof code === 'string') {
    if (network.test(code)) return true;
    if (sqlState.test(code)) return sqlStateDown.test(code);
  }
  if (typeof code === 'number' && code > 0 && code <= 16) return grpcDown.has(code);
  return error.cause === undefined || isDown(error.cause);
}
