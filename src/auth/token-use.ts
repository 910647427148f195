import type { Observer } from '../observability/observer.js';
import type { TokenRow } from '../records/account-rows.js';
import type { AccountRecords } from '../records/accounts.js';
import type { Audit } from './audit.js';

export type TokenUse = ReturnType<typeof createTokenUse>;

interface TokenUseParts {
  accounts: AccountRecords;
  audit: Audit;
  observer: Observer;
  now: () => string;
  later: (run: () => void) => () => void;
}

/** How exact "last used" is. */
const grain = 60_000;

/** Notes when tokens were used, behind the requests and at most once a minute each: a read must not cost a write. */
export function createTokenUse({ accounts, audit, observer, now, later }: TokenUseParts) {
  const noted = new Map<string, number>();
  const waiting = new Map<string, string>();
  const firsts = new Map<string, TokenRow>();
  let callOff: (() => void) | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function save(times: ReadonlyMap<string, string>, firstUses: readonly TokenRow[]): Promise<void> {
    await accounts.noteUse(times);
    for (const { id, user_id } of firstUses) {
      await audit.recordOnce(`first:${id}`, { event: 'token_first_used', userId: user_id, tokenId: id });
    }
  }

  function write(): void {
    callOff?.();
    callOff = undefined;
    const times = new Map(waiting);
    const firstUses = [...firsts.values()];
    waiting.clear();
    firsts.clear();
    writing = writing
      .then(() => save(times, firstUses))
      .catch((error: unknown) => observer.log('warn', 'token_use_not_noted', { tokens: times.size }, error));
  }

  return {
    used(token: TokenRow): void {
      const time = now();
      const moment = Date.parse(time);
      if (moment - (noted.get(token.id) ?? 0) < grain) return;
      if (token.last_used_at === undefined && !noted.has(token.id)) firsts.set(token.id, token);
      noted.set(token.id, moment);
      waiting.set(token.id, time);
      callOff ??= later(write);
    },

    async flush(): Promise<void> {
      if (waiting.size > 0) write();
      await writing;
    },
  };
}
