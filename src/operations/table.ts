import {
  getDefaultProject,
  getProject,
  listMembers,
  listProjects,
  listTokens,
  removeProjectMember,
  revokeOwnToken,
  setMember,
} from './accounts.js';
import { ask } from './ask/ask.js';
import { activity, listConversations, suggest } from './conversations/list.js';
import { updateConversation } from './conversations/update.js';
import { exportMemory } from './export.js';
import { addFact } from './facts/add.js';
import { correctFact, detachFactSource, pinFact, retractFact, undoFactChange, unpinFact } from './facts/by-hand.js';
import { getProfile } from './facts/profile.js';
import { searchFacts } from './facts/search.js';
import { restoreFact, supersedeFact } from './facts/supersede.js';
import { forget } from './forget/forget.js';
import { cancelImport, createImport, getImport, importFile, listImports } from './imports/operations.js';
import { insert, validate } from './insert/insert.js';
import { opened } from './operation.js';
import { approvePending, rejectPending } from './pending.js';
import { listPeople } from './people.js';
import { context, retrieve } from './retrieve.js';
import { search } from './search/search.js';
import { timeline } from './timeline.js';

/** All operations of the service. Adapters offer what is listed here; nothing is defined twice. */
export const operations = {
  insert: opened(insert),
  search: opened(search),
  retrieve: opened(retrieve),
  context: opened(context),
  conversations_list: opened(listConversations),
  conversations_update: opened(updateConversation),
  activity: opened(activity),
  forget: opened(forget),
  export: opened(exportMemory),
  import: opened(importFile),
  imports_create: opened(createImport),
  imports_list: opened(listImports),
  imports_get: opened(getImport),
  imports_cancel: opened(cancelImport),
  ask: opened(ask),
  facts_search: opened(searchFacts),
  profile_get: opened(getProfile),
  people_list: opened(listPeople),
  facts_supersede: opened(supersedeFact),
  facts_restore: opened(restoreFact),
  facts_add: opened(addFact),
  facts_correct: opened(correctFact),
  facts_retract: opened(retractFact),
  facts_pin: opened(pinFact),
  facts_unpin: opened(unpinFact),
  facts_detach: opened(detachFactSource),
  facts_undo: opened(undoFactChange),
  pending_approve: opened(approvePending),
  pending_reject: opened(rejectPending),
  project_list: opened(listProjects),
  project_default_get: opened(getDefaultProject),
  project_get: opened(getProject),
  project_members: opened(listMembers),
  project_member_set: opened(setMember),
  project_member_remove: opened(removeProjectMember),
  token_list: opened(listTokens),
  token_revoke: opened(revokeOwnToken),
  validate: opened(validate),
  timeline: opened(timeline),
  suggest: opened(suggest),
};
