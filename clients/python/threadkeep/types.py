"""What the server answers. Written by `npm run docs` from the schemas of the operations. Do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # Part of `typing` only from Python 3.11; type checkers know it everywhere.
    from typing_extensions import NotRequired


class Message(TypedDict):
    role: Literal["user", "assistant"]
    text: str
    # When it was said; absent where only the conversation's time is known
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
    # There was no room for its messages in this answer: retrieve it by its id
    messages_omitted: NotRequired[Literal[True]]
    # What later captures of the same words said about them; filters find it by these too
    aliases: NotRequired[list[ConversationAliases]]
    metadata: ConversationMetadata


class ConversationResultHighlights(TypedDict):
    start: int
    end: int


class ConversationResultExcerpt(TypedDict):
    """The part of the text that matches best, at most 240 characters"""

    start: int
    end: int


class ConversationResultChunksHighlights(TypedDict):
    start: int
    end: int


class ConversationResultChunksExcerpt(TypedDict):
    """The part of the text that matches best, at most 240 characters"""

    start: int
    end: int


class ConversationResultChunks(TypedDict):
    chunk_index: int
    # Which message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    # Where words of the query are, in UTF-16 code units from the beginning
    highlights: list[ConversationResultChunksHighlights]
    # The part of the text that matches best, at most 240 characters
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
    # strong, or weak: only the nearest there is
    match: Literal["strong", "weak"]
    # The parts of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    chunk_index: int
    # Which message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    # Where words of the query are, in UTF-16 code units from the beginning
    highlights: list[ConversationResultHighlights]
    # The part of the text that matches best, at most 240 characters
    excerpt: ConversationResultExcerpt
    conversation: Conversation
    # Best score of the conversation among the retrieved chunks
    conversation_score: float
    # Retrieved chunks of the conversation
    conversation_match_count: int
    chunks: list[ConversationResultChunks]


class ChunkResultHighlights(TypedDict):
    start: int
    end: int


class ChunkResultExcerpt(TypedDict):
    """The part of the text that matches best, at most 240 characters"""

    start: int
    end: int


class ChunkResult(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak: only the nearest there is
    match: Literal["strong", "weak"]
    # The parts of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    chunk_index: int
    # Which message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    # Where words of the query are, in UTF-16 code units from the beginning
    highlights: list[ChunkResultHighlights]
    # The part of the text that matches best, at most 240 characters
    excerpt: ChunkResultExcerpt
    conversation: Conversation
    # Best score of the conversation among the retrieved chunks
    conversation_score: float
    # Retrieved chunks of the conversation
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
    # strong, or weak: only the nearest there is
    match: Literal["strong", "weak"]
    # The parts of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    title: NotRequired[str]
    source: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    chunk_index: int
    # Which message of the conversation it is from, counted from 0
    message_index: int
    snippet: str
    # Where words of the query are, in UTF-16 code units from the beginning
    highlights: list[CompactResultHighlights]
    # Best score of the conversation among the retrieved chunks
    conversation_score: float
    # Retrieved chunks of the conversation
    conversation_match_count: int


class ThreadResultHighlights(TypedDict):
    start: int
    end: int


class ThreadResultExcerpt(TypedDict):
    """The part of the text that matches best, at most 240 characters"""

    start: int
    end: int


class ThreadResultConversationsHighlights(TypedDict):
    start: int
    end: int


class ThreadResultConversationsExcerpt(TypedDict):
    """The part of the text that matches best, at most 240 characters"""

    start: int
    end: int


class ThreadResultConversations(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak: only the nearest there is
    match: Literal["strong", "weak"]
    # The parts of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    title: NotRequired[str]
    source: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    chunk_index: int
    # Which message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # Where words of the query are, in UTF-16 code units from the beginning
    highlights: list[ThreadResultConversationsHighlights]
    # The part of the text that matches best, at most 240 characters
    excerpt: ThreadResultConversationsExcerpt
    # Best score of the conversation among the retrieved chunks
    conversation_score: float
    # Retrieved chunks of the conversation
    conversation_match_count: int


class ThreadResult(TypedDict):
    # Canonical conversation id
    id: str
    # Vector distance, lower is better
    score: float
    # The fused score that orders the results, higher is better
    relevance: float
    # strong, or weak: only the nearest there is
    match: Literal["strong", "weak"]
    # The parts of the relevance, with `explain`
    explanation: NotRequired[dict[str, float]]
    thread_id: str
    chunk_index: int
    # Which message of the conversation it is from, counted from 0
    message_index: int
    role: Literal["user", "assistant"]
    text: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    # Where words of the query are, in UTF-16 code units from the beginning
    highlights: list[ThreadResultHighlights]
    # The part of the text that matches best, at most 240 characters
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
    # There was no room for its messages in this answer: retrieve it by its id
    messages_omitted: NotRequired[Literal[True]]
    # What later captures of the same words said about them; filters find it by these too
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
    # The client's own hint, else the generated summary
    summary: NotRequired[str]
    message_count: int


class FactChangesSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # Where the sentence begins in the message
    start: int
    end: int
    source: str
    # When the message was said, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that it is over
    ends: NotRequired[Literal[True]]


class FactChanges(TypedDict):
    kind: Literal["added", "corrected", "retracted", "pinned", "unpinned", "detached"]
    at: str
    # Of `added`: the fact whose value was wrong
    corrects: NotRequired[str]
    # Of `corrected`: the fact with the right value
    by: NotRequired[str]
    # Of `retracted`: until when it was so; absent when it never was
    until: NotRequired[str]
    # Of `detached`: the sentences that do not state it after all
    sources: NotRequired[list[FactChangesSources]]


class FactSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # Where the sentence begins in the message
    start: int
    end: int
    source: str
    # When the message was said, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that it is over
    ends: NotRequired[Literal[True]]


class Fact(TypedDict):
    # For superseding it
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
    # The newest message that states it
    stated_at: str
    # The oldest message that states it
    created_at: str
    updated_at: str
    last_confirmed_at: str
    # When it stopped being so; null while it is active
    superseded_at: str | None
    # The fact that took its place; absent when it just ended
    superseded_by: NotRequired[str]
    # A caller decided so, and can restore it
    superseded_by_hand: NotRequired[Literal[True]]
    # Since when it is pinned; absent when it is not
    pinned_at: NotRequired[str]
    # What was changed by hand, oldest first; undo takes back the last
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
    # Absent for one who is only known by a relation
    name: NotRequired[str]
    other_names: list[str]
    # What they are to the user: sister, boss, dog
    relations: list[str]
    confidence: Literal["high", "medium", "low"]
    # The oldest message that tells of them
    since: str
    last_confirmed_at: str
    # The conversations that tell of them
    conversation_ids: list[str]
    # The facts that tell of them
    fact_ids: list[str]
    # The UTC months whose messages tell of them, in the order of time
    months: list[PersonMonths]
    # How facts about them name them, for a fact search by subject
    subjects: list[str]
    # What else is known about them
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
    # Which message of the conversation is quoted, counted from 0
    message_index: int
    # Vector distance, lower is better; absent for a turn quoted for context
    score: NotRequired[float]
    # The words that are quoted
    text: str
    role: Literal["user", "assistant"]
    title: NotRequired[str]
    source: str
    # When it was said: the message's own time, else the conversation's
    timestamp: str
    # What the times in it mean on the day it was said
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
    # When that sentence was said, in UTC
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
    # The message's own time; absent where only the conversation's is known
    timestamp: NotRequired[str]
    score: NotRequired[float]
    used_in_answer: bool
    # Cut to fit the token budget
    truncated: NotRequired[Literal[True]]


class FactEvidenceChangesSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # Where the sentence begins in the message
    start: int
    end: int
    source: str
    # When the message was said, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that it is over
    ends: NotRequired[Literal[True]]


class FactEvidenceChanges(TypedDict):
    kind: Literal["added", "corrected", "retracted", "pinned", "unpinned", "detached"]
    at: str
    # Of `added`: the fact whose value was wrong
    corrects: NotRequired[str]
    # Of `corrected`: the fact with the right value
    by: NotRequired[str]
    # Of `retracted`: until when it was so; absent when it never was
    until: NotRequired[str]
    # Of `detached`: the sentences that do not state it after all
    sources: NotRequired[list[FactEvidenceChangesSources]]


class FactEvidenceSources(TypedDict):
    conversation_id: str
    message_index: int
    chunk_index: int
    # Where the sentence begins in the message
    start: int
    end: int
    source: str
    # When the message was said, in UTC
    stated_at: str
    role: Literal["user", "assistant"]
    # The sentence says that it is over
    ends: NotRequired[Literal[True]]


class FactEvidence(TypedDict):
    type: Literal["fact"]
    fact_id: str
    # For superseding it
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
    # The newest message that states it
    stated_at: str
    # The oldest message that states it
    created_at: str
    updated_at: str
    last_confirmed_at: str
    # When it stopped being so; null while it is active
    superseded_at: str | None
    # The fact that took its place; absent when it just ended
    superseded_by: NotRequired[str]
    # A caller decided so, and can restore it
    superseded_by_hand: NotRequired[Literal[True]]
    # Since when it is pinned; absent when it is not
    pinned_at: NotRequired[str]
    # What was changed by hand, oldest first; undo takes back the last
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
    # What it cites
    evidence: list[CitedMessage | CitedFact]


class ImportJobReportExamples(TypedDict):
    place: str
    reason: str


class ImportJobReport(TypedDict):
    """What it did so far; at the end all of it"""

    status: Literal["ok"]
    # Conversations found in the export
    read: int
    # Stored as new memories
    imported: int
    # Conversations that were known and have grown
    appended: int
    # Known already: nothing was added
    duplicates: int
    # Left out: see `reasons`
    skipped: int
    # Messages that were stored
    messages: int
    # Messages that were known already
    known_messages: int
    # Messages that are not kept: how often each reason occurred
    left_out: dict[str, int]
    # How often each reason occurred
    reasons: dict[str, int]
    # The first of the places that were left out
    examples: list[ImportJobReportExamples]
    dry_run: NotRequired[Literal[True]]
    # It was stopped before the end; run it again for the rest
    interrupted: NotRequired[Literal[True]]


class ImportJobError(TypedDict):
    """Why it failed"""

    error_code: str
    error_message: str


class ImportJob(TypedDict):
    id: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    # As it was asked for; auto recognises it by the content
    format: str
    # What the sender called the file; without memory:read only in jobs of the same token
    filename: NotRequired[str]
    # How large the file is
    bytes: int
    # How much of it this run has read, while it runs
    read_bytes: NotRequired[int]
    # Where everything goes, if one was named
    project_id: NotRequired[str]
    since: NotRequired[str]
    source: NotRequired[str]
    dry_run: bool
    created_at: str
    started_at: NotRequired[str]
    ended_at: NotRequired[str]
    # How often it went on after the service had stopped
    resumed: int
    # Conversations in the file, once they are counted; `report.read` goes up to it
    total: NotRequired[int]
    # What it did so far; at the end all of it
    report: ImportJobReport
    # Why it failed
    error: NotRequired[ImportJobError]


class Project(TypedDict):
    id: str
    name: str
    description: NotRequired[str]
    owner_id: str
    # The private project that a call without project_id is about
    is_default: bool
    # What you may do in it
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
    # The same content was stored before
    deduplicated: bool
    # Messages added to a stored conversation of the same thread
    appended_messages: int
    # Chunks embedded and indexed by this call
    embedded_chunks: int
    # Chunks of the whole conversation
    chunks: int
    # Saved, but not in the vector index yet; it will be without a further call
    indexing: NotRequired[Literal["pending"]]
    # Of a duplicate: why its source, thread, title, tags and time are not kept beside the first. review: the capture would have waited for review; limit: there are a hundred already
    alias_left_out: NotRequired[Literal["review", "limit"]]
    # Why it waits for review
    review_reason: NotRequired[Literal["secret_detected"]]
    # Secrets that were replaced before storing
    redacted_secrets: NotRequired[int]


class ValidateOutput(TypedDict):
    status: Literal["ok"]
    valid: Literal[True]
    # What an insert would make of it
    memory_status: Literal["active", "pending_review", "rejected"]


class SearchOutputCurrentFacts(TypedDict):
    fact_id: str
    subject: str
    predicate: str
    # The value for display
    value: str
    # When it was first said, in UTC
    valid_from: str
    # When it was last said, in UTC
    confirmed_at: str
    confidence: Literal["high", "medium", "low"]
    # The conversation of the newest shown message that states it
    conversation_id: str
    message_index: int


class SearchOutput(TypedDict):
    status: Literal["ok"]
    results: list[Any]
    # Pass it back to get the next page; null at the end
    cursor: str | None
    # About how many results there are; grows where a later page looks further
    total: int
    # With `include_facts`: what the messages that are shown state and is still so
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
    # When it was said: the message's own time, else the conversation's
    timestamp: str


class ContextOutput(TypedDict):
    status: Literal["ok"]
    id: str
    title: NotRequired[str]
    source: str
    timestamp: str
    # The message that was asked about
    message_index: int
    # How many messages the conversation has
    message_count: int
    # That message and those around it, in order
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
    # When it was first said, in UTC
    valid_from: str
    # When it was last said, in UTC
    confirmed_at: str
    confidence: Literal["high", "medium", "low"]
    # The conversation of the newest shown message that states it
    conversation_id: str
    message_index: int


class AskOutputComposition(TypedDict):
    """Who put the answer into words; absent without `ask.model`"""

    # `extraction`: the answer is the one that is made without a model
    by: Literal["model", "extraction"]
    # Why the model did not write it; `not_found` and `conflict` were not sent to it
    reason: NotRequired[Literal["timeout", "unreachable", "failed", "malformed", "refused", "left_alone", "cancelled", "unsupported", "not_found", "conflict"]]
    model: NotRequired[str]
    sentences: NotRequired[list[AnswerSentence]]
    # Sentences of the model that its evidence does not support
    sentences_dropped: int
    # What the answer would be without the model
    extractive_answer: NotRequired[str]


class AskOutput(TypedDict):
    status: Literal["ok"]
    answer: str
    answer_basis: Literal["direct_memory", "fact_layer", "mixed", "conflict", "not_found"]
    confidence: Literal["high", "medium", "low", "none"]
    confidence_reason: str
    # How likely the answer is right, 0 to 1; absent where no model has read the messages
    confidence_score: NotRequired[float]
    # The answers to the parts of a question with two; the confidence above is that of the least sure one
    parts: NotRequired[list[AskOutputParts]]
    # The chunks and facts the answer is made from
    citations: list[ChunkCitation | FactCitation]
    provenance: AskOutputProvenance
    evidence: list[ChunkEvidence | FactEvidence]
    structured_evidence: AskOutputStructuredEvidence
    # The active facts the answer states
    facts: list[Fact]
    # With `include_facts`: what the messages that are shown state and is still so
    current_facts: NotRequired[list[AskOutputCurrentFacts]]
    # Who put the answer into words; absent without `ask.model`
    composition: NotRequired[AskOutputComposition]
    # The hits the answer was made from, or the closest ones when there is none
    results: list[Any]
    # With a token budget: tokens of the texts and facts used
    context_tokens_used: NotRequired[int]
    chunks_selected: NotRequired[int]
    chunks_dropped: NotRequired[int]
    tokenizer_used: NotRequired[str]
    # What the confidence is made of, with `explain`
    explanation: NotRequired[dict[str, float]]
    # What was not available for this answer
    diagnostics: NotRequired[dict[str, str]]


class ConversationListOutput(TypedDict):
    status: Literal["ok"]
    results: list[ListedConversation]
    # How many conversations pass the filters, on all pages
    total: int
    # Pass it back to get the next page; null at the end
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
    """The conversation as it is now; only for tokens that may read"""

    id: str
    source: str
    title: NotRequired[str]
    timestamp: str
    # There was no room for its messages in this answer: retrieve it by its id
    messages_omitted: NotRequired[Literal[True]]
    # What later captures of the same words said about them; filters find it by these too
    aliases: NotRequired[list[ConversationUpdateOutputMemoryAliases]]
    metadata: ConversationUpdateOutputMemoryMetadata


class ConversationUpdateOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The conversation as it is now; only for tokens that may read
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
    # As the filters take it
    name: str
    # Of a thread: the title of its newest conversation
    title: NotRequired[str]
    conversations: int
    messages: int
    # Passages in the index
    chunks: int
    # The UTC day of the oldest conversation
    first: str
    # The UTC day of the newest conversation
    last: str
    # The months that have conversations, in the order of time
    months: list[ActivityOutputLabelsMonths]


class ActivityOutput(TypedDict):
    status: Literal["ok"]
    # One entry per day and source that has conversations, in the order of time
    days: list[ActivityOutputDays]
    # Only if asked for; the most frequent of each kind first
    labels: NotRequired[list[ActivityOutputLabels]]


class TimelineOutput(TypedDict):
    status: Literal["ok"]
    results: list[TimelineEntry]
    cursor: str | None


class FactSearchOutput(TypedDict):
    status: Literal["ok"]
    results: list[Fact]
    # Pass it back to get the next page; null at the end
    cursor: str | None


class FactSupersedeOutput(TypedDict):
    status: Literal["ok"]
    id: str
    superseded_by: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]


class FactRestoreOutput(TypedDict):
    status: Literal["ok"]
    id: str
    fact: NotRequired[Fact]


class FactAddOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]


class FactCorrectOutput(TypedDict):
    status: Literal["ok"]
    # The fact with the right value; for tokens that may not read, the one that was named
    id: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]
    # The fact with the old value, which stays as history; absent where only the wording changed
    superseded: NotRequired[Fact]


class FactRetractOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]


class FactPinOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]


class FactUnpinOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]


class FactDetachOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact as it is now; only for tokens that may read
    fact: NotRequired[Fact]


class FactUndoOutput(TypedDict):
    status: Literal["ok"]
    id: str
    # The fact as it is now; absent when nothing but the change stated it
    fact: NotRequired[Fact]
    # What was taken back; only for tokens that may read
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
    # Pass it back to get the next page; null at the end
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
    # The same content was stored before
    deduplicated: bool
    # Messages added to a stored conversation of the same thread
    appended_messages: int
    # Chunks embedded and indexed by this call
    embedded_chunks: int
    # Chunks of the whole conversation
    chunks: int
    # Saved, but not in the vector index yet; it will be without a further call
    indexing: NotRequired[Literal["pending"]]
    # Of a duplicate: why its source, thread, title, tags and time are not kept beside the first. review: the capture would have waited for review; limit: there are a hundred already
    alias_left_out: NotRequired[Literal["review", "limit"]]
    # Why it waits for review
    review_reason: NotRequired[Literal["secret_detected"]]
    # Secrets that were replaced before storing
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
    """Only if asked for, and only when something was to be erased for good"""

    forgotten_at: str
    # Who forgot them
    user_id: str
    # With which token
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
    # Facts that go, because nothing else states them
    facts: int
    # Some of them, newest first
    examples: list[ForgetOutputExamples]
    # Marks of earlier forgetting that were lifted
    lifted: int
    # Of a dry run: names exactly these conversations, as they are now
    selection: NotRequired[str]
    # Only if asked for, and only when something was to be erased for good
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
    # Stored as new memories
    imported: int
    # Conversations that were known and have grown
    appended: int
    # Known already: nothing was added
    duplicates: int
    # Left out: see `reasons`
    skipped: int
    # Messages that were stored
    messages: int
    # Messages that were known already
    known_messages: int
    # Messages that are not kept: how often each reason occurred
    left_out: dict[str, int]
    # How often each reason occurred
    reasons: dict[str, int]
    # The first of the places that were left out
    examples: list[ImportOutputExamples]
    dry_run: NotRequired[Literal[True]]
    # It was stopped before the end; run it again for the rest
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
