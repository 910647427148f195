import { ask } from './ask/ask.js';

import { getProfile } from './facts/profile.js';
import { searchFacts } from './facts/search.js';
import { supersedeFact } from './facts/supersede.js';

import { insert } from './insert/insert.js';
import { opened } from './operation.js';
import { approvePending, rejectPending } from './pending.js';
import { retrieve } from './retrieve.js';
import { search } from './search/search.js';

/** Every verb of the service. A door offers what is here; nothing is defined twice. */
export const operations = {
  insert: opened(insert),
  search: opened(search),
  retrieve: opened(retrieve),
  ask: opened(ask),
  facts_search: opened(searchFacts),
  profile_get: opened(getProfile),
  facts_supersede: opened(supersedeFact),
  pending_approve: opened(approvePending),
  pending_reject: opened(rejectPending),
};
