"""LangChain: a retriever and a chain become a pipeline. pip install langchain-core rag-workbench"""

from __future__ import annotations

from evaluate import TEXTS, evaluate
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.vectorstores import InMemoryVectorStore

store = InMemoryVectorStore(DeterministicFakeEmbedding(size=64))
store.add_documents([Document(text, id=name) for name, text in TEXTS.items()])
retriever = store.as_retriever(search_kwargs={"k": 1})
prompt = ChatPromptTemplate.from_messages([("system", "Answer from: {context}"), ("human", "{question}")])
model = FakeListChatModel(responses=["The desk opens at nine in the morning."])  # yours: ChatOpenAI(model="gpt-4.1-mini") …
chain = prompt | model | StrOutputParser()


def pipeline(question: str) -> dict[str, object]:
    """One question through the chain: its answer, the contexts, and where they are from."""
    found = retriever.invoke(question)
    contexts = [document.page_content for document in found]
    answer = chain.invoke({"context": "\n\n".join(contexts), "question": question})
    return {"answer": answer, "contexts": contexts, "context_ids": [document.id for document in found]}


if __name__ == "__main__":
    evaluate("langchain", pipeline)
