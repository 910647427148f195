import { listConversations } from './conversations/list.js';
import { timeline } from './conversations/timeline.js';
import { updateConversation } from './conversations/update.js';
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
  conversations_list: opened(listConversations),
  conversations_update: opened(updateConversation),
  timeline: opened(timeline),
  pending_approve: opened(approvePending),
  pending_reject: opened(rejectPending),
};
