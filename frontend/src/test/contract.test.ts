import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const contract = JSON.parse(readFileSync(join(root, "../../docs/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, unknown>>;
};

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "test" ? [] : files(path);
    return /\.tsx?$/.test(name) && !name.endsWith(".d.ts") && !name.includes(".test.") ? [path] : [];
  });
}

/** A path of the code or of the contract as its segments; what is filled in is "*". */
function segments(path: string): string[] {
  return path
    .replace(/\$\{[^}]*\}|\{[^}]*\}/g, "*")
    .slice(1)
    .split("/");
}

const known = Object.entries(contract.paths).map(([path, methods]) => ({ path, parts: segments(path), methods: Object.keys(methods) }));

/** Whether the contract has a route like this. A segment of the code that is filled in may be any segment of the contract. */
function has(path: string, method: string): boolean {
  const parts = segments(path);
  return known.some(
    (k) =>
      k.methods.includes(method) &&
      k.parts.length === parts.length &&
      k.parts.every((part, i) => parts[i] === part || parts[i]?.includes("*") || part === "*"),
  );
}

it("asks only for what the contract has", () => {
  const asked = files(root).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const reads = [...text.matchAll(/\b(?:useGet|useList|get)<[^;]*?>\([^;]*?(["`])(\/[^"`]*)\1/g)].map((m) => ({
      method: "get",
      path: m[2] ?? "",
    }));
    const writes = [...text.matchAll(/\bsend(?:<[^(]*>)?\(\s*"(\w+)",\s*(["`])(\/[^"`]*)\2/g)].map((m) => ({
      method: (m[1] ?? "").toLowerCase(),
      path: m[3] ?? "",
    }));
    return [...reads, ...writes].map((call) => ({ ...call, file: file.slice(root.length + 1) }));
  });
  expect(asked.length).toBeGreaterThan(25);
  expect(asked.filter((call) => !has(call.path, call.method))).toEqual([]);
});

it("knows the types of this contract: npm run types writes them anew", () => {
  const digest = createHash("sha256")
    .update(readFileSync(join(root, "../../docs/openapi.json")))
    .digest("hex");
  expect(readFileSync(join(root, "api/schema.d.ts"), "utf8").trimEnd().split("\n").at(-1)).toBe(`// of the contract ${digest}`);
});
