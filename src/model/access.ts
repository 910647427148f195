import type { MemoryStatus } from './conversation.js';

export type Scope = 'memory:read' | 'memory:write';

/** Who is asking. Without authentication everyone on this machine is the local user. */
export interface Principal {
  userId: string;
  scopes: readonly Scope[];
  defaultProjectId: string;
}

declare const minted: unique symbol;

/** What a read may see. Only auth/access.ts makes one, and every read asks for one: forgetting the check does not compile. */
export interface Visibility {
  readonly [minted]: true;
  readonly projectId: string;
  readonly statuses: readonly MemoryStatus[];
  /** The scopes to hand to a store. Never empty. */
  readonly scopes: readonly string[];
}
