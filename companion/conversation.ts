import type { ConversationPage, PageMessage } from './pages/page.js';
import type { SiteName } from './sites.js';

export interface Capture {
  site: SiteName;
  page: ConversationPage;
  automatic: boolean;
}

export interface InsertBody {
  source: SiteName;
  title?: string;
  messages: PageMessage[];
  metadata: Record<string, string>;
}

/** The body of `POST /memory/insert`. The site's own id of the conversation makes a later capture continue this one. */
export function conversationOf({ site, page, automatic }: Capture, version: string): InsertBody {
  return {
    source: site,
    ...(page.title === undefined ? {} : { title: page.title }),
    messages: page.messages.map(({ role, text }) => ({ role, text })),
    metadata: {
      ...(page.threadId === undefined ? {} : { upstream_thread_id: page.threadId }),
      platform: site,
      capture_client: 'threadkeep-companion',
      capture_client_version: version,
      save_intent: automatic ? 'client_auto_save' : 'explicit_user_request',
      save_intent_source: 'threadkeep-companion',
    },
  };
}

/** Why a page cannot be saved now; undefined where it can. */
export function obstacleOf(page: ConversationPage): 'unfinished' | 'noThread' | 'noMessages' | undefined {
  if (page.unfinished) return 'unfinished';
  if (page.messages.length === 0) return 'noMessages';
  return page.threadId === undefined ? 'noThread' : undefined;
}
