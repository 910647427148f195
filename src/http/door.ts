import type { Callers } from '../auth/callers.js';
import type { Observer } from '../observability/observer.js';
import type { Service } from '../operations/service.js';

/** What the HTTP door is given. It decides nothing: it translates. */
export interface DoorParts {
  service: Service;
  callers: Callers;
  observer: Observer;
  version: string;
  settings: {
    /** `/memory/*` exists. */
    api: boolean;
    corsOrigins: readonly string[];
    requestIdHeader: string;
    accessLogs: boolean;
    maxBodyBytes: number;
    /** Log what was sent, for finding a fault: the one setting that puts text into the log. */
    debugPayloads: boolean;
    /** Bound to this machine alone: Host and Origin are then checked. */
    loopback: boolean;
  };
  /** Bodies of the three status pages. */
  health: () => object;
  ready: () => Promise<{ status: 'ok' | 'unavailable' }>;
  observability: () => object;
}
