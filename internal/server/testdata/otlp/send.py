"""Sends the traces of a tiny pipeline with opentelemetry-sdk and its OTLP/HTTP exporter, instrumented by OpenInference for LangChain: as a
program that people run does. With an address it sends there; with --record it writes the bodies of its requests as files.

pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http openinference-instrumentation-langchain langchain-core
"""
import http.server, sys, threading
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

ASKED = [("How long may a parcel wait? Write to jane.roe@mail.example.", "Fourteen days, says desk@mail.example."),
         ("図書室は何時に閉まりますか。", "午後八時に閉まります。")]
PASSAGE = "Parcels wait at the counter for fourteen days."

class Recorder(http.server.BaseHTTPRequestHandler):
    n = 0
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Recorder.n += 1
        with open(f"{Recorder.n}.pb.gz", "wb") as f:
            f.write(body)
        assert self.headers["Content-Encoding"] == "gzip" and self.headers["Content-Type"] == "application/x-protobuf"
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_):
        pass

def pipeline():
    class Known(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(page_content=PASSAGE, metadata={"source": "rules.md"})]
    prompt = ChatPromptTemplate.from_messages([("system", "Answer from: {context}"), ("human", "{question}")])
    join = RunnableLambda(lambda docs: "\n".join(d.page_content for d in docs))
    model = FakeListChatModel(responses=[answer for _, answer in ASKED])
    return {"context": Known() | join, "question": RunnablePassthrough()} | prompt | model | StrOutputParser()

def main(address, token):
    headers = {"Authorization": "Bearer " + token} if token else None
    exporter = OTLPSpanExporter(endpoint=address + "/v1/traces", headers=headers, compression=Compression.Gzip)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(exporter, max_export_batch_size=6))  # a trace comes in several requests
    LangChainInstrumentor().instrument(tracer_provider=provider)
    chain = pipeline()
    for question, _ in ASKED:
        chain.invoke(question)
    provider.shutdown()

if sys.argv[1] == "--record":
    server = http.server.HTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    main(f"http://127.0.0.1:{server.server_port}", "")
else:
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
