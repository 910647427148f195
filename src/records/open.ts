import type { MetadataStore } from '../stores/metadata/contract.js';
import { accountRecords, auditRecords, oauthRecords } from './accounts.js';
import { headingRecords, speakerRecords, summaryRecords, topicRecords } from './annotations.js';
import { chunkRecords } from './chunks.js';
import { idempotencyRecords, leaseRecords, threadRecords } from './claims.js';
import { conversationRecords, timelineRecords } from './conversations.js';
import { factRecords } from './facts.js';
import { messageVectorRecords } from './message-vectors.js';
import { settingRecords } from './settings.js';
import { recordStore } from './store.js';
import { tombstoneRecords } from './tombstones.js';

export type Records = ReturnType<typeof openRecords>;

/** Typed records over any metadata store. `write` commits changes of several kinds atomically. */
export function openRecords(opened: MetadataStore, now: () => string) {
  const store = recordStore(opened);
  return {
    conversations: conversationRecords(store),
    chunks: chunkRecords(store),
    facts: factRecords(store),
    headings: headingRecords(store),
    messageVectors: messageVectorRecords(store),
    speakers: speakerRecords(store),
    summaries: summaryRecords(store),
    threads: threadRecords(store),
    timeline: timelineRecords(store),
    topics: topicRecords(store),
    idempotency: idempotencyRecords(store),
    settings: settingRecords(store, now),
    lease: leaseRecords(store, now),
    accounts: accountRecords(store, now),
    audit: auditRecords(store),
    tombstones: tombstoneRecords(store),
    oauth: oauthRecords(store),
    write: store.write,
    /** Removes deleted data from the files too. */
    scrub: async () => store.scrub?.(),
  };
}
