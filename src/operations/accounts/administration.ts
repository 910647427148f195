import type { Administration } from '../../auth/users.js';
import type { Service } from '../service.js';

export function administrationOf({ records, audit, now }: Service): Administration {
  return { accounts: records.accounts, audit, now };
}
