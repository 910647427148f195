import type { Json } from '../model/json.js';
import type { MetadataStore } from '../stores/metadata/contract.js';
import { accountRecords, auditRecords, oauthRecords } from './accounts.js';
import { headingRecords, speakerRecords, summaryRecords, topicRecords } from './annotations.js';
import { chunkRecords, messageVectorRecords } from './chunks.js';
import { idempotencyRecords, leaseRecords, threadRecords } from './claims.js';
import { conversationRecords, timelineRecords } from './conversations.js';
import { factRecords } from './facts.js';
import { type RecordStore, recordStore } from './store.js';
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

export type SettingRecords = ReturnType<typeof settingRecords>;

/** Small values about the store itself, such as the fingerprint of its vector index. */
export function settingRecords(store: RecordStore, now: () => string) {
  return {
    async get(key: string): Promise<Json | undefined> {
      const [row] = await store.find('settings', { where: [{ field: 'id', is: 'eq', value: key }], limit: 1 });
      return row?.value;
    },

    async set(key: string, value: Json): Promise<void> {
      const row = { id: key, value, updated_at: now() };
      await store.write([{ kind: 'put', table: 'settings', row }]);
    },

    async remove(key: string): Promise<void> {
      await store.write([{ kind: 'remove', table: 'settings', ids: [key] }]);
    },
  };
}
