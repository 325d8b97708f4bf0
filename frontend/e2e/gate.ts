import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider's front door, which lets in so many requests and keeps the others waiting: work stays under way until a test has seen it. */
export interface Gate {
  address: string;
  /** Lets in n more requests, then none. */
  only: (n: number) => void;
  /** Lets in all that wait and all that come. */
  open: () => void;
  close: () => void;
}

/** Opens a gate before the provider at an address. */
export async function startGate(provider: string): Promise<Gate> {
  let left = Infinity;
  const waiting: (() => void)[] = [];
  const enter = () => {
    while (left > 0 && waiting.length > 0) {
      left--;
      waiting.shift()?.();
    }
  };
  const to = new URL(provider);
  const server = createServer((request, response) => {
    waiting.push(() => {
      const { method, headers } = request;
      const inner = ask({ host: to.hostname, port: to.port, path: request.url, method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      inner.on("error", () => response.destroy());
      response.on("close", () => inner.destroy());
      request.pipe(inner);
    });
    enter();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${to.pathname}`,
    only: (n) => {
      left = n;
      enter();
    },
    open: () => {
      left = Infinity;
      enter();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
