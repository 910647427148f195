"""mem0 in this process, with its default store (Qdrant, local) in the named folder: messages as they are, no LLM."""

import os
import sys

from bridge import decoded, serve
from mem0 import Memory

folder = sys.argv[1]
# It opens a client for both models, and neither is called: the vectors are given, and nothing is inferred.
unused = {"provider": "openai", "config": {"api_key": "unused"}}
memory = Memory.from_config(
    {
        "vector_store": {
            "provider": "qdrant",
            "config": {
                "path": os.path.join(folder, "qdrant"),
                "collection_name": "messages",
                "embedding_model_dims": int(os.environ["DIMENSION"]),
                "on_disk": True,
            },
        },
        "embedder": unused,
        "llm": unused,
        "history_db_path": os.path.join(folder, "history.db"),
    }
)


class Given:
    """An embedder that answers the vectors that came with the request."""

    def __init__(self, config):
        self.config = config
        self.vectors = {}

    def embed(self, text, memory_action=None):
        return self.vectors[text]

    def embed_batch(self, texts, memory_action=None):
        return [self.vectors[text] for text in texts]


given = Given(memory.embedding_model.config)
memory.embedding_model = given


def insert(key, source, messages, vectors):
    given.vectors = {message["text"]: decoded(vector).tolist() for message, vector in zip(messages, vectors)}
    # One call for each message, so that each carries its own place: mem0 stores them one by one in any case.
    for index, message in enumerate(messages):
        memory.add(
            [{"role": message["role"], "content": message["text"]}],
            agent_id="bench",
            metadata={"key": key, "index": index, "source": source},
            infer=False,
        )


def search(text, vector, limit, source=None):
    given.vectors = {text.strip(): decoded(vector).tolist(), text: decoded(vector).tolist()}
    filters = {"agent_id": "bench"} if source is None else {"agent_id": "bench", "source": source}
    # Its threshold would leave out weak hits, which the others return.
    found = memory.search(text, filters=filters, top_k=limit, threshold=0.0)
    return [
        {"key": hit["metadata"]["key"], "index": hit["metadata"]["index"], "text": hit["memory"]}
        for hit in found["results"]
    ]


serve({"insert": insert, "search": search})
