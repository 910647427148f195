import type { ServerContext } from '@modelcontextprotocol/server';

/** From the chattiest to the gravest, as the protocol orders them. */
export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type ClientLogLevel = (typeof logLevels)[number];

const logger = 'threadkeep';

/**
 * Log messages for a client that asked for them, by `logging/setLevel` in a session or with the request in the stateless
 * era; others are not disturbed. A client that is gone does not make a call fail.
 */
export function createClientLog() {
  let wanted: ClientLogLevel | undefined;
  return {
    setLevel(level: ClientLogLevel): void {
      wanted = level;
    },

    async tell({ mcpReq }: ServerContext, level: ClientLogLevel, data: object): Promise<void> {
      if (mcpReq.envelope !== undefined) return mcpReq.log(level, data, logger).catch(() => undefined);
      if (wanted === undefined || logLevels.indexOf(level) < logLevels.indexOf(wanted)) return;
      const message = { method: 'notifications/message', params: { level, logger, data } };
      await mcpReq.notify(message).catch(() => undefined);
    },
  };
}
