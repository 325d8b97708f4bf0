"""LlamaIndex: a query engine becomes a pipeline. pip install llama-index-core rag-workbench"""

from __future__ import annotations

from evaluate import TEXTS, evaluate
from llama_index.core import Document, MockEmbedding, VectorStoreIndex
from llama_index.core.llms import MockLLM

documents = [Document(text=text, doc_id=name) for name, text in TEXTS.items()]
index = VectorStoreIndex.from_documents(documents, embed_model=MockEmbedding(embed_dim=8))
engine = index.as_query_engine(llm=MockLLM(max_tokens=64), similarity_top_k=2)  # yours: OpenAI(model="gpt-4.1-mini") …


def pipeline(question: str) -> tuple[str, list[str]]:
    """One question through the engine: its answer, and the nodes that it read."""
    reply = engine.query(question)
    return str(reply), [node.get_content() for node in reply.source_nodes]


if __name__ == "__main__":
    evaluate("llama-index", pipeline)
