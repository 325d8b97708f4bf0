"""Writes OTLP/JSON traces with opentelemetry-sdk: of LangChain through OpenInference's instrumentation, and with the attributes of the
semantic conventions for generative AI. Ids and times come from counters, so that the files stay the same.

pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-common openinference-instrumentation-langchain langchain-core
"""
import json, sys
from google.protobuf.json_format import MessageToDict, ParseDict
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as ai
from opentelemetry.trace import Status, StatusCode
from world import ROWS

class Counted(IdGenerator):
    n = 0
    def generate_span_id(self):
        Counted.n += 1
        return Counted.n
    def generate_trace_id(self):
        Counted.n += 1
        return 10**30 + Counted.n

def provider():
    out = InMemorySpanExporter()
    p = TracerProvider(resource=Resource({"service.name": "help-desk"}), id_generator=Counted(), shutdown_on_exit=False)
    p.add_span_processor(SimpleSpanProcessor(out))
    return p, out

def save(name, exporter, lines=False):
    """Writes spans with the times of a counter: a millisecond between any two moments, in their order."""
    message = MessageToDict(encode_spans(exporter.get_finished_spans()))
    spans = [s for r in message["resourceSpans"] for g in r["scopeSpans"] for s in g["spans"]]
    moments = sorted({int(s[k]) for s in spans for k in ("startTimeUnixNano", "endTimeUnixNano")})
    at = {m: str(1_790_000_000_000_000_000 + 1_000_000 * i) for i, m in enumerate(moments)}
    for s in spans:
        for k in ("startTimeUnixNano", "endTimeUnixNano"):
            s[k] = at[int(s[k])]
        for e in s.get("events", []):
            e["timeUnixNano"] = s["startTimeUnixNano"]
    binary(name, message, lines)
    with open(name, "w") as f:
        if lines:  # as the file exporter of the collector does
            for r in message["resourceSpans"]:
                for g in r["scopeSpans"]:
                    for s in g["spans"]:
                        scopes = [{"scope": g["scope"], "spans": [s]}]
                        one = {"resourceSpans": [{"resource": r["resource"], "scopeSpans": scopes}]}
                        f.write(json.dumps(one, ensure_ascii=False) + "\n")
        else:
            json.dump(message, f, ensure_ascii=False, indent=1)

def binary(name, message, lines):
    """Writes the same in protobuf: as an exporter sends it, or as the collector's file exporter does, each request behind its length."""
    with open(name.rsplit(".", 1)[0] + ".pb", "wb") as f:
        if not lines:
            f.write(ParseDict(message, TracesData()).SerializeToString())
            return
        for r in message["resourceSpans"]:
            one = ParseDict({"resourceSpans": [r]}, TracesData()).SerializeToString()
            f.write(len(one).to_bytes(4, "big") + one)

def langchain():
    from langchain_core.documents import Document
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import RunnableLambda, RunnablePassthrough
    from openinference.instrumentation.langchain import LangChainInstrumentor
    p, out = provider()
    LangChainInstrumentor().instrument(tracer_provider=p)
    known = {r["q"]: r["ctx"] for r in ROWS}
    class Known(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(page_content=c, metadata={"source": "rules.md"}, id=f"rules-{i}") for i, c in enumerate(known[query])]
    prompt = ChatPromptTemplate.from_messages([("system", "Answer from: {context}"), ("human", "{question}")])
    model = FakeListChatModel(responses=[r["ans"] for r in ROWS])
    join = RunnableLambda(lambda docs: "\n".join(d.page_content for d in docs))
    chain = {"context": Known() | join, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()
    for r in ROWS:
        chain.invoke(r["q"])
    save("otel.openinference.json", out)

def genai():
    p, out = provider()
    tracer = p.get_tracer("help-desk")
    said = lambda role, text: {"role": role, "parts": [{"type": "text", "content": text}]}
    def one(q, ans, ctx, failed=False, before=()):
        with tracer.start_as_current_span("invoke_agent desk", attributes={ai.GEN_AI_OPERATION_NAME: "invoke_agent"}) as root:
            with tracer.start_as_current_span("retrieval rules", attributes={ai.GEN_AI_OPERATION_NAME: "retrieval"}) as s:
                s.set_attribute("gen_ai.retrieval.query.text", q)
                found = [{"id": f"rules-{i}", "score": 0.5, "content": c} for i, c in enumerate(ctx)]
                s.set_attribute("gen_ai.retrieval.documents", json.dumps(found, ensure_ascii=False))
            with tracer.start_as_current_span("chat gpt-4.1-mini", attributes={ai.GEN_AI_OPERATION_NAME: "chat", ai.GEN_AI_REQUEST_MODEL: "gpt-4.1-mini"}) as s:
                s.set_attribute(ai.GEN_AI_SYSTEM_INSTRUCTIONS, json.dumps([{"type": "text", "content": "Answer from the rules."}]))
                s.set_attribute(ai.GEN_AI_INPUT_MESSAGES, json.dumps([*before, said("user", q)], ensure_ascii=False))
                if failed:
                    s.set_status(Status(StatusCode.ERROR, "429 too many requests"))
                    root.set_status(Status(StatusCode.ERROR, "429 too many requests"))
                    return
                s.set_attribute(ai.GEN_AI_OUTPUT_MESSAGES, json.dumps([{**said("assistant", ans), "finish_reason": "stop"}], ensure_ascii=False))
                s.set_attribute(ai.GEN_AI_USAGE_INPUT_TOKENS, 40)
                s.set_attribute(ai.GEN_AI_USAGE_OUTPUT_TOKENS, 9)
    for r in ROWS:
        one(r["q"], r["ans"], r["ctx"])
    one(ROWS[0]["q"].upper(), "Fourteen days; write to mail@desk.example or call 03-1234-5678.", ROWS[0]["ctx"])  # asked again
    one("Is my parcel 0042 there? I am at jane.roe@mail.example.", "It is there.", ["Parcels are listed."])
    one("And then?", "It is sent back.", ROWS[0]["ctx"], before=[said("user", ROWS[0]["q"]), said("assistant", ROWS[0]["ans"])])
    one("Who answers the phone?", "", [], failed=True)
    with tracer.start_as_current_span("GET /healthz"):
        pass
    save("otel.genai.jsonl", out, lines=True)

langchain()
genai()
