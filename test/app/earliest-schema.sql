-- The tables of the first version that stored anything, as it created them.
CREATE TABLE "conversations" ("id" TEXT NOT NULL PRIMARY KEY, "project_id" TEXT NOT NULL, "owner_id" TEXT NOT NULL, "source" TEXT NOT NULL, "title" TEXT, "timestamp" TEXT NOT NULL, "at" TEXT NOT NULL, "conversation_hash" TEXT NOT NULL, "thread_id" TEXT, "upstream_thread_id" TEXT, "memory_status" TEXT NOT NULL, "tags" TEXT, "metadata" TEXT NOT NULL, "message_count" INTEGER NOT NULL, "chunk_count" INTEGER NOT NULL, "created_at" TEXT NOT NULL, "updated_at" TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX "conversations_unique_project_id_conversation_hash" ON "conversations" ("project_id", "conversation_hash");
CREATE INDEX "conversations_by_project_id_memory_status_at_id" ON "conversations" ("project_id", "memory_status", "at", "id");
CREATE INDEX "conversations_by_project_id_source_upstream_thread_id_id" ON "conversations" ("project_id", "source", "upstream_thread_id", "id");
CREATE INDEX "conversations_by_project_id_thread_id_id" ON "conversations" ("project_id", "thread_id", "id");
CREATE TABLE "messages" ("id" TEXT NOT NULL PRIMARY KEY, "conversation_id" TEXT NOT NULL, "message_index" INTEGER NOT NULL, "role" TEXT NOT NULL, "text" TEXT NOT NULL, "hash" TEXT NOT NULL) STRICT;
CREATE INDEX "messages_by_conversation_id_id" ON "messages" ("conversation_id", "id");
CREATE TABLE "chunks" (seq INTEGER PRIMARY KEY, "id" TEXT NOT NULL UNIQUE, "conversation_id" TEXT NOT NULL, "scope" TEXT NOT NULL, "chunk_index" INTEGER NOT NULL, "message_index" INTEGER NOT NULL, "role" TEXT NOT NULL, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL, "index_state" TEXT NOT NULL) STRICT;
CREATE INDEX "chunks_by_conversation_id_id" ON "chunks" ("conversation_id", "id");
CREATE INDEX "chunks_by_index_state_id" ON "chunks" ("index_state", "id");
CREATE VIRTUAL TABLE "chunks_terms" USING fts5(terms, content='', contentless_delete=1, tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'");
CREATE TABLE "topics" ("id" TEXT NOT NULL PRIMARY KEY, "project_id" TEXT NOT NULL, "topic" TEXT NOT NULL, "conversation_id" TEXT NOT NULL, "at" TEXT NOT NULL) STRICT;
CREATE INDEX "topics_by_project_id_topic_at_id" ON "topics" ("project_id", "topic", "at", "id");
CREATE INDEX "topics_by_conversation_id_id" ON "topics" ("conversation_id", "id");
CREATE TABLE "summaries" ("id" TEXT NOT NULL PRIMARY KEY, "project_id" TEXT NOT NULL, "kind" TEXT NOT NULL, "target_id" TEXT NOT NULL, "text" TEXT NOT NULL, "conversation_ids" TEXT NOT NULL, "generated_at" TEXT NOT NULL) STRICT;
CREATE INDEX "summaries_by_project_id_kind_id" ON "summaries" ("project_id", "kind", "id");
CREATE TABLE "settings" ("id" TEXT NOT NULL PRIMARY KEY, "value" TEXT NOT NULL, "updated_at" TEXT NOT NULL) STRICT;
PRAGMA user_version = 1;
