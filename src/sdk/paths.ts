import type { CallName } from './transport.js';

/** Where each operation is over HTTP; `{name}` is filled from the input. Equal to the server's routes, as a test sees to. */
export const paths: Record<CallName, `${'GET' | 'POST'} /memory/${string}`> = {
  insert: 'POST /memory/insert',
  validate: 'POST /memory/validate',
  search: 'POST /memory/search',
  retrieve: 'POST /memory/retrieve',
  context: 'POST /memory/context',
  ask: 'POST /memory/ask',
  conversations_list: 'POST /memory/conversations/list',
  conversations_update: 'POST /memory/conversations/update',
  activity: 'POST /memory/activity',
  timeline: 'POST /memory/timeline',
  facts_search: 'POST /memory/facts/search',
  facts_supersede: 'POST /memory/facts/supersede',
  facts_restore: 'POST /memory/facts/restore',
  profile_get: 'POST /memory/profile/get',
  pending_approve: 'POST /memory/pending/approve',
  pending_reject: 'POST /memory/pending/reject',
  forget: 'POST /memory/forget',
  project_list: 'GET /memory/projects',
  project_default_get: 'GET /memory/projects/default',
  project_get: 'GET /memory/projects/{project_id}',
  project_members: 'GET /memory/projects/{project_id}/members',
  project_member_set: 'POST /memory/projects/members/set',
  project_member_remove: 'POST /memory/projects/members/remove',
};
