import { createAudit } from '../auth/audit.js';
import { bearerCallers, type Callers, createTokenUse, everyoneIsLocal } from '../auth/callers.js';
import { createRights, type Rights } from '../auth/rights.js';
import type { Administration } from '../auth/users.js';
import type { Config } from '../config/schema.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import { outsideRequests } from '../observability/request-context.js';
import { openRecords, type Records } from '../records/open.js';
import { openMetadata } from './open-metadata.js';

export interface OpenedCallers {
  /** Authenticates requests to the adapters according to `api.auth`. */
  callers: Callers;
  /** Authenticates our own tokens regardless of `api.auth`, for commands that are given one. */
  tokens: Callers;
  rights: Rights;
  administration: Administration;
  /** Writes what is still buffered. */
  flush(): Promise<void>;
}

interface CallersParts {
  config: Config;
  records: Pick<Records, 'accounts' | 'audit'>;
  observer: Observer;
  now: () => string;
}

/** Retention of the audit log. */
const kept = 400 * 86_400_000;

export function openCallers({ config, records, observer, now }: CallersParts): OpenedCallers {
  const { accounts } = records;
  const audit = createAudit({ records: records.audit, observer, now, later: after(5_000) });
  const use = createTokenUse({ accounts, audit, observer, now, later: after(1_000) });
  const rights = createRights(accounts);
  const tokens = bearerCallers({ rights, use, audit, now });
  return {
    callers: config.api.auth === 'none' ? everyoneIsLocal : tokens,
    tokens,
    rights,
    administration: { accounts, audit, now },
    async flush() {
      await use.flush();
      await audit.flush();
    },
  };
}

/** Removes old security events when a server starts. */
export async function trimAudit({ audit }: Pick<Records, 'audit'>, now: string): Promise<void> {
  await audit.removeBefore(new Date(Date.parse(now) - kept).toISOString());
}

function after(milliseconds: number): (run: () => void) => () => void {
  return (run) => {
    const timer = setTimeout(() => outsideRequests(run), milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  };
}

/**
 * Opens only the metadata store, which is all that accounts need: no model, no vectors, no effect on a running server.
 */
export async function withAdministration<T>(
  { config, observer, changes }: { config: Config; observer: Observer; changes: boolean },
  run: (administration: Administration) => Promise<T>,
): Promise<T> {
  if (changes && config.storage.dryRun) {
    // A dry run would print a token that does not exist.
    throw new MemoryError('invalid_input', 'Accounts cannot be changed in a dry run: storage.dry_run is on');
  }
  const metadata = await openMetadata(config, observer);
  try {
    const now = (): string => new Date().toISOString();
    const opened = openCallers({ config, records: openRecords(metadata, now), observer, now });
    const result = await run(opened.administration);
    await opened.flush();
    return result;
  } finally {
    await metadata.close();
  }
}
