"""Haystack: a pipeline of components becomes a pipeline. pip install haystack-ai rag-workbench"""

from __future__ import annotations

from evaluate import TEXTS, evaluate
from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


@component
class FakeGenerator:
    """Says the last statement of the prompt; yours: OpenAIGenerator(model="gpt-4.1-mini") …"""

    @component.output_types(replies=list[str])
    def run(self, prompt: str) -> dict[str, list[str]]:
        """Replies as a generator does."""
        return {"replies": [prompt.strip().split(". ")[-1]]}


store = InMemoryDocumentStore()
store.write_documents([Document(content=text, id=name) for name, text in TEXTS.items()])
rag = Pipeline()
rag.add_component("retriever", InMemoryBM25Retriever(store, top_k=1))
rag.add_component("prompt", PromptBuilder("{{question}}\n{% for d in documents %}{{d.content}}{% endfor %}", required_variables="*"))
rag.add_component("generator", FakeGenerator())
rag.connect("retriever.documents", "prompt.documents")
rag.connect("prompt.prompt", "generator.prompt")


def pipeline(question: str) -> dict[str, object]:
    """One question through the components: the answer, the contexts, and where they are from."""
    done = rag.run({"retriever": {"query": question}, "prompt": {"question": question}}, include_outputs_from={"retriever"})
    found = done["retriever"]["documents"]
    return {"answer": done["generator"]["replies"][0], "contexts": [d.content for d in found], "context_ids": [d.id for d in found]}


if __name__ == "__main__":
    evaluate("haystack", pipeline)
