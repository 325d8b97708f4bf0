"""Writes what MLflow, Phoenix and LangSmith export of the traces of a tiny pipeline, with the tools themselves. Ids and times are those of the
moment. Each tool wants a virtual environment of its own:

pip install mlflow         (3.17.2)     python trace_tools_make.py mlflow
pip install arize-phoenix  (20.26.1)    phoenix serve & python trace_tools_make.py phoenix
pip install langsmith langchain-core (0.15.0)  python trace_tools_make.py langsmith

LangSmith keeps traces in its service, which does not run here: its file holds the runs as its SDK makes them, in the form in which
the SDK returns them (Client.list_runs, Run.model_dump_json).
"""
import json, os, sys
from world import ROWS

def mlflow():
    import mlflow
    from mlflow.entities import Document, SpanType
    mlflow.set_tracking_uri("sqlite:///mlflow.db")
    mlflow.set_experiment("help-desk")
    known = {r["q"]: r for r in ROWS}

    @mlflow.trace(span_type=SpanType.RETRIEVER)
    def retrieve(query):
        return [Document(page_content=c, metadata={"doc_uri": "rules.md"}, id=f"rules-{i}") for i, c in enumerate(known[query]["ctx"])]

    @mlflow.trace(span_type=SpanType.CHAT_MODEL)
    def model(messages):
        return {"choices": [{"message": {"role": "assistant", "content": known[messages[-1]["content"]]["ans"]}}]}

    @mlflow.trace(span_type=SpanType.CHAIN)
    def answer(question):
        found = retrieve(question)
        said = model([{"role": "system", "content": str(len(found))}, {"role": "user", "content": question}])
        return said["choices"][0]["message"]["content"]

    @mlflow.trace(span_type=SpanType.CHAIN)
    def fails(question):
        raise ValueError("429 too many requests")

    for r in ROWS:
        answer(r["q"])
    try:
        fails("Who answers the phone?")
    except ValueError:
        pass
    mlflow.flush_trace_async_logging()
    traces = mlflow.search_traces(return_type="list", order_by=["timestamp_ms ASC"])
    kept = [t.to_dict() for t in traces]
    for t in kept:  # what they tell of the machine
        t["info"]["tags"], t["info"]["trace_metadata"] = {}, {}
    with open("mlflow.traces.json", "w") as f:
        json.dump(kept, f, ensure_ascii=False, indent=1)

def phoenix():
    import opentelemetry.trace
    from openinference.instrumentation import get_output_attributes, get_input_attributes, get_span_kind_attributes
    from openinference.semconv.trace import SpanAttributes as A, DocumentAttributes as D
    from phoenix.client import Client
    from phoenix.otel import register
    provider = register(project_name="help-desk", endpoint="http://localhost:6006/v1/traces", batch=False, verbose=False)
    tracer = provider.get_tracer("help-desk")
    def documents(span, name, found):
        for i, c in enumerate(found):
            span.set_attribute(f"{name}.{i}.{D.DOCUMENT_CONTENT}", c)
            span.set_attribute(f"{name}.{i}.{D.DOCUMENT_ID}", f"rules-{i}")
    def one(q, ans, ctx, reranked=None, failed=False):
        with tracer.start_as_current_span("answer", openinference_span_kind="chain") as root:
            root.set_input(q)
            with tracer.start_as_current_span("retrieve", openinference_span_kind="retriever") as s:
                s.set_input(q)
                documents(s, A.RETRIEVAL_DOCUMENTS, ctx)
            if reranked:
                with tracer.start_as_current_span("rerank", openinference_span_kind="reranker") as s:
                    documents(s, "reranker.output_documents", reranked)
            if failed:
                root.set_status(opentelemetry.trace.StatusCode.ERROR, "429 too many requests")
                return
            with tracer.start_as_current_span("model", openinference_span_kind="llm") as s:
                s.set_attribute(A.LLM_TOKEN_COUNT_PROMPT, 40)
                s.set_attribute(A.LLM_TOKEN_COUNT_COMPLETION, 9)
            root.set_output(ans)
    for r in ROWS:
        one(r["q"], r["ans"], r["ctx"])
    one("Which counter is open on Sunday?", "The north counter.", ["The south counter opens daily.", "The north counter opens on Sundays."],
        reranked=["The north counter opens on Sundays."])
    one("Who answers the phone?", "", [], failed=True)
    import time, httpx
    time.sleep(3)
    page = httpx.get("http://localhost:6006/v1/projects/help-desk/spans", params={"limit": 1000}).json()
    with open("phoenix.spans.json", "w") as f:
        json.dump(page, f, ensure_ascii=False, indent=1)
    frame = Client(base_url="http://localhost:6006").spans.get_spans_dataframe(project_identifier="help-desk")
    frame.to_json("phoenix.frame.json", orient="records", force_ascii=False, date_format="iso", default_handler=str)

def langsmith():
    os.environ["LANGCHAIN_TRACING_V2"] = "false"
    from langchain_core.documents import Document
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableLambda, RunnablePassthrough
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler
    from langsmith.schemas import Run
    known = {r["q"]: r["ctx"] for r in ROWS}
    class Known(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(page_content=c, metadata={"source": "rules.md"}, id=f"rules-{i}") for i, c in enumerate(known[query])]
    prompt = ChatPromptTemplate.from_messages([("system", "Answer from: {context}"), ("human", "{question}")])
    join = RunnableLambda(lambda docs: "\n".join(d.page_content for d in docs))
    model = FakeListChatModel(responses=[r["ans"] for r in ROWS])
    chain = {"context": Known() | join, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
    collector = RunCollectorCallbackHandler()
    for r in ROWS:
        chain.invoke(r["q"], config={"callbacks": [collector]})
    def fails(_):
        raise ValueError("429 too many requests")
    try:
        RunnableLambda(fails).invoke("Who answers the phone?", config={"callbacks": [collector]})
    except ValueError:
        pass
    def flat(run):
        yield run
        for child in run.child_runs:
            yield from flat(child)
    fields = ("id", "name", "run_type", "start_time", "end_time", "inputs", "outputs", "error", "parent_run_id", "trace_id", "dotted_order")
    with open("langsmith.runs.jsonl", "w") as f:
        for root in collector.traced_runs:
            for run in flat(root):
                given = {k: getattr(run, k) for k in fields}
                given["inputs"] = given["inputs"] or {}
                f.write(Run(**json.loads(json.dumps(given, default=jsonable)), session_id=root.id).model_dump_json(exclude_none=True) + "\n")

def jsonable(v):
    return v.model_dump() if hasattr(v, "model_dump") else str(v)

{"mlflow": mlflow, "phoenix": phoenix, "langsmith": langsmith}[sys.argv[1]]()
