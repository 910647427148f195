import { join } from 'node:path';
import { localPrincipal } from '../auth/access.js';
import { jwtPrefix } from '../auth/oauth/external.js';
import type { Config } from '../config/schema.js';
import { localUserId } from '../model/ids.js';
import type { ImportJobs } from '../operations/imports/contract.js';
import { jobFiles } from '../operations/imports/job-files.js';
import { createImportJobs } from '../operations/imports/jobs.js';
import type { Service } from '../operations/service.js';
import type { OpenedCallers } from './open-callers.js';

/** The imports of a data folder, below `imports/`. Nothing runs before one is created or resumed. */
export function openImportJobs(
  config: Config,
  { service, access }: { service: Service; access: Pick<OpenedCallers, 'rights'> },
): ImportJobs {
  return createImportJobs({
    service,
    files: jobFiles(join(config.paths.data_dir, 'imports')),
    async renew({ userId, scopes, tokenId, expiresAt }) {
      if (expiresAt !== undefined && !(expiresAt > Date.parse(service.now()))) return undefined;
      if (userId === localUserId) return { ...localPrincipal, scopes };
      // The token of another issuer is not in our store; its user is.
      const isOurs = tokenId !== undefined && !tokenId.startsWith(jwtPrefix);
      if (isOurs && !(await access.rights.isAlive(tokenId))) return undefined;
      const person = await access.rights.ofUser(userId);
      return person === undefined ? undefined : { ...person, scopes, ...(tokenId === undefined ? {} : { tokenId }) };
    },
  });
}
