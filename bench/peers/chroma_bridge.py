"""Chroma in this process, with its files in the named folder: documents with the vectors that they are given."""

import sys

import chromadb
from bridge import decoded, serve

client = chromadb.PersistentClient(
    path=sys.argv[1], settings=chromadb.Settings(anonymized_telemetry=False)
)
collection = client.get_or_create_collection(
    "messages", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
)


def insert(key, source, texts, vectors):
    collection.add(
        ids=[f"{key}#{index}" for index in range(len(texts))],
        documents=texts,
        embeddings=[decoded(vector) for vector in vectors],
        metadatas=[{"key": key, "index": index, "source": source} for index in range(len(texts))],
    )


def search(vector, limit, source=None):
    found = collection.query(
        query_embeddings=[decoded(vector)],
        n_results=limit,
        where=None if source is None else {"source": source},
        include=["documents", "metadatas"],
    )
    return [
        {"key": place["key"], "index": place["index"], "text": text}
        for place, text in zip(found["metadatas"][0], found["documents"][0])
    ]


serve({"insert": insert, "search": search})
