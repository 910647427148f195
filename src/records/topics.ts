import type { TopicRow } from './rows.js';
import type { Change, Condition, RecordStore } from './store.js';

export type TopicRecords = ReturnType<typeof topicRecords>;

export function topicRecords(store: RecordStore) {
  const ofTopic = (projectId: string, topic: string): Condition<'topics'>[] => [
    { field: 'project_id', is: 'eq', value: projectId },
    { field: 'topic', is: 'eq', value: topic },
  ];
  return {
    async count(projectId: string, topic: string): Promise<number> {
      return store.count('topics', ofTopic(projectId, topic));
    },

    async newest(projectId: string, topic: string, limit: number): Promise<TopicRow[]> {
      const order = { by: 'at', direction: 'desc' } as const;
      return store.find('topics', { where: ofTopic(projectId, topic), order, limit });
    },
  };
}

/** The rows that say which topics an active conversation has. Repeating them changes nothing. */
export function putTopics(
  conversation: { id: string; project_id: string; at: string },
  topics: readonly string[],
): Change[] {
  return topics.map((topic) => {
    const row: TopicRow = {
      id: `${conversation.id}:${topic}`,
      project_id: conversation.project_id,
      topic,
      conversation_id: conversation.id,
      at: conversation.at,
    };
    return { kind: 'put', table: 'topics', row: row };
  });
}
