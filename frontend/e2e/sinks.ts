import { createServer } from "node:http";
import { type AddressInfo, createServer as createWire } from "node:net";

/** A mail as a server took it over: its subject, its parts by media type, and its files by name. */
export interface Mail {
  to: string;
  subject: string;
  parts: Record<string, string>;
  files: Record<string, Buffer>;
}

/** Something on this machine that takes what is sent to it. */
export interface Sink<T> {
  port: number;
  /** What came, in its order. */
  got: T[];
  close: () => void;
}

/** Takes mails by SMTP, without encryption. */
export async function startMailbox(): Promise<Sink<Mail>> {
  const got: Mail[] = [];
  const server = createWire((wire) => {
    let text = "";
    let to = "";
    let body = false;
    const say = (line: string) => wire.write(`${line}\r\n`);
    wire.on("error", () => wire.destroy());
    wire.on("data", (more) => {
      text += more.toString("latin1");
      for (;;) {
        const end = body ? text.indexOf("\r\n.\r\n") : text.indexOf("\r\n");
        if (end < 0) return;
        const [said, rest] = [text.slice(0, end), text.slice(end + (body ? 5 : 2))];
        text = rest;
        if (body) {
          got.push(opened(to, said.replace(/^\.\./gm, ".")));
          body = false;
          say("250 taken");
          continue;
        }
        const verb = said.slice(0, 4).toUpperCase();
        if (verb === "RCPT") to = /<(.*?)>/.exec(said)?.[1] ?? "";
        if (verb === "DATA") body = true;
        if (verb === "QUIT") wire.end("221 bye\r\n");
        else say(verb === "DATA" ? "354 go on" : verb === "EHLO" ? "250 here" : "250 well");
      }
    });
    say("220 here");
  });
  return listening(server, got);
}

/** Takes what is posted to it as JSON, as Slack does. */
export async function startPostbox(): Promise<Sink<Record<string, unknown>>> {
  const got: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (more) => (text += String(more)));
    request.on("end", () => {
      got.push(JSON.parse(text) as Record<string, unknown>);
      response.end("ok");
    });
  });
  return listening(server, got);
}

async function listening<T>(server: ReturnType<typeof createWire>, got: T[]): Promise<Sink<T>> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, got, close: () => server.close() };
}

/** A mail taken apart. */
function opened(to: string, raw: string): Mail {
  const mail: Mail = { to, subject: subjectOf(raw), parts: {}, files: {} };
  const take = (part: string) => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const headers = head.replace(/\r\n[ \t]+/g, " ");
    const header = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(headers)?.[1] ?? "";
    const boundary = /boundary="?([^";\r\n]+)"?/i.exec(header("Content-Type"))?.[1];
    const body = rest.join("\r\n\r\n");
    if (boundary) {
      for (const one of body.split(`--${boundary}`).slice(1, -1)) take(one.replace(/^\r\n/, ""));
      return;
    }
    const bytes = decoded(body, header("Content-Transfer-Encoding").toLowerCase());
    const file = /filename="?([^";\r\n]+)"?/i.exec(header("Content-Disposition"))?.[1];
    if (file) mail.files[file] = bytes;
    else mail.parts[header("Content-Type").split(";")[0]?.trim() ?? ""] = bytes.toString("utf8");
  };
  take(raw);
  return mail;
}

function decoded(body: string, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(body, "base64");
  if (encoding !== "quoted-printable") return Buffer.from(body, "latin1");
  const text = body.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(text, "latin1");
}

/** The subject, whose words may be encoded one by one. */
function subjectOf(raw: string): string {
  const line = /^Subject: *(.*(?:\r\n[ \t]+.*)*)/im.exec(raw)?.[1]?.replace(/\r\n[ \t]+/g, " ") ?? "";
  return line.replace(/=\?utf-8\?([bq])\?(.*?)\?=\s*/gi, (_, way: string, word: string) =>
    decoded(way.toLowerCase() === "b" ? word : word.replace(/_/g, " "), way.toLowerCase() === "b" ? "base64" : "quoted-printable").toString(
      "utf8",
    ),
  );
}
