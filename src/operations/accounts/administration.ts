import type { Administration } from '../../auth/users.js';
import type { Principal } from '../../model/access.js';
import type { Service } from '../service.js';

export function administrationOf({ records, audit, now }: Service, { userId }: Principal): Administration {
  return { accounts: records.accounts, audit, now, actorId: userId };
}
