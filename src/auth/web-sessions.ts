import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserRow } from '../records/account-rows.js';
import type { Handles } from './handles.js';
import type { Administration } from './users.js';

export type WebSessions = ReturnType<typeof createWebSessions>;

/** Someone signed in with a browser. */
export interface WebSession {
  user: UserRow;
  provider: string;
  /** Included in every form of our pages; other sites cannot read it (CSRF protection). */
  csrf: string;
}

export function createWebSessions({ handles, administration }: { handles: Handles; administration: Administration }) {
  const { accounts, audit } = administration;
  return {
    /** Always a new session; the one the browser sent is ended, which prevents session fixation. */
    async start(user: UserRow, provider: string, before: string | undefined): Promise<string> {
      await handles.drop('session', before);
      const csrf = randomBytes(32).toString('base64url');
      const value = await handles.issue('session', { userId: user.id, data: { provider, csrf } });
      await audit.record({ event: 'sign_in', userId: user.id, reason: provider });
      return value;
    },

    async find(value: string | undefined): Promise<WebSession | undefined> {
      const row = await handles.look('session', value);
      const user = row?.user_id === undefined ? undefined : await accounts.user(row.user_id);
      if (row === undefined || user === undefined || user.disabled_at !== undefined) return undefined;
      return { user, provider: row.data.provider ?? '', csrf: row.data.csrf ?? '' };
    },

    async end(value: string | undefined, session: WebSession): Promise<void> {
      await handles.drop('session', value);
      await audit.record({ event: 'sign_out', userId: session.user.id });
    },
  };
}

/** Whether the form was issued to this session. */
export function isFormOf(session: WebSession, csrf: string | null): boolean {
  const [given, expected] = [Buffer.from(csrf ?? ''), Buffer.from(session.csrf)];
  return given.length === expected.length && expected.length > 0 && timingSafeEqual(given, expected);
}
