"""What the server answers. Written by `npm run docs` from the schemas of the operations. Do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # Part of `typing` only from Python 3.11; type checkers know it everywhere.
    from typing_extensions import NotRequired


class Message(TypedDict):
    role: Literal["user", "assistant"]
    text: str
    # When it was sent; absent if only the conversation's time is known
    timestamp: NotRequired[str]


class ConversationAliases(TypedDict):
    source: str
    title: NotRequired[str]
    timestamp: NotRequired[str]
    thread_id: NotRequired[str]
    upstream_thread_id: NotRequired[str]
    tags: NotRequired[list[str]]
    added_at: str


class ConversationMetadata(TypedDict):
    project_id: str
    memory_status: Literal["active", "pending_review", "rejected"]


class Conversation(TypedDict):
    id: str
    source: str
    title: NotRequired[str]
    timestamp: str
    messages: NotRequired[list[Message]]
    # Its messages did not fit into this response: retrieve it by its id
    messages_omitted: NotRequired[Literal[True]]
    # Metadata of later captures of the same messages; filters match these too
    aliases: NotRequired[list[ConversationAliases]]
    metadata: ConversationMetadata


class ConversationResultHighlights(TypedDict):
    start: int
    end: int


class ConversationResultExcerpt(TypedDict):
    """The best matching part of the text, at most 240 characters"""

    start: int
    end: int


class ConversationResultChunksHighlights(TypedDict):
    start: int
    end: int


class ConversationResultChunksExcerpt(TypedDict):
    """The best matching part of the text, at most 240 characters"""

    start: int
    end: int


class ConversationResultChunks(TypedDict):
    chunk_index: int
    # The message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    # The positions of the query's words, as offsets in UTF-16 code units
    highlights: list[ConversationResultChunksHighlights]
    # The best matching part of the text, at most 240 characters
    excerpt: ConversationResultChunksExcerpt
    score: float
    relevance: float


class ConversationResult(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak if it is merely the nearest
    match: Literal["strong", "weak"]
    # The components of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    chunk_index: int
    # The message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    # The positions of the query's words, as offsets in UTF-16 code units
    highlights: list[ConversationResultHighlights]
    # The best matching part of the text, at most 240 characters
    excerpt: ConversationResultExcerpt
    conversation: Conversation
    # The best score among the retrieved chunks of the conversation
    conversation_score: float
    # The number of retrieved chunks of the conversation
    conversation_match_count: int
    chunks: list[ConversationResultChunks]


class ChunkResultHighlights(TypedDict):
    start: int
    end: int


class ChunkResultExcerpt(TypedDict):
    """The best matching part of the text, at most 240 characters"""

    start: int
    end: int


class ChunkResult(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak if it is merely the nearest
    match: Literal["strong", "weak"]
    # The components of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    chunk_index: int
    # The message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    # The positions of the query's words, as offsets in UTF-16 code units
    highlights: list[ChunkResultHighlights]
    # The best matching part of the text, at most 240 characters
    excerpt: ChunkResultExcerpt
    conversation: Conversation
    # The best score among the retrieved chunks of the conversation
    conversation_score: float
    # The number of retrieved chunks of the conversation
    conversation_match_count: int


class CompactResultHighlights(TypedDict):
    start: int
    end: int


class CompactResult(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak if it is merely the nearest
    match: Literal["strong", "weak"]
    # The components of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    title: NotRequired[str]
    source: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    chunk_index: int
    # The message of the conversation it is from, counted from 0
    message_index: int
    snippet: str
    # The positions of the query's words, as offsets in UTF-16 code units
    highlights: list[CompactResultHighlights]
    # The best score among the retrieved chunks of the conversation
    conversation_score: float
    # The number of retrieved chunks of the conversation
    conversation_match_count: int


class ThreadResultHighlights(TypedDict):
    start: int
    end: int


class ThreadResultExcerpt(TypedDict):
    """The best matching part of the text, at most 240 characters"""

    start: int
    end: int


class ThreadResultConversationsHighlights(TypedDict):
    start: int
    end: int


class ThreadResultConversationsExcerpt(TypedDict):
    """The best matching part of the text, at most 240 characters"""

    start: int
    end: int


class ThreadResultConversations(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak if it is merely the nearest
    match: Literal["strong", "weak"]
    # The components of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    title: NotRequired[str]
    source: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    chunk_index: int
    # The message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # The positions of the query's words, as offsets in UTF-16 code units
    highlights: list[ThreadResultConversationsHighlights]
    # The best matching part of the text, at most 240 characters
    excerpt: ThreadResultConversationsExcerpt
    # The best score among the retrieved chunks of the conversation
    conversation_score: float
    # The number of retrieved chunks of the conversation
    conversation_match_count: int


class ThreadResult(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak if it is merely the nearest
    match: Literal["strong", "weak"]
    # The components of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    thread_id: str
    chunk_index: int
    # The message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    # The positions of the query's words, as offsets in UTF-16 code units
    highlights: list[ThreadResultHighlights]
    # The best matching part of the text, at most 240 characters
    excerpt: ThreadResultExcerpt
    conversation_count: int
    match_count: int
    conversations: list[ThreadResultConversations]


class ListedConversationAliases(TypedDict):
    source: str
    title: NotRequired[str]
    timestamp: NotRequired[str]
    thread_id: NotRequired[str]
    upstream_thread_id: NotRequired[str]
    tags: NotRequired[list[str]]
    added_at: str


class ListedConversationMetadata(TypedDict):
    project_id: str
    memory_status: Literal["active", "pending_review", "rejected"]


class ListedConversation(TypedDict):
    id: str
    source: str
    title: NotRequired[str]
    timestamp: str
    # Its messages did not fit into this response: retrieve it by its id
    messages_omitted: NotRequired[Literal[True]]
    # Metadata of later captures of the same messages; filters match these too
    aliases: NotRequired[list[ListedConversationAliases]]
    metadata: ListedConversationMetadata
    message_count: int


class TimelineEntry(TypedDict):
    id: str
    source: str
    title: NotRequired[str]
    timestamp: str
    thread_id: NotRequired[str]
    tags: NotRequired[list[str]]
    # The summary sent by the client, else the generated one
    summary: NotRequired[str]
    message_count: int


class FactChangesSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # The offset of the sentence in the message
    start: int
    end: int
    source: str
    # When the message was sent, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that the fact has ended
    ends: NotRequired[Literal[True]]


class FactChanges(TypedDict):
    kind: Literal["added", "corrected", "retracted", "pinned", "unpinned", "detached"]
    at: str
    # Of `added`: the fact whose value was wrong
    corrects: NotRequired[str]
    # Of `corrected`: the fact with the correct value
    by: NotRequired[str]
    # Of `retracted`: until when it was true; absent if it never was
    until: NotRequired[str]
    # Of `detached`: the sentences that do not state it
    sources: NotRequired[list[FactChangesSources]]


class FactSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # The offset of the sentence in the message
    start: int
    end: int
    source: str
    # When the message was sent, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that the fact has ended
    ends: NotRequired[Literal[True]]


class Fact(TypedDict):
    # The id, for example to change or supersede it
    id: str
    project_id: str
    subject: str
    predicate: str
    # The value in the words of the newest statement
    object_raw: str
    # The value for display
    object_normalized: str
    qualifiers: dict[str, Any]
    source_quality: Literal["direct_user_statement", "corrected_by_user", "assistant_statement", "inferred_from_conversation"]
    confidence: Literal["high", "medium", "low"]
    confidence_reason: str
    status: Literal["active", "superseded"]
    # The time of the newest message that states it
    stated_at: str
    # The time of the oldest message that states it
    created_at: str
    updated_at: str
    last_confirmed_at: str
    # When it stopped being true; null while it is active
    superseded_at: str | None
    # The fact that replaced it; absent if it ended without a successor
    superseded_by: NotRequired[str]
    # It was superseded by hand, and can be restored
    superseded_by_hand: NotRequired[Literal[True]]
    # When it was pinned; absent if it is not pinned
    pinned_at: NotRequired[str]
    # Changes made by hand, oldest first; undo reverts the last one
    changes: NotRequired[list[FactChanges]]
    save_intent: NotRequired[Literal["explicit_user_request", "user_confirmed", "client_auto_save"]]
    save_intent_source: NotRequired[str]
    # The sentences that state it
    sources: list[FactSources]


class PersonMonths(TypedDict):
    month: str
    mentions: int


class PersonFacts(TypedDict):
    fact_id: str
    predicate: str
    value: str


class Person(TypedDict):
    id: str
    kind: Literal["person", "pet"]
    # Absent for a person who is known only by relation
    name: NotRequired[str]
    other_names: list[str]
    # Their relation to the user: sister, boss, dog
    relations: list[str]
    confidence: Literal["high", "medium", "low"]
    # The time of the oldest message that mentions them
    since: str
    last_confirmed_at: str
    # The conversations that mention them
    conversation_ids: list[str]
    # The facts that mention them
    fact_ids: list[str]
    # The UTC months in which messages mention them, oldest first
    months: list[PersonMonths]
    # The names that facts about them use as subject, for a fact search
    subjects: list[str]
    # Other facts about them
    facts: list[PersonFacts]


ChunkCitationTimes = TypedDict("ChunkCitationTimes", {
    "phrase": "str",
    # First day
    "from": "str",
    # Last day
    "to": "str",
    "display": "str",
})


class ChunkCitation(TypedDict):
    type: Literal["chunk"]
    # Conversation id
    id: str
    chunk_index: int
    # The quoted message of the conversation, counted from 0
    message_index: int
    # Vector distance, lower is better; absent for a message quoted for context
    score: NotRequired[float]
    # The quoted text
    text: str
    role: Literal["user", "assistant"]
    title: NotRequired[str]
    source: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str
    # The dates that its time expressions mean, relative to the day it was sent
    times: NotRequired[list[ChunkCitationTimes]]


class FactCitation(TypedDict):
    type: Literal["fact"]
    # The conversation that states it
    id: str
    fact_id: str
    predicate: str
    # The normalized value
    text: str
    # The sentence that states it
    quote: str
    # When the message with that sentence was sent, in UTC
    stated_at: NotRequired[str]
    source_quality: str
    confidence_reason: str
    last_confirmed_at: str
    save_intent: NotRequired[str]
    save_intent_source: NotRequired[str]


class ChunkEvidence(TypedDict):
    type: Literal["chunk"]
    conversation_id: str
    chunk_index: int
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # The message's own time; absent if only the conversation's is known
    timestamp: NotRequired[str]
    score: NotRequired[float]
    used_in_answer: bool
    # Cut to fit the token budget
    truncated: NotRequired[Literal[True]]


class FactEvidenceChangesSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # The offset of the sentence in the message
    start: int
    end: int
    source: str
    # When the message was sent, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that the fact has ended
    ends: NotRequired[Literal[True]]


class FactEvidenceChanges(TypedDict):
    kind: Literal["added", "corrected", "retracted", "pinned", "unpinned", "detached"]
    at: str
    # Of `added`: the fact whose value was wrong
    corrects: NotRequired[str]
    # Of `corrected`: the fact with the correct value
    by: NotRequired[str]
    # Of `retracted`: until when it was true; absent if it never was
    until: NotRequired[str]
    # Of `detached`: the sentences that do not state it
    sources: NotRequired[list[FactEvidenceChangesSources]]


class FactEvidenceSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # The offset of the sentence in the message
    start: int
    end: int
    source: str
    # When the message was sent, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that the fact has ended
    ends: NotRequired[Literal[True]]


class FactEvidence(TypedDict):
    type: Literal["fact"]
    fact_id: str
    # The id, for example to change or supersede it
    id: str
    project_id: str
    subject: str
    predicate: str
    # The value in the words of the newest statement
    object_raw: str
    # The value for display
    object_normalized: str
    qualifiers: dict[str, Any]
    source_quality: Literal["direct_user_statement", "corrected_by_user", "assistant_statement", "inferred_from_conversation"]
    confidence: Literal["high", "medium", "low"]
    confidence_reason: str
    status: Literal["active", "superseded"]
    # The time of the newest message that states it
    stated_at: str
    # The time of the oldest message that states it
    created_at: str
    updated_at: str
    last_confirmed_at: str
    # When it stopped being true; null while it is active
    superseded_at: str | None
    # The fact that replaced it; absent if it ended without a successor
    superseded_by: NotRequired[str]
    # It was superseded by hand, and can be restored
    superseded_by_hand: NotRequired[Literal[True]]
    # When it was pinned; absent if it is not pinned
    pinned_at: NotRequired[str]
    # Changes made by hand, oldest first; undo reverts the last one
    changes: NotRequired[list[FactEvidenceChanges]]
    save_intent: NotRequired[Literal["explicit_user_request", "user_confirmed", "client_auto_save"]]
    save_intent_source: NotRequired[str]
    # The sentences that state it
    sources: list[FactEvidenceSources]
    used_in_answer: bool


class CitedMessage(TypedDict):
    # The number in brackets
    id: int
    type: Literal["chunk"]
    conversation_id: str
    message_index: int


class CitedFact(TypedDict):
    id: int
    type: Literal["fact"]
    fact_id: str
    conversation_id: str


class AnswerSentence(TypedDict):
    # With the numbers of its evidence in brackets
    text: str
    # The evidence that it cites
    evidence: list[CitedMessage | CitedFact]


class ImportJobReportExamples(TypedDict):
    place: str
    reason: str


class ImportJobReport(TypedDict):
    """The result so far; at the end the whole result"""

    status: Literal["ok"]
    # Conversations found in the export
    read: int
    # Stored as new conversations
    imported: int
    # Stored conversations that have grown
    appended: int
    # Already stored: nothing was added
    duplicates: int
    # Skipped: see `reasons`
    skipped: int
    # Messages that were stored
    messages: int
    # Messages that were already stored
    known_messages: int
    # Messages that were not stored, counted by reason
    left_out: dict[str, int]
    # Skipped conversations, counted by reason
    reasons: dict[str, int]
    # The first places that were skipped
    examples: list[ImportJobReportExamples]
    dry_run: NotRequired[Literal[True]]
    # It was stopped before the end; run it again to import the rest
    interrupted: NotRequired[Literal[True]]


class ImportJobError(TypedDict):
    """Why it failed"""

    error_code: str
    error_message: str


class ImportJob(TypedDict):
    id: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    # As requested; auto detects it by the content
    format: str
    # The name of the uploaded file; without memory:read only in jobs of the same token
    filename: NotRequired[str]
    # The size of the file
    bytes: int
    # The number of bytes this run has read, while it runs
    read_bytes: NotRequired[int]
    # The project that all conversations go to, if one was named
    project_id: NotRequired[str]
    since: NotRequired[str]
    source: NotRequired[str]
    dry_run: bool
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]
    # How often it was resumed after the service had stopped
    resumed: int
    # The number of conversations in the file, once it is known; `report.read` counts up to it
    total: NotRequired[int]
    # The result so far; at the end the whole result
    report: ImportJobReport
    # Why it failed
    error: NotRequired[ImportJobError]


class Project(TypedDict):
    id: str
    name: str
    description: NotRequired[str]
    owner_id: str
    # The private project, used when a call has no project_id
    is_default: bool
    # Your role in it
    role: Literal["reader", "writer", "admin"]
    created_at: NotRequired[str]
    updated_at: NotRequired[str]


class Member(TypedDict):
    user: str
    role: Literal["reader", "writer", "admin"]
    created_at: NotRequired[str]
    updated_at: NotRequired[str]


class InsertOutput(TypedDict):
    # pending_review: stored, but hidden until it is approved
    status: Literal["ok", "pending_review"]
    # The canonical id of the conversation
    id: str
    memory_status: Literal["active", "pending_review", "rejected"]
    # The same content was already stored
    deduplicated: bool
    # Messages added to a stored conversation of the same thread
    appended_messages: int
    # Chunks embedded and indexed by this call
    embedded_chunks: int
    # Chunks of the whole conversation
    chunks: int
    # Saved, but not in the vector index yet; it is indexed without another call
    indexing: NotRequired[Literal["pending"]]
    # Of a duplicate: why its source, thread, title, tags and time were not kept as an alias. review: the capture would have been held for review; limit: the conversation already has a hundred
    alias_left_out: NotRequired[Literal["review", "limit"]]
    # Why it is held for review
    review_reason: NotRequired[Literal["secret_detected"]]
    # The number of secrets that were redacted before storing
    redacted_secrets: NotRequired[int]


class ValidateOutput(TypedDict):
    status: Literal["ok"]
    valid: Literal[True]
    # The status it would get from an insert
    memory_status: Literal["active", "pending_review", "rejected"]


class SearchOutputCurrentFacts(TypedDict):
    fact_id: str
    subject: str
    predicate: str
    # The value for display
    value: str
    # When it was first stated, in UTC
    valid_from: str
    # When it was last stated, in UTC
    confirmed_at: str
    confidence: Literal["high", "medium", "low"]
    # The conversation of the newest message shown that states it
    conversation_id: str
    message_index: int


class SearchOutput(TypedDict):
    status: Literal["ok"]
    results: list[Any]
    # Send it to get the next page; null on the last page
    cursor: str | None
    # The approximate number of results; may grow when a later page searches deeper
    total: int
    # With `include_facts`: facts stated by the messages shown that are still current
    current_facts: NotRequired[list[SearchOutputCurrentFacts]]
    # What was not available for this search
    diagnostics: NotRequired[dict[str, str]]


class RetrieveOutput(TypedDict):
    status: Literal["ok"]
    id: str
    memory: Conversation


class ContextOutputResults(TypedDict):
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was sent: the message's own time, else the conversation's
    timestamp: str


class ContextOutput(TypedDict):
    status: Literal["ok"]
    id: str
    title: NotRequired[str]
    source: str
    timestamp: str
    # The requested message
    message_index: int
    # The number of messages in the conversation
    message_count: int
    # That message and the messages around it, in order
    results: list[ContextOutputResults]


class AskOutputParts(TypedDict):
    question: str
    answer: str
    answer_basis: Literal["direct_memory", "fact_layer", "mixed", "conflict", "not_found"]
    confidence: Literal["high", "medium", "low", "none"]


class AskOutputProvenanceConversations(TypedDict):
    id: str
    source: str
    title: NotRequired[str]
    timestamp: str
    thread_id: NotRequired[str]
    chunk_indexes: list[int]
    fact_ids: list[str]


class AskOutputProvenance(TypedDict):
    conversations: list[AskOutputProvenanceConversations]


class AskOutputStructuredEvidence(TypedDict):
    facts: list[FactEvidence]
    results: list[Any]


class AskOutputCurrentFacts(TypedDict):
    fact_id: str
    subject: str
    predicate: str
    # The value for display
    value: str
    # When it was first stated, in UTC
    valid_from: str
    # When it was last stated, in UTC
    confirmed_at: str
    confidence: Literal["high", "medium", "low"]
    # The conversation of the newest message shown that states it
    conversation_id: str
    message_index: int


class AskOutputComposition(TypedDict):
    """Who phrased the answer; absent without `ask.model`"""

    # `extraction`: the answer was made without a language model
    by: Literal["model", "extraction"]
    # Why the model did not write it; `not_found` and `conflict` were not sent to it
    reason: NotRequired[Literal["timeout", "unreachable", "failed", "malformed", "refused", "left_alone", "cancelled", "unsupported", "not_found", "conflict"]]
    model: NotRequired[str]
    sentences: NotRequired[list[AnswerSentence]]
    # Number of sentences by the model that the evidence does not support
    sentences_dropped: int
    # The answer without the model
    extractive_answer: NotRequired[str]


class AskOutputRead(TypedDict):
    conversation_id: str
    message_index: int
    # How likely the message answers the question
    probability: float
    # The components of the probability
    components: dict[str, float]


class AskOutput(TypedDict):
    status: Literal["ok"]
    answer: str
    answer_basis: Literal["direct_memory", "fact_layer", "mixed", "conflict", "not_found"]
    confidence: Literal["high", "medium", "low", "none"]
    confidence_reason: str
    # The probability that the answer is right, 0 to 1; absent if no model has read the messages
    confidence_score: NotRequired[float]
    # The answers to the parts of a compound question; the overall confidence is that of the least certain part
    parts: NotRequired[list[AskOutputParts]]
    # The chunks and facts that the answer is based on
    citations: list[ChunkCitation | FactCitation]
    provenance: AskOutputProvenance
    evidence: list[ChunkEvidence | FactEvidence]
    structured_evidence: AskOutputStructuredEvidence
    # The active facts the answer states
    facts: list[Fact]
    # With `include_facts`: facts stated by the messages shown that are still current
    current_facts: NotRequired[list[AskOutputCurrentFacts]]
    # Who phrased the answer; absent without `ask.model`
    composition: NotRequired[AskOutputComposition]
    # The hits that the answer is based on, or the closest ones if there is no answer
    results: list[Any]
    # With a token budget: tokens of the texts and facts used
    context_tokens_used: NotRequired[int]
    chunks_selected: NotRequired[int]
    chunks_dropped: NotRequired[int]
    tokenizer_used: NotRequired[str]
    # The components of the confidence, with `explain`
    explanation: NotRequired[dict[str, float]]
    # The messages that the reading model read, the likeliest answer first, with `explain`
    read: NotRequired[list[AskOutputRead]]
    # What was not available for this answer
    diagnostics: NotRequired[dict[str, str]]


class ConversationListOutput(TypedDict):
    status: Literal["ok"]
    results: list[ListedConversation]
    # The number of conversations that match the filters, on all pages
    total: int
    # Send it to get the next page; null on the last page
    cursor: str | None


class ConversationUpdateOutputMemoryAliases(TypedDict):
    source: str
    title: NotRequired[str]
    timestamp: NotRequired[str]
    thread_id: NotRequired[str]
    upstream_thread_id: NotRequired[str]
    tags: NotRequired[list[str]]
    added_at: str


class ConversationUpdateOutputMemoryMetadata(TypedDict):
    project_id: str
    memory_status: Literal["active", "pending_review", "rejected"]


class ConversationUpdateOutputMemory(TypedDict):
    """The conversation after the change; only for tokens that may read"""

    id: str
    source: str
    title: NotRequired[str]
    timestamp: str
    # Its messages did not fit into this response: retrieve it by its id
    messages_omitted: NotRequired[Literal[True]]
    # Metadata of later captures of the same messages; filters match these too
    aliases: NotRequired[list[ConversationUpdateOutputMemoryAliases]]
    metadata: ConversationUpdateOutputMemoryMetadata


class ConversationUpdateOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The conversation after the change; only for tokens that may read
    memory: NotRequired[ConversationUpdateOutputMemory]


class ActivityOutputDays(TypedDict):
    # A UTC day
    day: str
    source: str
    conversations: int
    messages: int


class ActivityOutputLabelsMonths(TypedDict):
    month: str
    conversations: int


class ActivityOutputLabels(TypedDict):
    kind: Literal["source", "tag", "topic", "thread"]
    # The name, as used in filters
    name: str
    # Of a thread: the title of its newest conversation
    title: NotRequired[str]
    conversations: int
    messages: int
    # Chunks in the index
    chunks: int
    # The UTC day of the oldest conversation
    first: str
    # The UTC day of the newest conversation
    last: str
    # The months with conversations, oldest first
    months: list[ActivityOutputLabelsMonths]


class ActivityOutput(TypedDict):
    status: Literal["ok"]
    # One entry per day and source with conversations, oldest first
    days: list[ActivityOutputDays]
    # Only if requested; the most frequent of each kind first
    labels: NotRequired[list[ActivityOutputLabels]]


class TimelineOutput(TypedDict):
    status: Literal["ok"]
    results: list[TimelineEntry]
    cursor: str | None


class FactSearchOutput(TypedDict):
    status: Literal["ok"]
    results: list[Fact]
    # Send it to get the next page; null on the last page
    cursor: str | None


class FactSupersedeOutput(TypedDict):
    status: Literal["ok"]
    id: str
    superseded_by: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]


class FactRestoreOutput(TypedDict):
    status: Literal["ok"]
    id: str
    fact: NotRequired[Fact]


class FactAddOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]


class FactCorrectOutput(TypedDict):
    status: Literal["ok"]
    # The fact with the correct value; for tokens that may not read, the fact that was named
    id: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]
    # The fact with the old value, which stays as history; absent if only the wording changed
    superseded: NotRequired[Fact]


class FactRetractOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]


class FactPinOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]


class FactUnpinOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]


class FactDetachOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact after the change; only for tokens that may read
    fact: NotRequired[Fact]


class FactUndoOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact after the change; absent if only the undone change stated it
    fact: NotRequired[Fact]
    # The change that was undone; only for tokens that may read
    undone: NotRequired[Literal["added", "corrected", "retracted", "pinned", "unpinned", "detached", "superseded"]]


class ProfileOutputSummaryProvenance(TypedDict):
    fact_id: str
    predicate: str
    source_conversation_id: str
    source_message_indexes: list[int]
    source: str
    last_confirmed_at: str


class ProfileOutputSummary(TypedDict):
    id: str
    type: Literal["profile"]
    # The subject
    target_id: str
    project_id: str
    text: str
    basis: Literal["active_facts"]
    provenance_status: Literal["fact_ids"]
    # Facts that match the filters
    fact_count: int
    active_fact_count: int
    # The newest confirmation among the active facts
    freshest_at: str | None
    source_quality_counts: dict[str, int]
    confidence_counts: dict[str, int]
    filters: dict[str, str]
    save_intent_filters: dict[str, str]
    provenance: list[ProfileOutputSummaryProvenance]
    generated_at: str


class ProfileOutput(TypedDict):
    status: Literal["ok"]
    subject: str
    summary: ProfileOutputSummary
    facts: list[Fact]
    # Send it to get the next page; null on the last page
    cursor: str | None


class PeopleOutput(TypedDict):
    status: Literal["ok"]
    results: list[Person]


class PendingApproveOutput(TypedDict):
    # pending_review: stored, but hidden until it is approved
    status: Literal["ok", "pending_review"]
    # The canonical id of the conversation
    id: str
    memory_status: Literal["active", "pending_review", "rejected"]
    # The same content was already stored
    deduplicated: bool
    # Messages added to a stored conversation of the same thread
    appended_messages: int
    # Chunks embedded and indexed by this call
    embedded_chunks: int
    # Chunks of the whole conversation
    chunks: int
    # Saved, but not in the vector index yet; it is indexed without another call
    indexing: NotRequired[Literal["pending"]]
    # Of a duplicate: why its source, thread, title, tags and time were not kept as an alias. review: the capture would have been held for review; limit: the conversation already has a hundred
    alias_left_out: NotRequired[Literal["review", "limit"]]
    # Why it is held for review
    review_reason: NotRequired[Literal["secret_detected"]]
    # The number of secrets that were redacted before storing
    redacted_secrets: NotRequired[int]


class PendingRejectOutput(TypedDict):
    status: Literal["ok"]
    id: str
    memory_status: Literal["rejected"]


class ForgetOutputExamples(TypedDict):
    id: str
    title: NotRequired[str]
    source: str
    timestamp: str


class ForgetOutputCertificate(TypedDict):
    """Only if requested, and only if `dry_run` is false"""

    forgotten_at: str
    # The user who forgot them
    user_id: str
    # The token that was used
    token_id: NotRequired[str]
    project_id: str
    conversations: int
    messages: int
    chunks: int
    facts: int
    # The conversations that were erased
    ids: list[str]


class ForgetOutput(TypedDict):
    status: Literal["ok"]
    dry_run: bool
    conversations: int
    messages: int
    chunks: int
    # Facts that are removed because nothing else states them
    facts: int
    # Some of them, newest first
    examples: list[ForgetOutputExamples]
    # Tombstones that were removed
    lifted: int
    # Of a dry run: identifies exactly these conversations in their current version
    selection: NotRequired[str]
    # Only if requested, and only if `dry_run` is false
    certificate: NotRequired[ForgetOutputCertificate]


class ProjectListOutput(TypedDict):
    status: Literal["ok"]
    results: list[Project]


class ProjectGetOutput(TypedDict):
    status: Literal["ok"]
    project: Project


class ProjectMembersOutput(TypedDict):
    status: Literal["ok"]
    project_id: str
    results: list[Member]
    # Whether you may add, change and remove members
    may_manage: bool


class ProjectMemberSetOutput(TypedDict):
    status: Literal["ok"]
    project_id: str
    member: Member


class ProjectMemberRemoveOutput(TypedDict):
    status: Literal["ok"]
    project_id: str
    member: Member


class ImportOutputExamples(TypedDict):
    place: str
    reason: str


class ImportOutput(TypedDict):
    status: Literal["ok"]
    # Conversations found in the export
    read: int
    # Stored as new conversations
    imported: int
    # Stored conversations that have grown
    appended: int
    # Already stored: nothing was added
    duplicates: int
    # Skipped: see `reasons`
    skipped: int
    # Messages that were stored
    messages: int
    # Messages that were already stored
    known_messages: int
    # Messages that were not stored, counted by reason
    left_out: dict[str, int]
    # Skipped conversations, counted by reason
    reasons: dict[str, int]
    # The first places that were skipped
    examples: list[ImportOutputExamples]
    dry_run: NotRequired[Literal[True]]
    # It was stopped before the end; run it again to import the rest
    interrupted: NotRequired[Literal[True]]


class ImportsCreateOutput(TypedDict):
    status: Literal["ok"]
    job: ImportJob


class ImportsListOutput(TypedDict):
    status: Literal["ok"]
    results: list[ImportJob]


class ImportsGetOutput(TypedDict):
    status: Literal["ok"]
    job: ImportJob


class ImportsCancelOutput(TypedDict):
    status: Literal["ok"]
    job: ImportJob
