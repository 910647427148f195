import { randomUUID } from 'node:crypto';
import type { Principal } from '../model/access.js';
import { MemoryError } from '../model/errors.js';
import type { Observer } from '../observability/observer.js';
import type { AuditRow } from '../records/account-rows.js';
import type { AuditRecords } from '../records/accounts.js';

export interface AuditEvent {
  event: AuditEventName;
  /** The user the event is about. */
  userId?: string | undefined;
  /** The acting user, if different; absent for an operator at the command line. */
  actorId?: string | undefined;
  tokenId?: string | undefined;
  projectId?: string | undefined;
  clientId?: string | undefined;
  /** One of a closed list of words. */
  reason?: string | undefined;
  /** Ids of the affected objects; the first hundred are kept. Never text. */
  targets?: readonly string[] | undefined;
  /** How many objects are affected; default 1. */
  count?: number | undefined;
}

const mostTargets = 100;

export type Audit = ReturnType<typeof createAudit>;

interface AuditParts {
  records: AuditRecords;
  observer: Observer;
  now: () => string;
  /** Schedules the callback shortly; the returned function cancels it. */
  later: (run: () => void) => () => void;
}

/** More kinds of rejection than this at once indicate an attack; the rest are counted together. */
const mostWaiting = 200;

/**
 * The log of security events. An action is written before its caller gets an answer. Rejections can come by the
 * thousand, so they are counted in memory and written in the background, equal ones as one row: rejected requests
 * cannot fill the disk.
 */
export function createAudit({ records, observer, now, later }: AuditParts) {
  const waiting = new Map<string, AuditRow>();
  let callOff: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();
  let made = 0;

  /** Events of the same millisecond keep their order. */
  function row(event: AuditEvent): AuditRow {
    const at = now();
    made += 1;
    return rowOf(event, { at, id: `${at}:${String(made).padStart(9, '0')}:${randomUUID()}` });
  }

  function write(): void {
    callOff?.();
    callOff = undefined;
    const rows = [...waiting.values()];
    waiting.clear();
    if (rows.length === 0) return;
    writing = writing
      .then(() => records.add(rows))
      .catch((error: unknown) => observer.log('warn', 'audit_write_failed', { events: rows.length }, error));
  }

  return {
    async record(event: AuditEvent): Promise<void> {
      await records.add([row(event)]);
      tell(observer, event);
    },

    /** For one-time events: only the first call with this key is written. */
    async recordOnce(key: string, event: AuditEvent): Promise<void> {
      if (await records.addOnce({ ...row(event), id: key })) tell(observer, event);
    },

    count(event: AuditEvent): void {
      const crowded = waiting.size >= mostWaiting;
      const counted: AuditEvent = crowded ? { event: event.event, reason: 'many' } : event;
      const key = JSON.stringify(counted);
      const known = waiting.get(key);
      if (known !== undefined) known.count += 1;
      else waiting.set(key, row(counted));
      callOff ??= later(write);
    },

    newest: records.newest,

    /** Writes the rejections that are still only counted. */
    async flush(): Promise<void> {
      write();
      await writing;
    },
  };
}

/** The acting user and token, for an event about their own action. */
export function doer({ userId, tokenId }: Principal): Pick<AuditEvent, 'userId' | 'tokenId'> {
  return { userId, tokenId };
}

/** An authenticated caller asked for something they may not access. */
export function noteDenial(audit: Audit, { userId, tokenId }: Principal, error: unknown): void {
  if (!(error instanceof MemoryError)) return;
  if (error.code !== 'permission_denied' && error.code !== 'insufficient_scope') return;
  audit.count({ event: 'access_denied', userId, tokenId, reason: error.code });
}

function rowOf(
  { event, userId, actorId, tokenId, projectId, clientId, reason, targets, count = 1 }: AuditEvent,
  identity: Pick<AuditRow, 'id' | 'at'>,
): AuditRow {
  return {
    ...identity,
    event,
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(actorId === undefined ? {} : { actor_id: actorId }),
    ...(tokenId === undefined ? {} : { token_id: tokenId }),
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(reason === undefined ? {} : { reason }),
    ...(targets === undefined ? {} : { targets: targets.slice(0, mostTargets) }),
    count,
  };
}

function tell(observer: Observer, { event, userId, tokenId, projectId, reason }: AuditEvent): void {
  observer.log('info', 'audit', { audit: event, user: userId, token: tokenId, project: projectId, reason });
}

/** Every event of the audit log. */
export const auditEvents = [
  'user_created',
  'user_disabled',
  'user_enabled',
  'token_created',
  'token_first_used',
  'token_rotated',
  'token_revoked',
  'token_refused',
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'client_registered',
  'consent_given',
  'consent_denied',
  'code_replayed',
  'refresh_replayed',
  'access_denied',
  'project_created',
  'member_added',
  'member_removed',
  'role_changed',
  'memory_forgotten',
  'memory_exported',
  'memory_imported',
  'fact_superseded',
  'fact_restored',
  'fact_added',
  'fact_corrected',
  'fact_retracted',
  'fact_pinned',
  'fact_unpinned',
  'fact_source_detached',
  'fact_change_undone',
  'review_approved',
  'review_rejected',
  'backup_made',
  'backup_restored',
] as const;

export type AuditEventName = (typeof auditEvents)[number];
