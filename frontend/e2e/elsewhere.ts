import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { payloads } from "./payloads.ts";

/**
 * Systems that the workbench asks and that answer with attacks: /rag is a RAG system behind HTTP, /v1 a provider of models that
 * refuses everything with a message.
 */
export async function startElsewhere(): Promise<{ address: string; close: () => void }> {
  let asked = 0;
  const text = () => payloads[asked++ % payloads.length]?.text ?? "";
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const models = request.url?.startsWith("/v1");
      const reply = models
        ? { error: { message: `refused: ${text()}`, type: text(), code: text() } }
        : {
            answer: `${text()} ${text()}`,
            version: text(),
            sources: [0, 1, 2].map((i) => ({ text: `${text()} context`, doc: `doc ${i} ${text()}` })),
          };
      response.writeHead(models ? 400 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
